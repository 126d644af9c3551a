"""`profile show`: what a host that stays where it is may set, and nothing when that is not known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ascend_provision.cli.main import main
from ascend_provision.stack.model import Unknown
from tests.unit.cli.fleets import Fleet, behind
from tests.unit.factories import a1_host, changed

ARGUMENTS = ["profile", "show", "--hosts", "all", "-i", "h,"]


def test_a_host_that_stays_on_hdk_22_gets_no_expandable_segments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behind(Fleet(a1_host("a1-1")), monkeypatch, tmp_path)

    assert main(ARGUMENTS) == 0
    out = capsys.readouterr().out

    assert out.startswith("# ---- a1-1\n# Written by ascend-provision")
    assert "expandable_segments:True" not in [line for line in out.splitlines() if not line.startswith("#")]


def test_environments_that_could_not_be_read_get_no_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blind = changed(a1_host("a1-1"), environments=Unknown(unknown="find timed out"))
    behind(Fleet(blind, a1_host("a1-2"), unreachable={"a1-3": "No route to host"}), monkeypatch, tmp_path)

    assert main([*ARGUMENTS, "--format", "json"]) == 5
    document = json.loads(capsys.readouterr().out)

    assert list(document["profiles"]) == ["a1-2"]
    assert document["unknown"] == {"a1-1": "find timed out", "a1-3": "No route to host"}
