"""The catalogue of faults: every name is acted out by someone, and nothing else is a name."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

import ascend_provision.lab
from ascend_provision.lab.ascend import faults
from ascend_provision.lab.errors import LabError
from tests.unit.lab.ascend.conftest import TOOLS, Host

LAB = Path(ascend_provision.lab.__file__).parent
WHERE = {
    "tools": [LAB / "ascend/tools"],
    "boot": [LAB / "ascend/tools/bin/boot", LAB / "ascend/tools/lib"],
    "installer": [LAB / "packages"],
    "hccl_test": [LAB / "packages/payload/hccl_test"],
    "launcher": [LAB],
}


def files(place: Path) -> list[Path]:
    found = [place] if place.is_file() else [p for p in place.rglob("*") if p.is_file()]
    return [p for p in found if p.suffix not in (".pyc", ".yaml") and p.name != "faults.py"]


@pytest.mark.parametrize(("name", "actor"), [(f.name, a) for f in faults.book().faults for a in f.actors])
def test_every_fault_is_acted_out_where_the_catalogue_says(name: str, actor: str) -> None:
    actors = [path for place in WHERE[actor] for path in files(place) if name in path.read_text(errors="replace")]

    assert actors, f"nothing below {WHERE[actor]} mentions {name}"


def test_a_mistyped_fault_is_refused_with_the_list() -> None:
    with pytest.raises(LabError) as refused:
        faults.on_command("npu-smi-hang")

    assert refused.value.what == "there is no fault 'npu-smi-hang'"
    assert "npu-smi-hangs" in refused.value.next


@pytest.mark.parametrize("text", ["hccl-hang=1", "loses-chip=all", "installer-exits-1=nnal", "foreign-job=x"])
def test_a_value_that_does_not_fit_is_refused(text: str) -> None:
    with pytest.raises(LabError) as refused:
        faults.parse(text)

    assert refused.value.code == "lab-fault-value"
    assert text.partition("=")[2] in refused.value.what


def test_a_fault_with_its_value_becomes_the_hosts_own_command() -> None:
    assert faults.on_command("loses-chip=1,5") == ["/opt/ascend-lab/bin/lab-fault", "on", "loses-chip", "1,5"]
    assert faults.off_command("loses-chip") == ["/opt/ascend-lab/bin/lab-fault", "off", "loses-chip"]


def test_a_hung_npu_smi_ignores_term_and_its_child_holds_stdout(a1_hdk23: Host) -> None:
    a1_hdk23.fault("npu-smi-hangs")
    hung = subprocess.Popen(
        [str(a1_hdk23.root / TOOLS / "npu-smi"), "info"],
        env=a1_hdk23.environment(None),
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        time.sleep(0.3)
        hung.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        assert hung.poll() is None

        hung.kill()
        hung.wait(5)
        with pytest.raises(subprocess.TimeoutExpired):
            hung.communicate(timeout=0.3)
    finally:
        os.killpg(hung.pid, signal.SIGKILL)
        assert hung.stdout is not None
        hung.stdout.close()


@pytest.mark.parametrize(
    "command", [["hccn_tool", "-i", "0", "-ip", "-g"], ["upgrade-tool", "--status"], ["kmod", "lsmod"], ["dmesg"]]
)
def test_with_tools_hang_every_tool_hangs(a1_hdk23: Host, command: list[str]) -> None:
    a1_hdk23.fault("tools-hang")
    hung = subprocess.Popen(
        [str(a1_hdk23.root / TOOLS / command[0]), *command[1:]],
        env=a1_hdk23.environment(None),
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            hung.wait(0.4)
    finally:
        os.killpg(hung.pid, signal.SIGKILL)
        hung.wait(5)


def test_lspci_hangs_only_while_the_fault_is_on(a1_hdk23: Host) -> None:
    shadow = a1_hdk23.root / "usr/local/bin/lspci"

    a1_hdk23.run("lab-fault", "on", "tools-hang")
    assert "lab_hang" in shadow.read_text()

    a1_hdk23.run("lab-fault", "off", "tools-hang")
    assert not shadow.exists()


def test_a_fault_that_was_put_down_from_outside_takes_effect_at_sync_and_at_boot(a1_hdk23: Host) -> None:
    table = a1_hdk23.root / "root"

    a1_hdk23.fault("stale-rank-table")
    a1_hdk23.run("lab-fault", "sync")
    assert len(list(table.glob("hccl_8p_*.json"))) == 1

    (a1_hdk23.root / "opt/ascend-lab/faults/stale-rank-table").unlink()
    a1_hdk23.run("lab-fault", "sync")
    assert list(table.glob("hccl_8p_*.json")) == []

    a1_hdk23.fault("stale-rank-table")
    a1_hdk23.boot()
    assert len(list(table.glob("hccl_8p_*.json"))) == 1


def test_a_stale_rank_table_names_no_address_of_this_host(a1_hdk23: Host) -> None:
    a1_hdk23.run("lab-fault", "on", "stale-rank-table")

    (path,) = (a1_hdk23.root / "root").glob("hccl_8p_*.json")
    devices = json.loads(path.read_text())["server_list"][0]["device"]
    own = (a1_hdk23.root / "etc/hccn.conf").read_text()
    assert len(devices) == 8
    assert [d["device_ip"] for d in devices if d["device_ip"] in own] == []


def test_the_host_lists_its_faults_with_their_values(a1_hdk23: Host) -> None:
    a1_hdk23.fault("health-alarm", "3")
    a1_hdk23.fault("hccl-hang")

    assert a1_hdk23.run("lab-fault", "list").stdout == "hccl-hang\nhealth-alarm=3\n"


def test_a_package_that_arrives_is_damaged_once_it_has_stopped_growing(a1_hdk23: Host) -> None:
    (a1_hdk23.root / "run/ascend-lab/damage").touch()
    time.sleep(0.05)
    package = a1_hdk23.root / "opt/driver.run"
    damager = subprocess.Popen([str(a1_hdk23.root / TOOLS / "damage-packages")], env=a1_hdk23.environment(None))
    try:
        package.write_bytes(b"a" * 1000)
        end = time.monotonic() + 10
        while package.read_bytes() == b"a" * 1000 and time.monotonic() < end:
            time.sleep(0.1)
        assert package.read_bytes() == b"a" * 500 + b"\xff" + b"a" * 499
    finally:
        (a1_hdk23.root / "run/ascend-lab/damage").unlink()
        damager.wait(10)


def test_a_part_of_cann_of_another_release_gets_its_own_number_back(a1_hdk23: Host) -> None:
    part = a1_hdk23.root / "usr/local/Ascend/ascend-toolkit/7.0.0/compiler/version.info"
    part.parent.mkdir(parents=True, exist_ok=True)
    part.write_text("Version=7.1.0.3.220\nversion_dir=7.0.0\n")

    a1_hdk23.run("lab-fault", "on", "cann-part-mixed")
    assert part.read_text().startswith("Version=7.5.0.1.129\n")

    a1_hdk23.run("lab-fault", "off", "cann-part-mixed")
    assert part.read_text() == "Version=7.1.0.3.220\nversion_dir=7.0.0\n"
    assert [path.name for path in part.parent.iterdir()] == ["version.info"]


def test_a_flash_that_demands_a_release_is_written_down_for_every_chip(a2_hdk24: Host) -> None:
    record = a2_hdk24.root / "run/ascend/hardware"
    (a2_hdk24.root / "usr/local/Ascend/driver/script").mkdir(parents=True, exist_ok=True)

    a2_hdk24.run("lab-fault", "on", "flash-demands", "24.1.rc3")
    assert [line.count('"driver":250') for line in (record / "flash_version.txt").read_text().splitlines()] == [1] * 8
    assert (record / "cdrs.txt").read_text().splitlines()[7] == "7:NA"
    assert "250,24.1.rc3" in (a2_hdk24.root / "usr/local/Ascend/driver/script/version_cap.map").read_text()

    a2_hdk24.run("lab-fault", "off", "flash-demands")
    assert not record.exists()
