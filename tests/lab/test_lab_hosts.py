"""The lab's hosts behave like servers: they reboot, lose power and network, and leave nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.lab

A1, A2 = "atlas-800-9000", "atlas-800t-a2"


@pytest.fixture(scope="module")
def pair(lab):
    """Two bare hosts that several tests use one after the other."""
    fleet = lab("pair")
    assert fleet.up(2, A1, "bare") == ["a1-1", "a1-2"]
    return fleet


def test_ssh_works_from_the_machines_own_network_with_host_key_checking(pair):
    ran = pair.ssh("a1-1", "id -un; hostname; systemctl is-system-running")

    assert (ran.returncode, ran.stdout.split()) == (0, ["root", "a1-1", "running"])
    assert "StrictHostKeyChecking yes" in pair.ssh_config.read_text()


def test_a_host_with_another_key_is_refused(pair, tmp_path):
    wrong = tmp_path / "known_hosts"
    row = pair.ssh_config.with_name("known_hosts").read_text().splitlines()[1]
    wrong.write_text(row.replace("10.77.1.2,a1-2", "10.77.1.1,a1-1") + "\n")

    ran = subprocess.run(
        ["ssh", "-F", str(pair.ssh_config), "-o", "BatchMode=yes", "-o", f"UserKnownHostsFile={wrong}", "a1-1", "true"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 255
    assert "Host key verification failed" in ran.stderr


def test_ansible_reaches_every_host_of_the_inventory(pair):
    ran = subprocess.run(
        [
            "ansible",
            "-i",
            str(pair.inventory),
            "atlas_800_9000",
            "-m",
            "ansible.builtin.setup",
            "-a",
            "filter=ansible_default_ipv4",
        ],
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert '"address": "10.77.1.1"' in ran.stdout
    assert '"address": "10.77.1.2"' in ran.stdout


@pytest.mark.parametrize("how", ["reboot", "systemctl reboot", "shutdown -r now", "reboot -ff"])
def test_a_reboot_gives_a_new_boot_id_and_a_new_uptime(pair, how):
    before = pair.boot_id("a1-1")
    boots = pair.host("a1-1")["boots"]

    pair.ssh("a1-1", how)
    after = pair.wait_for_another_boot("a1-1", before)

    assert after != before
    assert pair.host("a1-1")["boots"] == boots + 1
    assert float(pair.ssh("a1-1", "cut -d' ' -f1 /proc/uptime").stdout) < 60


def test_files_survive_a_reboot_and_run_does_not(pair):
    pair.ssh("a1-1", "echo kept > /etc/kept; echo lost > /run/lost; sysctl -qw vm.nr_hugepages=7")
    before = pair.boot_id("a1-1")

    pair.ssh("a1-1", "reboot")
    pair.wait_for_another_boot("a1-1", before)

    ran = pair.ssh("a1-1", "cat /etc/kept; ls /run/lost; cat /proc/sys/vm/nr_hugepages; rm /etc/kept")
    assert ran.stdout.split()[0] == "kept"
    assert "/run/lost" in ran.stderr
    assert ran.stdout.split()[1] == Path("/proc/sys/vm/nr_hugepages").read_text().strip()


def test_power_off_and_on_is_a_cold_start_and_a_reboot_is_a_warm_one(pair):
    pair.do("power", "off", "a1-1")
    assert pair.host("a1-1")["state"] == "off"

    pair.do("power", "on", "a1-1")
    assert pair.ssh("a1-1", "test -e /run/ascend-lab/cold").returncode == 0

    before = pair.boot_id("a1-1")
    pair.ssh("a1-1", "reboot")
    pair.wait_for_another_boot("a1-1", before)
    assert pair.ssh("a1-1", "test -e /run/ascend-lab/cold").returncode == 1


def test_a_poweroff_inside_stays_off(pair):
    pair.ssh("a1-1", "poweroff")

    pair.wait_for_state("a1-1", "off")
    pair.do("power", "on", "a1-1")


def test_a_reset_ends_the_host_without_a_shutdown(pair):
    before = pair.boot_id("a1-1")

    pair.do("power", "reset", "a1-1")

    assert pair.boot_id("a1-1") not in ("", before)


def test_a_reboot_that_never_returns_leaves_the_host_lost_until_it_is_switched_on(pair):
    pair.do("fault", "a1-1", "reboot-never-returns")
    pair.ssh("a1-1", "reboot")
    pair.wait_for_state("a1-1", "lost")
    assert pair.ssh("a1-1", "true").returncode == 255

    pair.do("fault", "a1-1", "--clear")
    pair.do("power", "on", "a1-1")

    assert pair.boot_id("a1-1")


def test_a_cut_host_times_out_and_comes_back_when_healed(pair):
    pair.do("cut", "a1-2")
    began = time.monotonic()
    cut = pair.ssh("a1-2", "true")
    waited = time.monotonic() - began

    pair.do("heal", "a1-2")
    healed = pair.ssh("a1-2", "echo back")

    assert cut.returncode == 255
    assert "timed out" in cut.stderr
    assert waited < 15
    assert healed.stdout == "back\n"


def test_a_cut_stays_over_a_reboot(pair):
    pair.do("cut", "a1-2")
    boots = pair.host("a1-2")["boots"]
    pair.exec("a1-2", "systemctl", "reboot")
    end = time.monotonic() + 30
    while pair.host("a1-2")["boots"] == boots and time.monotonic() < end:
        time.sleep(0.1)

    cut = pair.ssh("a1-2", "true")
    pair.do("heal", "a1-2")

    assert cut.returncode == 255
    assert pair.ssh("a1-2", "true").returncode == 0


def test_the_digest_is_the_same_when_only_someone_looked(pair):
    before = pair.digest("a1-2")

    pair.ssh("a1-2", "cat /etc/os-release; systemctl status; ls -lR /etc >/dev/null; lspci; echo x > /tmp/x; rm /tmp/x")
    subprocess.run(
        ["ansible", "-i", str(pair.inventory), "a1-2", "-m", "ansible.builtin.setup"],
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )

    assert pair.digest("a1-2") == before


def test_the_digest_changes_with_a_change(pair):
    before = pair.digest("a1-2")

    pair.exec("a1-2", "sh", "-c", "echo x > /etc/new; mv /etc/issue /etc/issue.kept")
    changed = pair.digest("a1-2")
    pair.exec("a1-2", "sh", "-c", "rm /etc/new; mv /etc/issue.kept /etc/issue")

    assert changed != before
    assert "'etc/issue' 0644 0:0 file" in pair.do("digest", "a1-2", "--listing")


def test_the_exit_status_of_exec_is_that_of_the_command(pair):
    assert pair.exec("a1-1", "sh", "-c", "exit 7").returncode == 7


def test_run_is_inside_the_fleets_network(pair):
    ran = pair.lab("run", "--", "ip", "-brief", "address", "show", "br0")

    assert "10.77.0.1/16" in ran.stdout


def test_an_unknown_host_is_named_with_the_known_ones(pair):
    ran = pair.lab("power", "off", "a9-9")

    assert ran.returncode == 4
    assert "'a9-9'" in ran.stderr
    assert "a1-1, a1-2" in ran.stderr


def test_a_mixed_fleet_grows_by_a_second_up(lab):
    fleet = lab("mixed")
    assert fleet.up(1, A1, "bare") == ["a1-1"]
    assert fleet.up(2, A2, "bare") == ["a2-1", "a2-2"]

    rows = {row["name"]: (row["profile"], row["state"]) for row in fleet.status()["hosts"]}
    assert rows == {"a1-1": (A1, "on"), "a2-1": (A2, "on"), "a2-2": (A2, "on")}
    assert "atlas_800t_a2" in fleet.inventory.read_text()
    assert "d802" in fleet.ssh("a2-1", "lspci -n").stdout
    assert "d801" in fleet.ssh("a1-1", "lspci -n").stdout


def test_two_fleets_run_side_by_side_and_do_not_see_each_other(lab, pair):
    other = lab("other")
    other.up(1, A1, "bare")

    assert other.host("a1-1")["ip"] == pair.host("a1-1")["ip"]
    assert other.boot_id("a1-1") != pair.boot_id("a1-1")

    other.do("down")
    assert pair.boot_id("a1-1")


def test_a_host_of_a_published_stack_has_its_driver_loaded(lab):
    fleet = lab("stack")
    fleet.up(1, A1, "hdk22")

    ran = fleet.ssh("a1-1", "npu-smi info; lsmod; ls /dev/davinci0")

    assert ran.returncode == 0, ran.stderr
    assert "22.0.4" in ran.stdout
    assert "drv_pcie_host" in ran.stdout


def test_nothing_stays_in_the_machine_when_the_daemon_is_killed(lab):
    fleet = lab("killed")
    before = _machine()
    fleet.up(2, A1, "bare")
    fleet.ssh("a1-1", "nohup sleep 1000 >/dev/null 2>&1 &")
    daemon = fleet.status()["daemon"]
    namespaces = _namespaces_of(daemon)
    assert _processes_in(namespaces)

    os.kill(daemon, signal.SIGKILL)
    end = time.monotonic() + 10
    while _processes_in(namespaces) and time.monotonic() < end:
        time.sleep(0.05)

    assert _processes_in(namespaces) == []
    assert _machine() == before
    assert fleet.lab("status").returncode == 4
    fleet.up(1, A1, "bare")
    assert [row["name"] for row in fleet.status()["hosts"]] == ["a1-1"]


def test_the_fleet_ends_with_its_owner(lab):
    fleet = lab("owned")
    owner = subprocess.Popen(["sleep", "600"])
    fleet.do("up", "--nodes", "1", "--owner", str(owner.pid))

    owner.kill()
    owner.wait()
    end = time.monotonic() + 10
    while fleet.lab("status").returncode == 0 and time.monotonic() < end:
        time.sleep(0.1)

    assert fleet.lab("status").returncode == 4


def _machine() -> dict[str, list[str]]:
    """What the machine itself shows: mounts, and network links of its own namespace."""
    links = subprocess.run(["ip", "-brief", "link"], capture_output=True, text=True, check=True).stdout
    return {"mounts": Path("/proc/mounts").read_text().splitlines(), "links": links.splitlines()}


def _namespaces_of(daemon: int) -> set[str]:
    """The namespaces of the daemon and of its hosts that are not the machine's."""
    ours = {str(path.readlink()) for path in Path("/proc/self/ns").iterdir()}
    pids = [daemon, *(int(pid) for pid in Path(f"/proc/{daemon}/task/{daemon}/children").read_text().split())]
    return {str(path.readlink()) for pid in pids for path in Path(f"/proc/{pid}/ns").iterdir()} - ours


def _processes_in(namespaces: set[str]) -> list[int]:
    found = []
    for process in _processes():
        try:
            if namespaces & {str(path.readlink()) for path in (process / "ns").iterdir()}:
                found.append(int(process.name))
        except OSError:  # it has just ended
            continue
    return found


def _processes() -> Iterator[Path]:
    return (path for path in Path("/proc").iterdir() if path.name.isdigit())
