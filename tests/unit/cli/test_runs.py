"""`runs list|show`: the records of what was changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ascend_provision.cli.main import main
from ascend_provision.fleet.runs import RunStore
from ascend_provision.stack.runs import HostOutcome, HostResult, RunResult


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunStore:
    monkeypatch.setenv("ASCEND_PROVISION_STATE", str(tmp_path))
    return RunStore()


def record(store: RunStore, *outcomes: HostOutcome, ended: bool = True) -> str:
    run = store.new("upgrade")
    hosts = tuple(HostResult(host=f"a1-{number}", outcome=one) for number, one in enumerate(outcomes, start=1))
    result = RunResult(
        run=run.id, verb="upgrade", wish="hdk23", started_at=1.0, ended_at=61.0 if ended else None, hosts=hosts
    )
    run.save_result(result)
    return run.id


def test_the_list_counts_how_hosts_ended(store: RunStore, capsys: pytest.CaptureFixture[str]) -> None:
    run = record(store, HostOutcome.DONE, HostOutcome.DONE, HostOutcome.FAILED)

    assert main(["runs", "list"]) == 0
    (line,) = capsys.readouterr().out.splitlines()

    assert line.startswith(f"{run}  ")
    assert line.endswith("  upgrade to hdk23  2 done, 1 failed")


def test_a_run_that_was_cut_is_marked(store: RunStore, capsys: pytest.CaptureFixture[str]) -> None:
    record(store, HostOutcome.DONE, ended=False)

    main(["runs", "list"])

    assert capsys.readouterr().out.endswith("(cut)\n")


def test_show_without_a_name_is_the_newest_and_says_where_its_record_is(
    store: RunStore, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record(store, HostOutcome.FAILED)
    monkeypatch.setattr("ascend_provision.fleet.runs.time.strftime", lambda _format: "29990101-000000")
    newest = record(store, HostOutcome.DONE)

    assert main(["runs", "show", "--format", "json"]) == 0
    out, err = capsys.readouterr()

    assert json.loads(out)["run"] == newest
    assert str(store.directory(newest)) in err


def test_an_unknown_run_is_4_and_a_controller_without_runs_says_so(
    store: RunStore, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["runs", "show"]) == 0
    assert main(["runs", "list"]) == 0
    assert (
        capsys.readouterr().out
        == "no upgrade or bootstrap was run from here yet\nno upgrade or bootstrap was run from here yet\n"
    )
    assert main(["runs", "show", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) is None
    assert main(["runs", "show", "20200101-nothing"]) == 4
