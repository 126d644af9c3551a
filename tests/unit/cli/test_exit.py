"""Exit statuses: which one wins for a fleet, and that the page about them is the code's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.cli import exit as statuses
from ascend_provision.cli.exit import Exit
from ascend_provision.stack.errors import LeasedElsewhere, ProvisionError, Refusal, UsageError
from ascend_provision.stack.findings import Verdict
from ascend_provision.stack.runs import HostOutcome

REPOSITORY = Path(__file__).resolve().parents[3]


def test_the_numbers_are_the_published_ones() -> None:
    assert {status.value: status.name for status in Exit} == {
        0: "DONE",
        1: "INTERNAL",
        2: "PENDING",
        3: "NONCOMPLIANT",
        4: "USAGE",
        5: "UNKNOWN",
        6: "REFUSED",
        7: "FAILED",
        8: "ROLLED_BACK",
        9: "LEASED",
    }


def test_the_order_of_precedence_is_the_published_one() -> None:
    assert [status.value for status in statuses.PRECEDENCE] == [1, 4, 9, 7, 8, 3, 6, 5, 2, 0]


@given(st.lists(st.sampled_from(list(Exit)), min_size=1), st.randoms())
def test_the_order_of_hosts_never_changes_the_status(found: list[Exit], random: object) -> None:
    shuffled = sorted(found, key=lambda _: random.random())

    assert statuses.first(shuffled) == statuses.first(found)
    assert statuses.first(found) in found


@pytest.mark.parametrize(
    ("outcomes", "status"),
    [
        ((HostOutcome.DONE, HostOutcome.NOTHING), 0),
        ((HostOutcome.DONE, HostOutcome.MISMATCH), 3),
        ((HostOutcome.DONE, HostOutcome.UNPROVEN), 5),
        ((HostOutcome.DONE, HostOutcome.UNREACHABLE), 5),
        ((HostOutcome.UNREACHABLE, HostOutcome.REFUSED, HostOutcome.DONE), 6),
        ((HostOutcome.FAILED, HostOutcome.UNREACHABLE, HostOutcome.REFUSED, HostOutcome.DONE), 7),
        ((HostOutcome.LEASED, HostOutcome.FAILED), 9),
        ((), 0),
    ],
)
def test_a_run_says_the_worst_of_its_hosts(outcomes: tuple[HostOutcome, ...], status: int) -> None:
    assert statuses.of_outcomes(outcomes) == status


def test_every_outcome_of_a_host_has_a_status() -> None:
    assert {statuses.of_outcomes([outcome]) for outcome in HostOutcome} <= set(Exit)


@pytest.mark.parametrize(
    ("outcomes", "status"),
    [
        ((HostOutcome.NOT_STARTED, HostOutcome.NOT_STARTED), 0),
        ((HostOutcome.NOT_STARTED, HostOutcome.UNREACHABLE, HostOutcome.REFUSED), 0),
        ((HostOutcome.DONE, HostOutcome.NOT_STARTED), 7),
        ((HostOutcome.FAILED, HostOutcome.NOT_STARTED), 7),
        ((HostOutcome.DONE, HostOutcome.DONE), 0),
    ],
    ids=["nothing was started", "nothing could be started", "one was done", "one failed", "all were done anyway"],
)
def test_after_ctrl_c_seven_means_that_something_was_started(outcomes: tuple[HostOutcome, ...], status: int) -> None:
    assert statuses.of_interrupted(outcomes) == status


@pytest.mark.parametrize(
    ("verdicts", "unreachable", "status"),
    [
        ((Verdict.PASS, Verdict.WARN, Verdict.SKIP), 0, 0),
        ((Verdict.PASS, Verdict.UNKNOWN), 0, 5),
        ((Verdict.PASS,), 1, 5),
        ((Verdict.FAIL, Verdict.UNKNOWN), 1, 3),
        ((), 0, 0),
    ],
)
def test_a_check_fails_on_failures_only(verdicts: tuple[Verdict, ...], unreachable: int, status: int) -> None:
    assert statuses.of_verdicts(verdicts, unreachable) == status


def test_a_plan_with_changes_is_two_and_a_refusal_wins_over_it() -> None:
    assert statuses.of_decisions(["nothing"], 0) == Exit.DONE
    assert statuses.of_decisions(["nothing", "change"], 0) == Exit.PENDING
    assert statuses.of_decisions(["change"], 1) == Exit.UNKNOWN
    assert statuses.of_decisions(["change", "refused"], 1) == Exit.REFUSED


@pytest.mark.parametrize(("kind", "status"), [(UsageError, 4), (Refusal, 6), (LeasedElsewhere, 9), (ProvisionError, 7)])
def test_an_error_has_the_status_of_its_kind(kind: type[ProvisionError], status: int) -> None:
    assert statuses.of_error(kind("x", code="x")) == status


def test_the_page_about_exit_statuses_is_current() -> None:
    page = REPOSITORY / "docs" / "exit-codes.md"

    assert page.read_text() == statuses.markdown(), f"python -m ascend_provision.cli.exit > {page}"
