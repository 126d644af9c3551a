"""Reading a fleet: where evidence goes, and what a person sees meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.cli import gathering
from ascend_provision.cli.gathering import Scope, read_fleet
from ascend_provision.cli.terminal import Terminal
from tests.unit.cli.fleets import Fleet, behind
from tests.unit.factories import a1_host

SCOPE = Scope("all", ("h,",), 60, 50)


def test_the_evidence_of_a_reading_has_a_directory_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    behind(Fleet(a1_host("a1-1")), monkeypatch, tmp_path)

    for _ in range(2):
        read_fleet(SCOPE, Terminal(), "check")

    assert len(list((tmp_path / "runs").glob("*-check-*/evidence/now"))) == 2


def test_on_a_pipe_a_reading_is_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behind(Fleet(a1_host("a1-1")), monkeypatch, tmp_path)

    read_fleet(SCOPE, Terminal(), "check")

    assert capsys.readouterr() == ("", "")


def test_on_a_terminal_each_host_is_seen_to_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    behind(Fleet(a1_host("a1-1"), a1_host("a1-2")), monkeypatch, tmp_path)
    monkeypatch.setattr(Terminal, "live", True)
    seen: list[str] = []
    monkeypatch.setattr(gathering, "_as_progress", lambda _tell: lambda ended: seen.append(ended.host))

    read_fleet(SCOPE, Terminal(color=False), "check")

    assert seen == ["a1-1", "a1-2"]
