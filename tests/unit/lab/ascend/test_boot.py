"""What a start of the host does to firmware, kernel, modules and the NPU network."""

from __future__ import annotations

import pytest

from ascend_provision.lab.ascend import profiles
from tests.unit.lab.ascend.conftest import Host, MakeHost


def flash(host: Host, version: str) -> None:
    """What a firmware package does to the chips at once."""
    rows = "".join(f"{chip} {version} [23.0.0,23.0.0.]\n" for chip in range(8))
    (host.root / "opt/ascend-lab/hw/flash").write_text(rows)


def status(host: Host) -> set[str]:
    lines = host.run("upgrade-tool", "--device_index", "-1", "--status").stdout.splitlines()
    return {line.split('"status":')[1].rstrip("}") for line in lines if "status" in line}


def test_flashed_firmware_shows_at_once_and_runs_after_a_reboot(a1_hdk22: Host) -> None:
    flash(a1_hdk22, "7.1.0.5.220")

    versions = a1_hdk22.run("upgrade-tool", "--device_index", "-1", "--component", "-1", "--version").stdout
    assert "7.1.0.5.220" in versions
    assert "1.84.15.1.310" not in versions
    assert status(a1_hdk22) == {"waitting_restart"}

    a1_hdk22.boot()
    assert status(a1_hdk22) == {"idle"}


def test_cold_start_firmware_waits_for_power_off_and_on(a1_hdk22: Host) -> None:
    a1_hdk22.fault("firmware-cold-start")
    flash(a1_hdk22, "7.1.0.5.220")

    a1_hdk22.boot()
    assert status(a1_hdk22) == {"waitting_restart"}

    a1_hdk22.boot(cold=True)
    assert status(a1_hdk22) == {"idle"}


def test_the_same_firmware_flashed_again_waits_for_a_reboot_too(a1_hdk22: Host) -> None:
    (a1_hdk22.root / "opt/ascend-lab/hw/flash-pending").touch()
    assert status(a1_hdk22) == {"waitting_restart"}

    a1_hdk22.boot()
    assert status(a1_hdk22) == {"idle"}


def test_a_lost_chip_is_gone_after_the_boot_and_not_before(a1_hdk23: Host) -> None:
    a1_hdk23.fault("loses-chip", "5")
    assert "| 5     " in a1_hdk23.run("npu-smi", "info").stdout

    a1_hdk23.boot()

    listing = a1_hdk23.run("npu-smi", "info", "-l").stdout
    assert listing.startswith("\tTotal Count                    : 7\n")
    assert "\tNPU ID                         : 5\n" not in listing
    assert not (a1_hdk23.root / "dev/davinci5").exists()
    assert a1_hdk23.run("hccn_tool", "-i", "5", "-ip", "-g").stdout == "The device is not exist!\n"


def test_an_older_kernel_has_no_driver(a1_hdk22: Host) -> None:
    a1_hdk22.fault("boots-old-kernel")
    a1_hdk22.boot()

    arch = a1_hdk22.run("uname", "-m").stdout.strip()
    assert a1_hdk22.run("uname", "-r").stdout.strip() == profiles.get(a1_hdk22.profile).older_kernel.fact(arch).value
    assert a1_hdk22.run("npu-smi", "info").returncode == 187


def test_a_pending_kernel_boots_next_and_has_no_driver(a1_hdk22: Host) -> None:
    before = a1_hdk22.run("uname", "-r").stdout
    a1_hdk22.run("lab-fault", "on", "kernel-pending", "6.1.0-99-amd64")

    assert a1_hdk22.run("uname", "-r").stdout == before
    assert (a1_hdk22.root / "vmlinuz").readlink().name == "vmlinuz-6.1.0-99-amd64"

    a1_hdk22.boot()
    assert a1_hdk22.run("uname", "-r").stdout == "6.1.0-99-amd64\n"
    assert a1_hdk22.run("npu-smi", "info").returncode == 187


def test_python_and_the_shell_install_a_kernel_the_same_way(a1_hdk22: Host) -> None:
    kernel = a1_hdk22.run("uname", "-r").stdout.strip()
    older = next(
        p.name.removeprefix("vmlinuz-") for p in (a1_hdk22.root / "boot").glob("vmlinuz-*") if kernel not in p.name
    )
    grub = a1_hdk22.root / "boot/grub/grub.cfg"
    headers = a1_hdk22.root / f"usr/src/linux-headers-{kernel}"
    written = [grub.read_text(), (headers / "Makefile").read_text(), (a1_hdk22.root / "vmlinuz").readlink()]

    done = a1_hdk22.shell(f"lab_kernel_add {kernel}; lab_kernel_add {older}; lab_kernel_default {kernel} {older}")

    assert done.returncode == 0, done.stderr
    assert written == [grub.read_text(), (headers / "Makefile").read_text(), (a1_hdk22.root / "vmlinuz").readlink()]


@pytest.mark.parametrize("content", ["", None], ids=["emptied", "removed"])
def test_without_hccn_conf_a_boot_leaves_the_npus_without_addresses(a1_hdk23: Host, content: str | None) -> None:
    conf = a1_hdk23.root / "etc/hccn.conf"
    assert a1_hdk23.run("hccn_tool", "-i", "0", "-ip", "-g").returncode == 0
    if content is None:
        conf.unlink()
    else:
        conf.write_text(content)
    assert a1_hdk23.run("hccn_tool", "-i", "0", "-ip", "-g").returncode == 0  # the live setting

    a1_hdk23.boot()

    done = a1_hdk23.run("hccn_tool", "-i", "0", "-ip", "-g")
    assert (done.returncode, done.stdout) == (13, "Get ipconf failed, because no ip was preset there!\n")


def test_the_kernel_log_tells_of_every_chip(make_host: MakeHost) -> None:
    log = make_host("atlas-800t-a2", "hdk23").run("dmesg").stdout

    assert "Findout total device. (dev_num=8)" in log
    assert log.count("Probe driver OUT. (device=d802;") == 8
