"""A run is told to its journal and to whoever watches."""

from __future__ import annotations

from pathlib import Path

from ascend_provision.fleet.chronicle import Chronicle
from ascend_provision.fleet.endings import StepEnd
from ascend_provision.fleet.journal import read
from ascend_provision.fleet.progress import Progress
from ascend_provision.stack.plan import Ending, Step

STEP = Step(name="driver-install", why="driver", expected_seconds=600)


def test_a_step_is_on_disk_before_the_audience_hears_of_it(tmp_path: Path) -> None:
    heard: list[tuple[str, int]] = []
    path = tmp_path / "journal.jsonl"

    def audience(progress: Progress) -> None:
        heard.append((progress.state, len(list(read(path)))))

    chronicle = Chronicle("r", path, audience)
    chronicle.run_started("sha256:0")
    chronicle.step_started("a1-01", STEP, "boot-1")
    chronicle.step_ended("a1-01", STEP, StepEnd(ending=Ending.DONE, detail="done"), 12.5)
    chronicle.host_ended("a1-01", "driver-install", "done")
    chronicle.run_ended()

    assert heard == [("started", 2), ("ended", 3), ("host-ended", 4)]
    records = list(read(path))
    assert [record.event for record in records] == [
        "run-started",
        "step-started",
        "step-ended",
        "host-ended",
        "run-ended",
    ]
    assert (records[1].boot_id, records[2].ending, records[2].seconds) == ("boot-1", Ending.DONE, 12.5)


def test_a_note_is_for_the_audience_only(tmp_path: Path) -> None:
    heard: list[str] = []
    chronicle = Chronicle("r", tmp_path / "journal.jsonl", lambda progress: heard.append(progress.message))

    chronicle.note("leases not given back")

    assert heard == ["leases not given back"]
    assert list(read(tmp_path / "journal.jsonl")) == []


def test_why_a_host_ended_is_told_once_and_recorded_whole(tmp_path: Path) -> None:
    heard: list[str] = []
    chronicle = Chronicle("r", tmp_path / "journal.jsonl", lambda progress: heard.append(progress.message))

    chronicle.step_ended("a1-01", STEP, StepEnd(ending=Ending.FAILED, detail="no such device"), 3)
    chronicle.host_ended("a1-01", "driver-install", "failed", "no such device")
    chronicle.host_ended("a1-02", "plan", "refused", "a job holds a card")

    assert heard == ["no such device", "failed", "refused: a job holds a card"]
    assert [record.detail for record in read(tmp_path / "journal.jsonl")][1] == "failed: no such device"
