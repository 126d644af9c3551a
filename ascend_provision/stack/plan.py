"""A plan: the ordered steps of every host, each with why; a forecast and a consent, readable and diffable."""

from __future__ import annotations

from enum import Enum
from typing import Literal

from ascend_provision.stack.facts import KeptFile
from ascend_provision.stack.model import Noun
from ascend_provision.stack.packages import Package
from ascend_provision.stack.target import Target

StepName = Literal[
    "read",
    "stage",
    "quiesce",
    "backup",
    "prepare",
    "cann-uninstall",
    "hdk-uninstall",
    "reboot-after-uninstall",
    "driver-install",
    "reboot-after-driver",
    "firmware-install",
    "restore",
    "reboot-final",
    "cann-install",
    "env-profile",
    "profile-back",
    "cleanup",
    "verify",
    "hccl-smoke",
    "release",
]


class Ending(str, Enum):
    """How a step ended. Only Python branches on it."""

    DONE = "done"
    REBOOT_NEEDED = "reboot-needed"
    MODULES_STILL_LOADED = "modules-still-loaded"
    COLD_START_NEEDED = "cold-start-needed"
    FAILED = "failed"


class Step(Noun):
    """One reversible unit. `optional` steps run only if the facts on the way ask for them (a reboot).

    `arguments` are the role's variables, complete: a role gets every path and version from here.
    """

    name: StepName
    why: str
    optional: bool = False
    expected_seconds: int = 60
    packages: tuple[Package, ...] = ()
    arguments: dict[str, str | int | bool | dict[str, str] | list[str] | list[dict[str, str]]] = {}


class Strategy(str, Enum):
    CLEAN = "clean"
    OVERWRITE = "overwrite"


class HostPlan(Noun):
    """`decision`: nothing (already there), change (steps), refused (`reasons`, and the smallest change that lifts it).

    `digest` covers exactly the facts the planner read. `stops` names who will be stopped, `mismatches` every
    environment that will not match afterwards (the run then ends 3), `no_rollback` why there is no way back,
    `kept` the files that must be the same afterwards, `chips` how many must be there, `super_pod` the super-pod
    (as the inventory names it) whose hosts must all end on one driver, `origin` the stack to come back to.
    """

    host: str
    decision: Literal["nothing", "change", "refused"]
    digest: str
    strategy: Strategy = Strategy.CLEAN
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    steps: tuple[Step, ...] = ()
    reboots: tuple[int, int] = (0, 0)
    reasons: tuple[str, ...] = ()
    lifts: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()
    mismatches: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    no_rollback: str = ""
    target: Target = Target()
    origin: Target = Target()
    chips: int = 0
    kernel: str = ""
    kept: tuple[KeptFile, ...] = ()
    super_pod: str = ""


class Plan(Noun):
    """The file `plan -o` writes; identical input gives identical bytes (no clock, no random id inside)."""

    schema_version: Literal[1] = 1
    verb: Literal["upgrade", "bootstrap", "rollback"] = "upgrade"
    wish: str
    packages: tuple[Package, ...]
    hosts: tuple[HostPlan, ...]
    digest: str = ""
