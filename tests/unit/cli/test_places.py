"""Where the controller keeps things: all below one directory that can be moved."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.cli import places
from ascend_provision.fleet.runs import RunStore


def test_everything_is_below_the_state_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASCEND_PROVISION_STATE", str(tmp_path))

    kept = {places.schedules(), places.tracebacks(), RunStore().root}

    assert kept == {tmp_path / "schedules", tmp_path / "tracebacks", tmp_path / "runs"}
