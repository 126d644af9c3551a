"""Events as ansible-runner hands them over, from core 2.16 to 2.21."""

from __future__ import annotations

import pytest

from ascend_provision.fleet.events import task_ended


def event(kind: str, **result: object) -> dict[str, object]:
    return {"event": kind, "event_data": {"host": "a1-01", "task": "Install", "duration": 1.5, "res": result}}


@pytest.mark.parametrize(
    ("kind", "status"),
    [("runner_on_ok", "ok"), ("runner_on_failed", "failed"), ("runner_on_unreachable", "unreachable")],
)
def test_each_end_of_a_task_is_read(kind: str, status: str) -> None:
    ended = task_ended(event(kind, msg="said", changed=True))

    assert ended is not None
    assert (ended.host, ended.task, ended.status, ended.message, ended.changed) == (
        "a1-01",
        "Install",
        status,
        "said",
        True,
    )


@pytest.mark.parametrize("kind", ["runner_on_start", "runner_on_skipped", "playbook_on_stats", "verbose", "unheard_of"])
def test_an_event_without_a_result_is_nothing(kind: str) -> None:
    assert task_ended({"event": kind, "event_data": {"host": "a1-01"}}) is None


def test_only_what_this_program_reads_is_kept_of_a_result() -> None:
    ended = task_ended(event("runner_on_ok", guarded="driver-install", rc=2, log=["a"], noise="hunter2"))

    assert ended is not None
    assert ended.result == {"guarded": "driver-install", "rc": 2, "log": ["a"]}


def test_a_module_that_says_nothing_is_quoted_by_its_stderr() -> None:
    ended = task_ended(event("runner_on_failed", msg="MODULE FAILURE", module_stderr="/usr/bin/python3: not found"))

    assert ended is not None
    assert "python3: not found" in ended.message


@pytest.mark.parametrize("broken", [{}, {"event": "runner_on_ok"}, {"event": "runner_on_ok", "event_data": None}])
def test_a_broken_event_is_nothing(broken: dict[str, object]) -> None:
    assert task_ended(broken) is None
