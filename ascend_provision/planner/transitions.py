"""How a step may end and what then follows: one printable table; facts decide which later step is due.

`Move.ON` goes to the next step whose work is not done, `Move.REBOOT` makes the named reboot due whatever the
facts say, `Move.STOP` ends the host there. A pair that is not in the table cannot happen: the executor stops on it.
"""

from __future__ import annotations

from enum import Enum

from ascend_provision.stack.model import Noun
from ascend_provision.stack.plan import Ending, StepName


class Move(str, Enum):
    ON = "on"
    REBOOT = "reboot"
    STOP = "stop"


class Transition(Noun):
    move: Move
    reboot: StepName | None = None


_ON, _STOP = Transition(move=Move.ON), Transition(move=Move.STOP)
_PLAIN: tuple[StepName, ...] = (
    "read",
    "stage",
    "quiesce",
    "backup",
    "prepare",
    "cann-uninstall",
    "cann-install",
    "restore",
    "env-profile",
    "profile-back",
    "cleanup",
    "verify",
    "hccl-smoke",
    "release",
)


def _reboot(name: StepName) -> Transition:
    return Transition(move=Move.REBOOT, reboot=name)


TABLE: dict[tuple[StepName, Ending], Transition] = {
    **{(step, Ending.DONE): _ON for step in _PLAIN},
    **{(step, Ending.FAILED): _STOP for step in _PLAIN},
    ("hdk-uninstall", Ending.DONE): _ON,
    ("hdk-uninstall", Ending.REBOOT_NEEDED): _reboot("reboot-after-uninstall"),
    ("hdk-uninstall", Ending.MODULES_STILL_LOADED): _reboot("reboot-after-uninstall"),
    ("hdk-uninstall", Ending.FAILED): _STOP,
    ("reboot-after-uninstall", Ending.DONE): _ON,
    ("reboot-after-uninstall", Ending.MODULES_STILL_LOADED): _STOP,
    ("reboot-after-uninstall", Ending.FAILED): _STOP,
    ("driver-install", Ending.DONE): _ON,
    ("driver-install", Ending.REBOOT_NEEDED): _reboot("reboot-after-driver"),
    ("driver-install", Ending.FAILED): _STOP,
    ("reboot-after-driver", Ending.DONE): _ON,
    ("reboot-after-driver", Ending.FAILED): _STOP,
    ("firmware-install", Ending.DONE): _reboot("reboot-final"),
    ("firmware-install", Ending.REBOOT_NEEDED): _reboot("reboot-final"),
    ("firmware-install", Ending.FAILED): _STOP,
    ("reboot-final", Ending.DONE): _ON,
    ("reboot-final", Ending.COLD_START_NEEDED): _STOP,
    ("reboot-final", Ending.FAILED): _STOP,
}


def after(step: StepName, ending: Ending) -> Transition:
    """The row for that ending; a missing row stops the host."""
    return TABLE.get((step, ending), _STOP)


def as_markdown() -> str:
    """The table as the architecture page prints it."""
    rows = ["| step | ends | then |", "|---|---|---|"]
    for (step, ending), row in TABLE.items():
        then = {Move.ON: "next step that is due", Move.STOP: "stop this host, keep its drain"}.get(row.move)
        rows.append(f"| {step} | {ending.value} | {then or f'{row.reboot}'} |")
    return "\n".join(rows) + "\n"
