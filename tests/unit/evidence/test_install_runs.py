"""Runs of installers as their log, or what they printed, tells them."""

from __future__ import annotations

import pytest

from ascend_provision.evidence.install_runs import parse
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import InstallRun
from ascend_provision.stack.model import Unknown


def runs(text: str) -> tuple[InstallRun, ...]:
    found = parse(Evidence(name="install.log", text=text, status=0))
    assert not isinstance(found, Unknown)
    return found


BEGUN = " [Driver] [2025-07-17 10:35:21] [INFO]Start time: 2025-07-17 10:35:21\n"
ENDED = " [Driver] [2025-07-17 10:36:24] [INFO]End time: 2025-07-17 10:36:24\n"


@pytest.mark.parametrize(
    ("line", "ending"),
    [
        ("[INFO]Driver package installed successfully! The new version takes effect immediately.", "done"),
        ("[INFO]\x1b[32mDriver package installed successfully! \x1b[0m\x1b[31mReboot needed \x1b[0m", "reboot-needed"),
        ("[ERROR]ERR_NO:0x0080;ERR_DES:Dkms install failed", "failed"),
        ("[WARNING]Kernel modules can not be removed, reboot needed for uninstallation", "modules-still-loaded"),
        ("[INFO]check_local_file_size success.", "ended"),
    ],
)
def test_how_a_run_ended(line: str, ending: str) -> None:
    (run,) = runs(f"{BEGUN} [Driver] [2025-07-17 10:36:20] {line}\n{ENDED}")

    assert (run.component, run.started, run.ended) == ("driver", "2025-07-17 10:35:21", "2025-07-17 10:36:24")
    assert run.ending == ending
    assert run.says in line.replace("\x1b[32m", "").replace("\x1b[0m", "").replace("\x1b[31m", "")


def test_a_run_whose_end_is_not_there_is_not_done() -> None:
    assert [run.ending for run in runs(BEGUN + " [Driver] [2025-07-17 10:35:30] [INFO]upgradePercentage:10%\n")] == [
        "unfinished"
    ]


def test_runs_follow_each_other_with_their_packages() -> None:
    text = (
        f"C ./Ascend-hdk-910b-npu-driver_25.0.rc1.1_linux-aarch64.run --full\n{BEGUN}{ENDED}"
        " [Firmware] [2025-07-17 10:43:18] [INFO]Start time: 2025-07-17 10:43:18\n"
        " [Firmware] [2025-07-17 10:43:18] [INFO]UserCommand: Ascend910B-firmware-7.7.run --quiet --full\n"
        " [Firmware] [2025-07-17 10:43:54] [INFO]End time: 2025-07-17 10:43:54\n"
        "C ./Ascend-cann-toolkit_8.0.0_linux-aarch64.run --install\n"
        " [Toolkit] [20250717-11:44:15] [INFO] LogFile:/var/log/ascend_seclog/ascend_toolkit_install.log\n"
        " [Toolkit] [20250717-11:44:15] [INFO] install start\n"
        " Toolkit:  Ascend-cann-toolkit_8.0.0_linux-aarch64 install success, installed in /usr/local/Ascend.\n"
        "C \n [INFO]Driver package uninstalled successfully! Reboot needed for uninstallation to take effect!\n"
    )

    assert [(run.component, run.package, run.ending) for run in runs(text)] == [
        ("driver", "Ascend-hdk-910b-npu-driver_25.0.rc1.1_linux-aarch64.run", "ended"),
        ("firmware", "Ascend910B-firmware-7.7.run", "ended"),
        ("toolkit", "Ascend-cann-toolkit_8.0.0_linux-aarch64.run", "done"),
        ("driver", None, "reboot-needed"),
    ]


def test_a_host_without_a_log_had_no_run_and_a_cut_one_is_unknown() -> None:
    assert parse(Evidence(name="install.log", note="not found")) == ()
    assert isinstance(parse(Evidence(name="install.log", text=BEGUN, status=0, truncated=True)), Unknown)
    assert runs("hello\n") == ()
