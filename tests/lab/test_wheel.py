"""The wheel somewhere else: in an empty environment with the oldest and the newest ansible-core, and on a timer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.lab.conftest import TREE, LabFactory, LabFleet

pytestmark = [pytest.mark.lab, pytest.mark.timeout(900)]

EXTRAS = {"newest": "", "oldest": "[legacy-targets]"}


@pytest.fixture(scope="module")
def fleet(lab: LabFactory) -> LabFleet:
    """One host with a Python of its own, one with only 3.6, one with none."""
    fleet = lab("wheel")
    fleet.up(1, "atlas-800-9000", "hdk22", "--no-services", "--no-containers", "--no-frameworks")
    fleet.up(1, "atlas-800-9000", "hdk22", "--python", "3.6", "--no-services", "--no-containers", "--no-frameworks")
    fleet.up(1, "atlas-800-9000", "hdk22", "--python", "none", "--no-services", "--no-containers", "--no-frameworks")
    return fleet


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home directory with a fresh environment in it, which the wheel is installed into."""
    directory = tmp_path_factory.mktemp("home")
    ran(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(directory / "dist"), str(TREE))
    ran(sys.executable, "-m", "venv", str(directory / "venv"))
    return directory


def ran(*command: str, limit_s: float = 600, **more: Any) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=limit_s, check=False, **more)
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return str(done.stdout)


def install(home: Path, extras: str) -> None:
    """Everything is pinned but ansible-core and the one library whose version each core chooses itself."""
    pins = (TREE / "constraints.txt").read_text().splitlines(keepends=True)
    (home / "pins.txt").write_text("".join(pin for pin in pins if not pin.startswith(("ansible-core=", "resolvelib="))))
    (wheel,) = (home / "dist").iterdir()
    ran(str(home / "venv/bin/pip"), "install", "--quiet", "--constraint", str(home / "pins.txt"), f"{wheel}{extras}")


@pytest.mark.parametrize("core", EXTRAS)
def test_the_installed_wheel_checks_hosts_with_any_python_from_any_directory(
    core: str, fleet: LabFleet, home: Path, tmp_path: Path
) -> None:
    install(home, EXTRAS[core])
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONPATH" and not name.startswith("ANSIBLE_")
    }
    environment |= {"HOME": str(home), "ASCEND_PROVISION_STATE": str(home / "state")}
    version = ran(str(home / "venv/bin/ansible"), "--version", env=environment).split("]")[0]

    done = subprocess.run(
        [
            str(home / "venv/bin/ascend-provision"),
            *("check", "--hosts", "all", "-i", str(fleet.inventory), "--format", "json"),
        ],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert ("core 2.16." in version) == (core == "oldest"), version
    assert done.returncode in (0, 3, 5), done.stderr
    report = json.loads(done.stdout)
    assert (report["unreachable"], report["totals"]["hosts"]) == ({}, 3)
    assert {(host["stack"]["driver"], host["stack"]["cann"]) for host in report["hosts"]} == {("22.0.4", "6.0.1")}
    assert not (home / ".cache" / "ascend-provision").exists(), "the wheel's own content was not used"
    assert list(tmp_path.iterdir()) == []


def carry_to(fleet: LabFleet, host: str, environment: Path) -> None:
    """Copy a virtual environment to the same path on a host, whose Python must be of the same minor version."""
    ours, theirs = f"{sys.version_info.major}.{sys.version_info.minor}", fleet.ssh(host, "python3 -V").stdout
    assert f"Python {ours}." in theirs, f"the host has {theirs.strip()}, the environment is of Python {ours}"
    with subprocess.Popen(["tar", "-C", "/", "-c", str(environment)[1:]], stdout=subprocess.PIPE) as packed:
        ran(*fleet_ssh(fleet, host), "tar -C / -x", stdin=packed.stdout)
    repaired = fleet.ssh(
        host,
        f"cd {environment}/bin && ln -sf /usr/bin/python3 python && ln -sf python python3 && ln -sf python python{ours}"
        f" && sed -i 's|^home = .*|home = /usr/bin|' {environment}/pyvenv.cfg",
    )
    assert repaired.returncode == 0, repaired.stderr


def fleet_ssh(fleet: LabFleet, host: str) -> list[str]:
    return ["ssh", "-F", str(fleet.ssh_config), "-o", "BatchMode=yes", host]


def test_a_timer_on_a_controller_with_systemd_checks_and_keeps_the_report(
    fleet: LabFleet, home: Path, tmp_path: Path
) -> None:
    install(home, EXTRAS["oldest"])
    controller = fleet.status()["hosts"][0]["name"]
    carry_to(fleet, controller, home / "venv")
    command = f"ASCEND_PROVISION_STATE=/var/lib/ap {home}/venv/bin/ascend-provision"
    inventory = "this-host ansible_connection=local ansible_python_interpreter=/usr/bin/python3"

    installed = fleet.ssh(
        controller,
        f"echo '{inventory}' >/root/hosts && cd /root && {command} schedule install --hosts all -i hosts"
        " --on-calendar '*:*:0/10' --name self",
    )
    assert installed.returncode == 0, installed.stderr
    refused = fleet.ssh(controller, f"{command} schedule install --hosts all -i /root/hosts --on-calendar often")
    waited = fleet.ssh(
        controller,
        "for i in $(seq 100); do test -s /var/lib/ap/schedules/self/status.json && exit; sleep 1; done; exit 1",
    )
    fleet.ssh(controller, "systemctl stop ascend-provision-check-self.timer")
    log = fleet.ssh(controller, "journalctl -u ascend-provision-check-self.service --no-pager -n 30").stdout
    assert waited.returncode == 0, log
    kept = json.loads(fleet.ssh(controller, f"{command} schedule status --format json").stdout)["schedules"][0]
    report = json.loads(fleet.ssh(controller, "cat /var/lib/ap/schedules/self/report.json").stdout)
    unit = fleet.ssh(controller, "systemctl show -P ExecMainStatus ascend-provision-check-self.service").stdout.strip()

    assert (refused.returncode, "schedule-calendar" in refused.stderr) == (4, True), refused.stderr
    assert [host["host"] for host in report["hosts"]] == ["this-host"]
    assert report["hosts"][0]["stack"]["driver"] == "22.0.4"
    assert kept["kept"]["exit_status"] in (0, 3, 5)
    assert kept["kept"]["exit_status"] == int(unit)

    removed = fleet.ssh(controller, f"{command} schedule remove --name self")
    units = fleet.ssh(controller, "ls /etc/systemd/system | grep ascend-provision-check || true").stdout

    assert (removed.returncode, units) == (0, ""), removed.stderr
