"""The way back to the stack a host had before a run: whether there is one, and its plan.

It is the way there with the old versions as target, from whatever state the host is in now: clean, driver before
firmware (the published order after both were uninstalled), configuration and profiles from the run's backup.
"""

from __future__ import annotations

from collections.abc import Sequence

from ascend_provision.knowledge import wishes
from ascend_provision.planner import match, need, places, steps
from ascend_provision.planner.profile import toolkit
from ascend_provision.stack.facts import KERNEL_PARTS, HostFacts
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.packages import Component, Package
from ascend_provision.stack.plan import HostPlan, Step
from ascend_provision.stack.target import Target


def origin(facts: HostFacts, needs: need.Need) -> Target:
    """The stack to come back to: of each component that will be changed, what is installed now."""
    driver, firmware = facts.driver.file, facts.firmware.file
    return Target(
        driver=None if isinstance(driver, Unknown) or not needs.hdk else driver,
        firmware=None if isinstance(firmware, Unknown) or not needs.hdk else firmware,
        cann=toolkit(facts.cann) if needs.cann else None,
    )


def impossible(facts: HostFacts, back: Target, store: Sequence[Package], chip: str) -> str:
    """Why there would be no way back; empty when the store has every package of the old stack."""
    wanted: list[Component] = []
    if back.driver is not None:
        wanted.append("driver")
    if back.firmware is not None:
        wanted.append("firmware")
    if back.cann is not None:
        wanted.append("toolkit")
        if not isinstance(facts.cann, Unknown) and any(item.part in KERNEL_PARTS for item in facts.cann):
            wanted.append("kernels")
    found = match.choose(store, back, chip=chip, arch=str(facts.arch), components=tuple(wanted))
    return f"no rollback possible: {'; '.join(found.problems)}" if found.problems else ""


def wish(back: Target) -> wishes.Wish:
    """The old stack as it would be typed."""
    parts = {"driver": back.driver, "firmware": back.firmware, "cann": back.cann}
    return wishes.parse(",".join(f"{name}={version}" for name, version in parts.items() if version is not None))


def turned(done: HostPlan, back: HostPlan, run: str) -> HostPlan:
    """The plan `back` to the old stack of the run's plan `done`: what that run kept is put back.

    Environments that did not match before do not match again: that is no fault of the way back.
    """
    if back.decision == "refused":
        return back
    replaced = tuple(_profile_back(run) if step.name == "env-profile" else _from(run, step) for step in back.steps)
    return back.model_copy(
        update={"steps": replaced, "after": done.before, "kept": done.kept, "mismatches": (), "no_rollback": ""}
    )


def _from(run: str, step: Step) -> Step:
    if step.name != "restore":
        return step
    return step.model_copy(update={"arguments": {**step.arguments, "backup_run": run}})


def _profile_back(run: str) -> Step:
    return Step(
        name="profile-back",
        why="environment profiles come back as they were before the run",
        expected_seconds=steps.SECONDS["env-profile"],
        arguments={
            "backup_paths": [places.PROFILE, places.UNIT_ENVIRONMENT],
            "backup_run": run,
            "backup_new_files": "remove",
        },
    )
