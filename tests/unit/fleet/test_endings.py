"""How a step ended, from what its tasks brought back."""

from __future__ import annotations

from typing import Any

import pytest

from ascend_provision.fleet.endings import of
from ascend_provision.fleet.events import TaskEnded
from ascend_provision.fleet.runner import HostPlay
from ascend_provision.stack.plan import Ending, StepName

GONE = "[INFO]Driver package uninstalled successfully! Reboot needed for uninstallation to take effect!"
KEPT = "[WARNING]Kernel modules can not be removed, reboot needed for uninstallation to take effect!"
FLASHED = (
    "[INFO]Firmware package installed successfully! Reboot now or after driver installation for it to take effect."
)


def command(guarded: str, rc: int, *log: str, status: str = "ok", **more: Any) -> TaskEnded:
    result = {"guarded": guarded, "rc": rc, "log": list(log), "seconds": 3, **more}
    return TaskEnded(host="a1-01", task=guarded, status=status, message=f"{guarded} said {rc}", result=result)


def ended(step: StepName, *tasks: TaskEnded) -> tuple[Ending | None, str, float]:
    end = of(step, HostPlay(host="a1-01", tasks=tasks))
    return end.ending, end.detail, end.acted


def test_the_worst_of_two_uninstalls_counts_and_their_times_add_up() -> None:
    driver = command("hdk-uninstall-driver", 0, "[INFO]Driver package uninstall finished!", KEPT)
    firmware = command("hdk-uninstall-firmware", 0, "[INFO]Firmware package uninstalled successfully! Immediately.")

    ending, _, acted = ended("hdk-uninstall", driver, firmware)

    assert (ending, acted) == (Ending.MODULES_STILL_LOADED, 6)


@pytest.mark.parametrize(
    ("step", "task", "ending"),
    [
        ("hdk-uninstall", command("hdk-uninstall-driver", 0, GONE), Ending.REBOOT_NEEDED),
        ("firmware-install", command("firmware-install", 2, FLASHED), Ending.REBOOT_NEEDED),
        ("driver-install", command("driver-install", 0, "it printed no success line"), Ending.FAILED),
        ("cleanup", command("cleanup", 3), Ending.DONE),
    ],
    ids=["uninstall", "flash", "status-0-alone-proves-nothing", "no-installer"],
)
def test_an_installer_is_believed_when_status_and_success_line_agree(
    step: StepName, task: TaskEnded, ending: Ending
) -> None:
    assert ended(step, task)[0] is ending


def test_a_failed_task_is_quoted_and_an_unreachable_host_has_no_ending() -> None:
    failed = TaskEnded(host="a1-01", task="stage", status="failed", message="damaged in transit")
    lost = TaskEnded(host="a1-01", task="stage", status="unreachable", message="ssh: timed\nout")

    assert ended("stage", failed)[:2] == (Ending.FAILED, "damaged in transit")
    assert ended("stage", lost)[:2] == (None, "ssh: timed out")


def test_a_role_that_quotes_its_installer_is_not_said_twice() -> None:
    line = "[Toolkit] [ERROR] There is no python3.9 in the current environment !"
    tried = command("cann-install-toolkit", 1, line, status="rescued")
    said = TaskEnded(
        host="a1-01", task="explain", status="failed", message=f"failed on a1-01: {line} The host now: bare."
    )

    assert ended("cann-install", tried, said)[1] == f"failed on a1-01: {line} The host now: bare."


def test_a_test_that_ran_into_its_limit_says_so() -> None:
    late = command("hccl-smoke", 0, "row", status="failed", timed_out=True)

    end = of("hccl-smoke", HostPlay(host="a1-01", tasks=(late,)))

    assert (end.timed_out, end.log) == (True, "row")
