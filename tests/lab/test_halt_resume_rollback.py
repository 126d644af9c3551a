"""A run over SSH that halts, is killed, goes on, and is taken back: by hand, and by policy."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.lab.conftest import LabFactory
from tests.lab.provision import AT_ONCE, Operator, shown

pytestmark = [pytest.mark.lab, pytest.mark.timeout(900), pytest.mark.xdist_group("waves")]

KEPT = "sha256sum /etc/hccn.conf; stat -c '%a %u:%g %n' /etc/hccn.conf /usr/local/Ascend/driver/version.info"
INSTALLS = "grep -c 'Driver. .*Start time' /var/log/ascend_seclog/ascend_install.log || :"


@pytest.fixture(scope="module")
def operator(lab: LabFactory, packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Operator:
    fleet = lab("waves")
    fleet.up(2, "atlas-800-9000", "hdk22", "--no-frameworks", "--no-containers", "--prefix", "wave")
    return Operator(fleet, packages, tmp_path_factory.mktemp("state"))


@pytest.fixture(scope="module")
def before(operator: Operator) -> dict[str, object]:
    """The first host as it was before anything was done to it; asked for by the first test."""
    return looks(operator, "wave-1")


def installs(operator: Operator, host: str) -> int:
    return int(operator.fleet.exec(host, "sh", "-c", INSTALLS).stdout or 0)


def leases(operator: Operator) -> dict[str, Any]:
    ran = operator.run("lease", "show", "--hosts", "all", "--format", "json")
    return {row["host"]: row["run"] for row in json.loads(ran.stdout)["hosts"]}


def looks(operator: Operator, host: str) -> dict[str, object]:
    """What must be the same again: versions, kept files, profiles, services."""
    facts = operator.facts(host)[host]
    parts = ("driver", "firmware", "cann", "kept_files", "env_files", "services", "network", "chips")
    return {
        **{part: facts[part] for part in parts},
        "files": operator.fleet.exec(host, "sh", "-c", KEPT).stdout,
        "profiles": operator.fleet.exec(
            host, "sh", "-c", "ls -lR --time-style=+ /etc/profile.d /etc/ascend-provision"
        ).stdout,
    }


def test_a_failed_canary_halts_and_the_next_host_is_not_touched(operator: Operator, before: dict[str, object]) -> None:
    assert before["files"]
    operator.fleet.do("fault", "wave-1", "installer-exits-1")
    untouched = operator.fleet.do("digest", "wave-2")

    ran = operator.run(
        "upgrade", "--hosts", "all", "--to", "hdk23", "--packages", str(operator.packages), "--yes", "--format", "json"
    )

    result = json.loads(ran.stdout)
    outcomes = {host["host"]: host["outcome"] for host in result["hosts"]}
    assert ran.returncode == 7, ran.stderr
    assert outcomes == {"wave-1": "failed", "wave-2": "not-started"}
    assert result["halted"] == "halted: wave-1 failed as canary"
    assert result["resume"] == f"ascend-provision upgrade --resume {result['run']}"
    assert operator.fleet.do("digest", "wave-2") == untouched
    assert leases(operator) == {"wave-1": None, "wave-2": None}


def test_a_resumed_run_that_is_killed_in_the_driver_install_is_resumed_to_its_end(operator: Operator) -> None:
    operator.fleet.do("fault", "wave-1", "installer-exits-1", "--clear")
    operator.fleet.do("fault", "wave-1", "install-delay=15")
    before = {host: installs(operator, host) for host in ("wave-1", "wave-2")}
    running = operator.until_step("driver-install", "upgrade", "--resume")
    time.sleep(3)
    running.send_signal(signal.SIGKILL)
    running.wait()

    busy = operator.run("lease", "break", "--hosts", "wave-1", "--yes")
    assert leases(operator)["wave-1"] is not None
    assert busy.returncode == 9, busy.stdout
    assert "driver-install" in busy.stdout
    operator.fleet.do("fault", "wave-1", "install-delay", "--clear")

    ran = operator.run("upgrade", "--resume", "--format", "json", inventory=False)

    results = {host["host"]: host for host in json.loads(ran.stdout)["hosts"]}
    assert ran.returncode == 0, shown(results, ran)
    assert {host: row["outcome"] for host, row in results.items()} == {"wave-1": "done", "wave-2": "done"}
    assert {host: row["after"]["driver"] for host, row in results.items()} == {"wave-1": "23.0.3", "wave-2": "23.0.3"}
    assert {host: installs(operator, host) - before[host] for host in results} == {"wave-1": 1, "wave-2": 1}
    assert leases(operator) == {"wave-1": None, "wave-2": None}
    services = operator.facts("wave-1")["wave-1"]["services"]
    assert all(service["active"] and not service["held"] for service in services if service["enabled"])


def test_hosts_that_were_done_are_compliant_and_a_finished_run_asks_nothing_of_them(operator: Operator) -> None:
    checked = operator.run("check", "--hosts", "all")
    ran = operator.run("upgrade", "--resume", "--format", "json", inventory=False)

    assert checked.returncode == 0, checked.stdout
    assert "pending.reboot" not in checked.stdout
    assert "leftovers.yours" not in checked.stdout
    assert ran.returncode == 0, ran.stderr
    assert {(host["outcome"], host["tasks"]) for host in json.loads(ran.stdout)["hosts"]} == {("done", 0)}


def test_a_host_goes_back_to_what_it_was_before_the_run(operator: Operator, before: dict[str, object]) -> None:
    ran = operator.run("rollback", "--hosts", "wave-1", "--yes", "--format", "json", inventory=False)

    results = {host["host"]: host for host in json.loads(ran.stdout)["hosts"]}
    assert ran.returncode == 0, shown(results, ran)
    assert {**results["wave-1"]["after"], "driver": "22.0.4", "toolkit": "6.0.1"} == results["wave-1"]["after"]
    assert results["wave-1"]["smoke"].startswith("pass")
    assert looks(operator, "wave-1") == before


def test_a_host_whose_installer_fails_is_rolled_back_by_policy(operator: Operator, before: dict[str, object]) -> None:
    operator.fleet.do("fault", "wave-1", "installer-exits-1")
    named = ("--hosts", "wave-1", "--to", "hdk23", "--packages", str(operator.packages), "--yes", "--format", "json")
    inventory = ("-i", str(operator.fleet.inventory))
    result = operator.state / "failed.json"
    running = operator.until_step(
        "driver-install", "upgrade", *named, *AT_ONCE, "--on-fail", "rollback", *inventory, "-o", str(result)
    )
    journal = max((operator.state / "runs").glob("*/journal.jsonl"), key=lambda path: path.stat().st_mtime)
    end = time.monotonic() + 120
    while '"turned-back"' not in journal.read_text() and time.monotonic() < end:
        time.sleep(0.2)
    operator.fleet.do("fault", "wave-1", "installer-exits-1", "--clear")

    status = running.wait(timeout=600)

    host = json.loads(result.read_text())["hosts"][0]
    assert status == 8, host
    assert host["outcome"] == "rolled-back"
    assert host["reason"].startswith("driver-install: ")
    assert looks(operator, "wave-1") == before
