"""A host on paper: what each step does to its facts, so that a whole plan can be walked without any host."""

from __future__ import annotations

from ascend_provision.planner.next_step import Memory, choose
from ascend_provision.stack.facts import HostFacts, HostRecord, User
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.plan import Ending, HostPlan, Step
from tests.unit import factories


def after(step: Step, plan: HostPlan, facts: HostFacts, run: str) -> tuple[HostFacts, Ending]:
    """The facts and the ending of a step that goes well, as the published formats have it."""
    record = facts.record if isinstance(facts.record, HostRecord) else HostRecord()
    target = plan.target
    match step.name:
        case "stage":
            staged = tuple(package.sha256 for package in step.packages)
            return factories.changed(facts, record=record.model_copy(update={"staged": staged})), Ending.DONE
        case "quiesce":
            services = tuple(
                service.model_copy(update={"active": False, "held": True})
                for service in (() if isinstance(facts.services, Unknown) else facts.services)
            )
            return factories.changed(facts, holders=(), services=services, containers=()), Ending.DONE
        case "backup":
            return factories.changed(facts, record=record.model_copy(update={"backups": (run,)})), Ending.DONE
        case "prepare":
            tools = dict.fromkeys(factories.TOOLS, True)
            user = (User(name="HwHiAiUser", uid=1000, gid=1000, group="HwHiAiUser"),)
            return factories.changed(facts, users=user, tools=tools), Ending.DONE
        case "cann-uninstall":
            return factories.changed(facts, cann=()), Ending.DONE
        case "hdk-uninstall":
            going = step.arguments["hdk_components"]
            if "firmware" in going:
                facts = factories.with_firmware(facts, file=None)
            if "driver" not in going:
                return facts, Ending.DONE
            facts = factories.with_driver(facts, file=None, package=None, running=None)
            return factories.with_firmware(facts, flash=Unknown(unknown="no driver")), Ending.REBOOT_NEEDED
        case "reboot-after-uninstall":
            return factories.with_driver(facts, modules_loaded=(), running=None), Ending.DONE
        case "driver-install":
            loaded = facts.driver.modules_loaded == ()
            running = target.driver if loaded else facts.driver.running
            return (
                factories.with_driver(facts, file=target.driver, running=running, modules_loaded=("drv_pcie_host",)),
                Ending.DONE if loaded else Ending.REBOOT_NEEDED,
            )
        case "firmware-install":
            return (
                factories.with_firmware(facts, file=target.firmware, flash=(target.firmware,), pending=True),
                Ending.REBOOT_NEEDED,
            )
        case "reboot-final" | "reboot-after-driver":
            booted = factories.with_driver(facts, running=facts.driver.file)
            return factories.with_firmware(booted, pending=False), Ending.DONE
        case "restore":
            return factories.changed(facts, kept_files=plan.kept), Ending.DONE
        case "cann-install":
            level = {"8.0.0": "a1-hdk24", "7.0.0": "a1-hdk23", "6.0.1": "a1-hdk22"}[str(target.cann)]
            chip = next(package.chip for package in step.packages if package.component == "kernels")
            return (
                factories.changed(facts, cann=(factories.cann(level), factories.cann(level, "kernels", chip=chip))),
                Ending.DONE,
            )
        case _:
            return facts, Ending.DONE


def walk(plan: HostPlan, facts: HostFacts, *, run: str = "run-1", limit: int = 40) -> tuple[list[str], HostFacts]:
    """The names of the steps in the order they came due, and the facts at the end; raises when it does not end."""
    memory, names = Memory(run=run), list[str]()
    for _ in range(limit):
        due = choose(plan, facts, memory)
        if due.problem:
            raise AssertionError(due.problem)
        if due.step is None:
            return names, facts
        names.append(due.step.name)
        facts, ending = after(due.step, plan, facts, run)
        memory = memory.add(due.step.name, ending)
    raise AssertionError(f"no end after {names}")
