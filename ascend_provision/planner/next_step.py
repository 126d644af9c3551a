"""The next step of a host: the first of its plan whose work is not already true. Facts win over memory."""

from __future__ import annotations

from collections.abc import Callable

from ascend_provision.knowledge import leftovers, prerequisites
from ascend_provision.planner import need
from ascend_provision.planner.transitions import Move, after
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.model import Noun, Unknown
from ascend_provision.stack.plan import Ending, HostPlan, Step, StepName


class Memory(Noun):
    """What this run did on the host so far, oldest first. Empty after a resume: then the facts alone decide."""

    run: str
    ended: tuple[tuple[StepName, Ending], ...] = ()

    def add(self, step: StepName, ending: Ending) -> Memory:
        return self.model_copy(update={"ended": (*self.ended, (step, ending))})

    def did(self, step: StepName) -> bool:
        return self.times(step) > 0

    def reboot_asked(self, reboot: StepName) -> bool:
        """An ending asked for that reboot and no reboot has been since."""
        for name, ending in reversed(self.ended):
            if name.startswith("reboot"):
                return False
            row = after(name, ending)
            if row.move is Move.REBOOT and row.reboot == reboot:
                return True
        return False

    def times(self, step: StepName) -> int:
        """How often the step ended well."""
        return sum(name == step and ending is not Ending.FAILED for name, ending in self.ended)


_MOST: dict[StepName, int] = {"reboot-after-uninstall": 1, "reboot-after-driver": 1, "restore": 3, "quiesce": 2}
"""How often a step may be due in one run; the others once. More is a problem that a person must see."""


class Due(Noun):
    """The step to run next; None when the host is through. `problem` says why it cannot go on.

    `unread`: only because facts are unknown; reading the host again may settle it.
    """

    step: Step | None
    problem: str = ""
    unread: bool = False


READ = Step(name="read", why="facts that decide the next step came back unknown", expected_seconds=30)
"""Not part of any plan: the executor asks for it when a choice cannot be made."""


def choose(plan: HostPlan, facts: HostFacts, memory: Memory) -> Due:
    """The first due step. A step that ended done and is still due is a problem, not a loop."""
    if memory.did("release"):
        return Due(step=None)
    if unread := _unread(facts):
        return Due(step=None, problem=unread, unread=True)
    for step in plan.steps:
        why = _DUE[step.name](plan, step, facts, memory)
        if why is None:
            continue
        if memory.times(step.name) >= _MOST.get(step.name, 1):
            return Due(step=None, problem=f"{step.name} ended without an error, yet {why}")
        return Due(step=step)
    return Due(step=None)


def _unread(facts: HostFacts) -> str:
    """The first of the facts every choice rests on that is unknown, in words; empty when all are known."""
    needed: dict[str, object] = {
        "the host's own record": facts.record,
        "the driver's version file": facts.driver.file,
        "the firmware's version file": facts.firmware.file,
        "loaded modules": facts.driver.modules_loaded,
        "CANN installations": facts.cann,
        "holders of the cards": facts.holders,
        "services": facts.services,
        "containers": facts.containers,
        "kept files": facts.kept_files,
    }
    return next(
        (f"{name} could not be read: {value.unknown}" for name, value in needed.items() if isinstance(value, Unknown)),
        "",
    )


_Rule = Callable[[HostPlan, Step, HostFacts, Memory], str | None]
"""None when the step's work is already true, else what is missing, in words."""


def _stage(_plan: HostPlan, step: Step, facts: HostFacts, _memory: Memory) -> str | None:
    have = () if isinstance(facts.record, Unknown) else facts.record.staged
    missing = [package.file for package in step.packages if package.sha256 not in have]
    return f"not staged: {', '.join(missing)}" if missing else None


def _quiesce(_plan: HostPlan, step: Step, facts: HostFacts, _memory: Memory) -> str | None:
    if isinstance(facts.holders, Unknown):
        return f"the holders of the cards could not be read: {facts.holders.unknown}"
    if facts.holders:
        return f"pid {facts.holders[0].pid} ({facts.holders[0].command}) still holds a card"
    running = [] if isinstance(facts.services, Unknown) else [item.unit for item in facts.services if item.active]
    running += (
        []
        if isinstance(facts.containers, Unknown)
        else [item.name for item in facts.containers if item.running and item.devices and item.comes_back]
    )
    if running:
        return f"still running: {', '.join(running)}"
    units = step.arguments.get("quiesce_units")
    if isinstance(units, list) and not isinstance(facts.services, Unknown):
        loose = [item.unit for item in facts.services if item.unit in units and not item.held]
        return f"not held over a reboot: {', '.join(loose)}" if loose else None
    return None


def _backup(_plan: HostPlan, _step: Step, facts: HostFacts, memory: Memory) -> str | None:
    have = () if isinstance(facts.record, Unknown) else facts.record.backups
    return None if memory.run in have else "this run has no backup on the host"


def _prepare(_plan: HostPlan, step: Step, facts: HostFacts, memory: Memory) -> str | None:
    if isinstance(facts.users, Unknown):
        return f"users could not be read: {facts.users.unknown}"
    wanted = prerequisites.account().name
    if wanted not in {user.name for user in facts.users}:
        return f"user {wanted} is not there"
    return None if memory.did("prepare") or not step.arguments.get("prepare_packages") else "tools are missing"


def _cann_uninstall(plan: HostPlan, _step: Step, facts: HostFacts, _memory: Memory) -> str | None:
    if isinstance(facts.cann, Unknown):
        return f"CANN installations could not be read: {facts.cann.unknown}"
    old = need.old_cann(facts, plan.target)
    return f"{', '.join(f'{item.part} {item.version} in {item.root}' for item in old)} still there" if old else None


def _hdk_uninstall(plan: HostPlan, step: Step, facts: HostFacts, _memory: Memory) -> str | None:
    going = step.arguments.get("hdk_components")
    components = going if isinstance(going, list) else []
    for name, file, wanted in (
        ("driver", facts.driver.file, plan.target.driver),
        ("firmware", facts.firmware.file, plan.target.firmware),
    ):
        if name in components and file is not None and file != wanted:
            return f"{name} {'unreadable' if isinstance(file, Unknown) else file} is still installed"
    return None


def _reboot_after_uninstall(_plan: HostPlan, step: Step, facts: HostFacts, memory: Memory) -> str | None:
    if facts.driver.file is not None:
        return None
    loaded = facts.driver.modules_loaded
    if not isinstance(loaded, Unknown) and loaded:
        return f"modules of the removed driver are still loaded: {', '.join(loaded[:3])}"
    return "the uninstaller asked for it" if memory.reboot_asked(step.name) else None


def _driver(plan: HostPlan, _step: Step, facts: HostFacts, _memory: Memory) -> str | None:
    file = facts.driver.file
    if file == plan.target.driver:
        return None
    return f"driver/version.info says {'nothing' if file is None else file}, wanted {plan.target.driver}"


def _reboot_after_driver(plan: HostPlan, step: Step, facts: HostFacts, memory: Memory) -> str | None:
    firmware = next((item for item in plan.steps if item.name == "firmware-install"), None)
    if firmware is None or _firmware(plan, firmware, facts, memory) is None:
        return None
    running = facts.driver.running
    if not isinstance(running, Unknown) and running != plan.target.driver:
        return f"the loaded driver is {running or 'none'}, wanted {plan.target.driver}"
    return "the installer asked for it" if memory.reboot_asked(step.name) else None


def _firmware(plan: HostPlan, _step: Step, facts: HostFacts, _memory: Memory) -> str | None:
    file, flash = facts.firmware.file, facts.firmware.flash
    if file != plan.target.firmware:
        return f"firmware/version.info says {'nothing' if file is None else file}, wanted {plan.target.firmware}"
    if not isinstance(flash, Unknown) and set(flash) != {plan.target.firmware}:
        return f"the chips hold {', '.join(str(version) for version in flash)}, wanted {plan.target.firmware}"
    return None


def _reboot_final(plan: HostPlan, step: Step, facts: HostFacts, memory: Memory) -> str | None:
    if memory.reboot_asked(step.name):
        return "flashed firmware does not run before a restart"
    if need.restart_pending(facts, plan.target):
        return "what is installed is not what runs"
    return None


def _restore(plan: HostPlan, _step: Step, facts: HostFacts, memory: Memory) -> str | None:
    """A kept file is gone or other than planned, or the cards' live addresses are not those of the file."""
    if isinstance(facts.kept_files, Unknown):
        return None
    now = {file.path: file for file in facts.kept_files}
    changed = [file.path for file in plan.kept if now.get(file.path) != file]
    if changed:
        return f"{', '.join(changed)} changed during the run"
    if isinstance(facts.network, Unknown) or not memory.did("reboot-final"):
        return None
    lost = [
        str(card.device)
        for card in facts.network
        if isinstance(card.conf_address, str)
        and not isinstance(card.live_address, Unknown)
        and card.live_address != card.conf_address
    ]
    return f"cards {', '.join(lost)} do not have the address of /etc/hccn.conf" if lost and plan.kept else None


def _cann_install(plan: HostPlan, step: Step, facts: HostFacts, _memory: Memory) -> str | None:
    chip = next((package.chip for package in step.packages if package.chip), "")
    now = need.of(facts, plan.target, chip or "")
    wanted = {package.component for package in step.packages}
    missing = [part for part, due in (("toolkit", now.toolkit), ("kernels", now.kernels)) if due and part in wanted]
    return f"{', '.join(missing)} {plan.target.cann} not found" if missing else None


def _cleanup(_plan: HostPlan, _step: Step, facts: HostFacts, memory: Memory) -> str | None:
    if memory.did("cleanup"):
        return None
    items = removable(facts)
    return f"{len(items)} leftovers" if items else None


def _once(name: StepName, text: str) -> _Rule:
    def rule(_plan: HostPlan, _step: Step, _facts: HostFacts, memory: Memory) -> str | None:
        return None if memory.did(name) else text

    return rule


def removable(facts: HostFacts) -> tuple[dict[str, str], ...]:
    """The leftovers that cleanup may take: listed kinds in their listed places only."""
    if isinstance(facts.leftovers, Unknown):
        return ()
    return tuple(
        {"kind": item.kind, "path": item.path} for item in facts.leftovers if leftovers.may_remove(item.kind, item.path)
    )


def smoke_arguments(plan: HostPlan, facts: HostFacts) -> dict[str, str | int] | None:
    """Where the collective test is built and run on this host; None when it cannot be."""
    if isinstance(facts.cann, Unknown) or not (isinstance(facts.mpi, str) and isinstance(facts.mpi_home, str)):
        return None
    toolkit = next((item for item in facts.cann if item.part == "toolkit" and item.hccl_test), None)
    if toolkit is None:
        return None
    return {
        "hccl_smoke_toolkit": toolkit.root,
        "hccl_smoke_mpi_home": facts.mpi_home,
        "hccl_smoke_mpirun": facts.mpi,
        "hccl_smoke_cards": plan.chips,
    }


_DUE: dict[StepName, _Rule] = {
    "read": lambda *_: None,
    "stage": _stage,
    "quiesce": _quiesce,
    "backup": _backup,
    "prepare": _prepare,
    "cann-uninstall": _cann_uninstall,
    "hdk-uninstall": _hdk_uninstall,
    "reboot-after-uninstall": _reboot_after_uninstall,
    "driver-install": _driver,
    "reboot-after-driver": _reboot_after_driver,
    "firmware-install": _firmware,
    "restore": _restore,
    "reboot-final": _reboot_final,
    "cann-install": _cann_install,
    "env-profile": _once("env-profile", "the profile was not judged in this run"),
    "profile-back": _once("profile-back", "the profiles were not put back"),
    "cleanup": _cleanup,
    "verify": _once("verify", "the host was not verified"),
    "hccl-smoke": _once("hccl-smoke", "the cards were not tested together"),
    "release": _once("release", "the host was not released"),
}
