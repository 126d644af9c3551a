"""Firmware: order, what the flash holds and what runs, exit status."""

from __future__ import annotations

from collections.abc import Callable

from tests.unit.lab.packages.conftest import A1, A2, LabRoot

Hosts = Callable[..., LabRoot]
NOW_OR_LATER = (
    "[INFO]Firmware package installed successfully! Reboot now or after driver installation for the "
    "installation/upgrade to take effect. "
)


def test_firmware_before_any_driver_is_refused(bare: Hosts) -> None:
    host = bare()
    ran = host.install("firmware", "hdk22")

    assert (ran.status, ran.lines[-2]) == (
        1,
        "[ERROR]ERR_NO:0x0080;ERR_DES:driver is not exists, please install first.",
    )
    assert host.version("firmware") is None


def test_firmware_needs_a_loaded_driver(installed: Hosts) -> None:
    host = installed(A1)
    host.path("/run/ascend-lab/modules").unlink()
    ran = host.install("firmware", "hdk23")

    assert (ran.status, "driver is not loaded" in ran.text) == (1, True)


def test_flashed_firmware_shows_at_once_and_runs_after_the_reboot(installed: Hosts) -> None:
    host = installed(A1)
    ran = host.install("firmware", "hdk23")

    assert (ran.status, ran.lines[-2]) == (2, NOW_OR_LATER)
    assert "[INFO]The firmware of [8] chips are successfully upgraded." in ran.lines
    assert [line for line in ran.lines if "upgradePercentage" in line] == [
        f"[INFO]upgradePercentage: {part}%" for part in (0, 90, 100)
    ]
    assert (host.version("firmware"), host.flash(), host.active()) == (
        "7.1.0.5.220",
        {"7.1.0.5.220"},
        {"1.84.15.1.310"},
    )
    host.boot()
    assert host.active() == {"7.1.0.5.220"}


def test_some_firmware_runs_only_after_a_cold_start(installed: Hosts) -> None:
    host = installed(A1)
    host.fault("firmware-cold-start")
    host.install("firmware", "hdk23")
    host.boot()
    assert host.active() == {"1.84.15.1.310"}
    host.boot(cold=True)
    assert host.active() == {"7.1.0.5.220"}


def test_the_same_firmware_again_waits_for_a_reboot_too(installed: Hosts) -> None:
    host = installed(A1)
    assert host.install("firmware", "hdk22").status == 2
    assert "waitting_restart" in host.run("/opt/ascend-lab/bin/upgrade-tool", "--device_index", "0", "--status").text


def test_upgrade_says_upgraded(installed: Hosts) -> None:
    ran = installed(A1).install("firmware", "hdk23", "--upgrade")

    assert (ran.status, "Firmware package upgraded successfully!" in ran.lines[-2]) == (2, True)


def test_the_other_chips_firmware_is_refused(installed: Hosts) -> None:
    host = installed(A1)
    ran = host.run(LabRoot(host.root, A2, host.packages).package("firmware", "hdk24"), "--full", "--quiet")

    assert (ran.status, host.flash()) == (1, {"1.84.15.1.310"})


def test_uninstalling_firmware_leaves_the_flash_alone(installed: Hosts) -> None:
    host = installed(A1)
    ran = host.run("/usr/local/Ascend/firmware/script/uninstall.sh")

    assert (ran.status, ran.lines) == (
        0,
        [
            "[INFO]base version is 1.84.15.1.310.",
            "[INFO]Firmware package uninstalled successfully! Uninstallation takes effect immediately. ",
        ],
    )
    assert (host.version("firmware"), host.flash()) == (None, {"1.84.15.1.310"})
    assert not any(line.startswith("Firmware_") for line in host.install_info())


def test_a_firmware_installer_that_fails_leaves_flash_and_file(installed: Hosts) -> None:
    host = installed(A1)
    host.fault("installer-exits-1", "firmware")

    assert host.install("firmware", "hdk23").status == 1
    assert (host.version("firmware"), host.flash()) == ("1.84.15.1.310", {"1.84.15.1.310"})


def test_a_chip_that_is_lost_is_not_flashed(installed: Hosts) -> None:
    host = installed(A1)
    host.fault("loses-chip", "7")
    host.boot()
    ran = host.install("firmware", "hdk23")

    assert "[INFO]The firmware of [7] chips are successfully upgraded." in ran.lines
    assert host.flash() == {"7.1.0.5.220", "1.84.15.1.310"}


def test_unknown_options_are_refused(bare: Hosts) -> None:
    ran = bare().install("firmware", "hdk22", "--install-for-all")

    assert (ran.status, "Unrecognized parameters: --install-for-all" in ran.text) == (1, True)
