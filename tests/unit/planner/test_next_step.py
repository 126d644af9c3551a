"""The executor's choice: facts before memory, no endless loop, no silent gap."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.knowledge.wishes import parse
from ascend_provision.planner import next_step, transitions
from ascend_provision.planner.next_step import Memory, choose
from ascend_provision.planner.plan import plan_host
from ascend_provision.stack.facts import HostFacts, HostRecord, KeptFile
from ascend_provision.stack.plan import Ending, StepName, Strategy
from tests.unit.factories import a1_host, changed, with_driver
from tests.unit.planner.store import STORE
from tests.unit.planner.walk import after, walk


def plan_of(facts: HostFacts, strategy: Strategy = Strategy.CLEAN):
    return plan_host(facts, parse("hdk23"), STORE, verb="upgrade", strategy=strategy)


@given(cut=st.integers(min_value=0, max_value=12), strategy=st.sampled_from(Strategy))
def test_forgetting_everything_at_any_step_still_ends_at_the_target(cut: int, strategy: Strategy) -> None:
    plan, facts, memory = plan_of(a1_host(), strategy), a1_host(), Memory(run="run-1")
    for _ in range(cut):
        due = choose(plan, facts, memory)
        if due.step is None:
            break
        facts, ending = after(due.step, plan, facts, "run-1")
        memory = memory.add(due.step.name, ending)

    resumed, end = walk(plan, facts)

    assert plan_of(end, strategy).decision == "nothing"
    assert cut < 9 or "driver-install" not in resumed


def test_a_step_that_says_done_and_changed_nothing_is_a_problem_not_a_loop() -> None:
    plan = plan_of(a1_host())
    staged = HostRecord(staged=tuple(item.sha256 for item in plan.steps[0].packages), backups=("run-1",))
    memory = Memory(run="run-1").add("cann-uninstall", Ending.DONE)

    due = choose(plan, changed(a1_host(), record=staged), memory)

    assert due.step is None
    assert due.problem.startswith("cann-uninstall ended without an error, yet kernels 6.0.1")


def test_a_dropped_hccn_conf_is_restored_before_the_reboot_that_would_read_it() -> None:
    plan = plan_of(a1_host())
    memory, facts = Memory(run="run-1"), a1_host()
    while (due := choose(plan, facts, memory)).step is not None and due.step.name != "reboot-final":
        facts, ending = after(due.step, plan, facts, "run-1")
        memory = memory.add(due.step.name, ending)
    dropped = changed(facts, kept_files=(KeptFile(path="/etc/hccn.conf", sha256="0" * 64, mode="0644", owner="0:0"),))

    due = choose(plan, dropped, memory)

    assert due.step is not None
    assert due.step.name == "restore"


def test_an_old_driver_that_stays_loaded_gets_its_reboot_before_the_firmware() -> None:
    plan = plan_of(a1_host())
    memory, facts = Memory(run="run-1"), a1_host()
    while (due := choose(plan, facts, memory)).step is not None and due.step.name != "firmware-install":
        facts, ending = after(due.step, plan, facts, "run-1")
        memory = memory.add(due.step.name, ending)
    old_runs = with_driver(facts, running="22.0.4")

    due = choose(plan, old_runs, memory)

    assert due.step is not None
    assert due.step.name == "reboot-after-driver"


@pytest.mark.parametrize("step", get_args(StepName))
def test_every_step_has_a_rule_and_a_row_for_done_and_failed(step: StepName) -> None:
    assert step in next_step._DUE
    assert (step, Ending.DONE) in transitions.TABLE
    assert (step, Ending.FAILED) in transitions.TABLE
    assert transitions.after(step, Ending.FAILED).move is transitions.Move.STOP


def test_the_printed_table_has_every_row() -> None:
    assert len(transitions.as_markdown().splitlines()) == len(transitions.TABLE) + 2
