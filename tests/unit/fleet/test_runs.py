"""Runs are kept, listed by time, and found by their id."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.fleet.runs import RunStore
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.runs import HostOutcome, HostResult, RunResult


def result(run: str) -> RunResult:
    host = HostResult(host="a1-01", outcome=HostOutcome.DONE, after={"driver": "23.0.3"})
    return RunResult(run=run, verb="upgrade", wish="hdk23", started_at=1.0, ended_at=2.0, hosts=(host,))


def test_a_kept_run_is_the_same_when_loaded(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    run = store.new("upgrade")
    run.save_result(result(run.id))

    assert store.load(run.id) == result(run.id)
    assert [item.run for item in store.results()] == [run.id]
    assert run.directory.stat().st_mode & 0o777 == 0o700


def test_a_cut_run_says_where_its_journal_is(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    run = store.new("upgrade")

    with pytest.raises(UsageError, match="has no result") as caught:
        store.load(run.id)

    assert "journal.jsonl" in caught.value.next_action


@pytest.mark.parametrize("name", ["20200101-000000-upgrade-0000", "../../etc", ""])
def test_an_unknown_run_names_the_newest(tmp_path: Path, name: str) -> None:
    store = RunStore(tmp_path)
    run = store.new("check")

    with pytest.raises(UsageError, match="no run") as caught:
        store.directory(name)

    assert run.id in caught.value.next_action
