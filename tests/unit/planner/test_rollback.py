"""The way back: when there is one, and that it ends where the host began."""

from __future__ import annotations

import pytest

from ascend_provision.knowledge.wishes import parse
from ascend_provision.planner.next_step import Memory, choose
from ascend_provision.planner.plan import plan_back, plan_host
from ascend_provision.planner.reading import versions
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.plan import HostPlan, Strategy
from ascend_provision.stack.versions import CannVersion, HdkVersion
from tests.unit.factories import a1_host, bare_host
from tests.unit.planner.store import STORE
from tests.unit.planner.walk import after, walk

LIMIT = 1800


def planned(facts: HostFacts, strategy: Strategy = Strategy.CLEAN) -> HostPlan:
    return plan_host(facts, parse("hdk23"), STORE, verb="upgrade", strategy=strategy)


def back(done: HostPlan, facts: HostFacts) -> HostPlan:
    return plan_back(done, facts, STORE, run="run-1", reboot_limit=LIMIT)


def test_what_will_be_changed_is_what_must_come_back() -> None:
    origin = planned(a1_host()).origin

    assert (origin.driver, origin.cann) == (HdkVersion("22.0.4"), CannVersion("6.0.1"))
    assert planned(a1_host()).no_rollback == ""


@pytest.mark.parametrize("component", ["driver", "firmware", "toolkit", "kernels"])
def test_without_an_old_package_there_is_no_way_back_and_the_plan_says_which(component: str) -> None:
    old = {"driver": "6.0.0", "firmware": "6.0.0", "toolkit": "6.0.1", "kernels": "6.0.1"}[component]
    less = [package for package in STORE if not (package.component == component and str(package.version) == old)]

    plan = plan_host(a1_host(), parse("hdk23"), less, verb="upgrade", strategy=Strategy.CLEAN)

    assert plan.decision == "change"
    assert plan.no_rollback.startswith("no rollback possible: ")
    assert component in plan.no_rollback


@pytest.mark.parametrize("strategy", Strategy)
def test_from_every_step_of_an_upgrade_the_way_back_ends_at_the_old_stack(strategy: Strategy) -> None:
    start = a1_host()
    done = planned(start, strategy)
    memory, facts = Memory(run="run-1"), start
    tried = 0
    while (due := choose(done, facts, memory)).step is not None:
        facts, ending = after(due.step, done, facts, "run-1")
        memory = memory.add(due.step.name, ending)
        turned = back(done, facts)
        if turned.decision == "nothing":  # released: whoever wants to go back then asks for it
            continue
        assert turned.decision == "change", (due.step.name, turned.reasons)
        names, end = walk(turned, facts)
        assert versions(end) == versions(start), due.step.name
        assert end.kept_files == start.kept_files
        assert names[-1] == "release"
        assert "env-profile" not in names
        tried += 1
    assert tried > 8


def test_a_finished_upgrade_goes_back_through_the_same_published_order() -> None:
    done = planned(a1_host())
    _, upgraded = walk(done, a1_host())

    names, _ = walk(back(done, upgraded), upgraded, run="run-2")

    wanted = ["cann-uninstall", "hdk-uninstall", "driver-install", "firmware-install", "cann-install", "profile-back"]
    assert [name for name in names if name in wanted] == wanted


def test_files_and_profiles_come_from_the_backup_of_the_run_that_is_taken_back() -> None:
    done = planned(a1_host())
    _, upgraded = walk(done, a1_host())
    steps = {step.name: step.arguments for step in back(done, upgraded).steps}

    assert steps["restore"]["backup_run"] == "run-1"
    assert steps["profile-back"] == {
        "backup_paths": ["/etc/profile.d/ascend-provision.sh", "/etc/ascend-provision/ascend.env"],
        "backup_run": "run-1",
        "backup_new_files": "remove",
    }


def test_environments_of_the_old_stack_are_no_mismatch_of_the_way_back() -> None:
    done = planned(a1_host())
    assert done.mismatches
    _, upgraded = walk(done, a1_host())

    assert back(done, upgraded).mismatches == ()


def test_a_host_that_had_nothing_has_nothing_to_come_back_to() -> None:
    done = plan_host(bare_host(), parse("hdk23"), STORE, verb="bootstrap", strategy=Strategy.CLEAN)

    turned = back(done, a1_host(level="hdk23"))

    assert turned.decision == "refused"
    assert "nothing was installed before it" in turned.reasons[0]
