"""The journal of a run survives being cut anywhere."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_provision.fleet.journal import Journal, read
from ascend_provision.stack.plan import Ending
from ascend_provision.stack.runs import JournalRecord

RECORDS = [
    JournalRecord(at=1.0, run="r", host="a1-01", event="step-started", step="driver-install"),
    JournalRecord(at=2.0, run="r", host="a1-01", event="step-ended", step="driver-install", ending=Ending.DONE),
    JournalRecord(at=3.0, run="r", host="a1-01", event="host-ended", detail="done\nwith two lines"),
]


def written(path: Path) -> Path:
    journal = Journal(path)
    for record in RECORDS:
        journal.write(record)
    journal.close()
    return path


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    assert list(read(written(tmp_path / "journal.jsonl"))) == RECORDS


@given(cut=st.integers(min_value=0, max_value=400))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_cut_journal_keeps_every_whole_record_and_goes_on(tmp_path: Path, cut: int) -> None:
    path = tmp_path / f"journal-{cut}.jsonl"
    whole = written(path).read_bytes()
    path.write_bytes(whole[: min(cut, len(whole))])
    before = whole[:cut].count(b"\n")

    journal = Journal(path)
    journal.write(RECORDS[0])
    journal.close()
    found = list(read(path))

    assert found[:before] == RECORDS[:before]
    assert found[-1] == RECORDS[0]
    path.unlink()


def test_a_run_without_a_journal_has_no_records(tmp_path: Path) -> None:
    assert list(read(tmp_path / "none.jsonl")) == []
