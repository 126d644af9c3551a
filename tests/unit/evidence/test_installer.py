"""Texts follow the published forms: ascend-deployer's rule for 0 and 2, transcripts of 23.0.rc1 to 25.0.rc1.1."""

from __future__ import annotations

import pytest

from ascend_provision.evidence import installer
from ascend_provision.stack.plan import Ending

AT = "[2024-05-01 10:00:00]"
DRIVER = f"""Verifying archive integrity...  100%%   SHA256 checksums are OK. All good.
Uncompressing ASCEND DRIVER RUN PACKAGE  100%%
[Driver] {AT} [INFO]Start time: 2024-05-01 10:00:00
[Driver] {AT} [INFO]driver install type: DKMS
[Driver] {AT} [INFO]upgradePercentage:100%%
%s
[Driver] {AT} [INFO]End time: 2024-05-01 10:01:00
"""
TAKES_EFFECT = (
    f"[Driver] {AT} [INFO]\x1b[32mDriver package installed successfully! "
    "The new version takes effect immediately. \x1b[0m"
)
REBOOT = (
    f"[Driver] {AT} [INFO]\x1b[32mDriver package installed successfully! \x1b[0m"
    "\x1b[31mReboot needed for installation/upgrade to take effect! \x1b[0m"
)
FINISHED = (
    f"[Driver] {AT} [INFO]\x1b[32mDriver package installed finished! \x1b[0m\n"
    f"[Driver] {AT} [WARNING]\x1b[33mKernel modules can not be removed, "
    "reboot needed for installation/upgrade to take effect! \x1b[0m"
)
FIRMWARE = (
    f"[Firmware] {AT} [INFO]The firmware of [8] chips are successfully upgraded.\n"
    f"[Firmware] {AT} [INFO]\x1b[32mFirmware package %s successfully! "
    "\x1b[31mReboot now or after driver installation for the installation/upgrade to take effect. \x1b[0m"
)
TOOLKIT = """[Toolkit] [20240501-10:00:00] [INFO] install package CANN-runtime-7.1.0.3.220-linux.aarch64.run start
[Toolkit] [20240501-10:00:05] [INFO] CANN-runtime-7.1.0.3.220-linux.aarch64.run --full --quiet --nox11 install success

===========
= Summary =
===========

Driver:   Installed in /usr/local/Ascend/driver.
Toolkit:  Ascend-cann-toolkit_7.0.0_linux-aarch64 install success, installed in /usr/local/Ascend.

Please make sure that the environment variables have been configured.
"""
KERNELS = (
    "[kernels_910b] [20240501-10:00:00] [INFO] Ascend910B-opp_kernel-7.6.0.1.220-linux.run --devel install success\n"
    "[kernels_910b] [20240501-10:00:00] [INFO] Ascend-cann-kernels-910b_8.0.0_linux-aarch64 install success. The "
    "installation path is /usr/local/Ascend/ascend-toolkit.\n"
)
UNINSTALLED = f"[Driver] {AT} [INFO]\x1b[32mDriver package uninstalled %s \x1b[0m%s\n"


@pytest.mark.parametrize(
    ("component", "rc", "text", "ending"),
    [
        ("driver", 0, DRIVER % TAKES_EFFECT, Ending.DONE),
        ("driver", 2, DRIVER % REBOOT, Ending.REBOOT_NEEDED),
        ("driver", 0, DRIVER % REBOOT, Ending.REBOOT_NEEDED),
        ("driver", 2, DRIVER % FINISHED, Ending.REBOOT_NEEDED),
        ("driver", 2, DRIVER % TAKES_EFFECT, Ending.REBOOT_NEEDED),
        ("firmware", 0, FIRMWARE % "installed", Ending.REBOOT_NEEDED),
        ("firmware", 2, FIRMWARE % "upgraded", Ending.REBOOT_NEEDED),
        ("toolkit", 0, TOOLKIT, Ending.DONE),
        ("kernels", 0, KERNELS, Ending.DONE),
        ("kernels", 0, "Ascend-cann-910b-ops_8.5.0_linux-aarch64 install success\n", Ending.DONE),
        ("nnal", 0, "Ascend-cann-nnal_8.0.0_linux-aarch64 install success, installed in /x\n", Ending.DONE),
        ("uninstall", 0, UNINSTALLED % ("successfully! Uninstallation takes effect immediately.", ""), Ending.DONE),
        (
            "uninstall",
            0,
            UNINSTALLED % ("successfully!", "\x1b[31mReboot needed for uninstallation to take effect!"),
            Ending.REBOOT_NEEDED,
        ),
        (
            "uninstall",
            0,
            UNINSTALLED % ("finished!", "\n[Driver] [WARNING]Kernel modules can not be removed, reboot needed"),
            Ending.MODULES_STILL_LOADED,
        ),
        ("uninstall", 0, "[Toolkit] [20240501-10:00:00] [INFO] Ascend-cann-toolkit uninstall success\n", Ending.DONE),
    ],
)
def test_status_and_success_line_together_say_how_it_ended(
    component: installer.Component, rc: int, text: str, ending: Ending
) -> None:
    reading = installer.read(component, rc, text)

    assert (reading.ending, reading.reason) == (ending, "")


@pytest.mark.parametrize(
    ("component", "rc", "text", "reason"),
    [
        (
            "driver",
            1,
            f"[Driver] {AT} [ERROR]\x1b[31mDkms install failed, details in : var/log/ascend_seclog/x.log \x1b[0m\n",
            "exit status 1: Dkms install failed, details in : var/log/ascend_seclog/x.log",
        ),
        ("driver", 1, DRIVER % TAKES_EFFECT, "exit status 1 (although it printed success): its last line is"),
        ("driver", 0, DRIVER % "", "exit status 0, but it never said that it succeeded"),
        ("driver", 0, f"[Driver] {AT} [INFO]installation Stoped!\n", "it asked a question, got no `y` and stopped"),
        ("driver", 127, "sh: 1: ./x.run: not found\n", "exit status 127: its last line is 'sh: 1: ./x.run: not found'"),
        ("driver", 137, "", "exit status 137: it printed nothing"),
        ("driver", None, DRIVER % TAKES_EFFECT, "no exit status"),
        ("toolkit", 2, TOOLKIT, "exit status 2"),
        ("toolkit", 0, TOOLKIT.partition("===")[0], "exit status 0, but it never said that it succeeded"),
        ("kernels", 0, TOOLKIT, "exit status 0, but it never said that it succeeded"),
        ("firmware", 0, DRIVER % TAKES_EFFECT, "exit status 0, but it never said that it succeeded"),
        (
            "toolkit",
            0,
            TOOLKIT + "[Toolkit] [20240501-10:00:00] [ERROR] write install info failed\n",
            "exit status 0, but an error came after its success line: write install info failed",
        ),
        ("uninstall", 0, DRIVER % TAKES_EFFECT, "exit status 0, but it never said that it succeeded"),
    ],
)
def test_anything_less_is_a_failure_with_its_reason(
    component: installer.Component, rc: int | None, text: str, reason: str
) -> None:
    reading = installer.read(component, rc, text)

    assert reading.ending is Ending.FAILED
    assert reading.reason.startswith(reason)


def test_the_last_line_that_says_something_is_kept_without_colours() -> None:
    assert installer.read("driver", 2, DRIVER % REBOOT).last_line == (
        f"[Driver] {AT} [INFO]Driver package installed successfully! "
        "Reboot needed for installation/upgrade to take effect!"
    )


def test_a_line_of_the_shell_that_looks_like_an_error_does_not_make_a_success_a_failure() -> None:
    """The script that resets the cards writes to a device that has just gone."""
    noise = "/usr/local/Ascend/driver/script/device_hot_reset.sh: line 12: echo: write error: No such device"
    reading = installer.read("driver", 0, DRIVER % f"{noise}\n{TAKES_EFFECT}")

    assert (reading.ending, reading.reason) == (Ending.DONE, "")
