"""`bootstrap`: the same change from nothing, with no way back to ask about."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.cli import bootstrap as module
from ascend_provision.cli.changing import Change
from ascend_provision.cli.exit import Exit
from ascend_provision.cli.gathering import Scope
from tests.unit.cli.fleets import typed


def test_what_is_typed_is_what_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Change] = []
    monkeypatch.setattr(module, "carry_out", lambda change, _terminal: asked.append(change) or Exit.FAILED)

    assert typed("bootstrap --hosts new -i a.yml --to hdk23 --packages /srv/ascend --yes") == 7
    assert asked == [
        Change(
            verb="bootstrap",
            scope=Scope("new", ("a.yml",), 60, 50),
            packages=Path("/srv/ascend"),
            to="hdk23",
            yes=True,
            accept_no_rollback=True,
        )
    ]


def test_without_a_target_nothing_is_guessed(capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("bootstrap --hosts new -i a.yml --packages /srv/ascend") == 4
    assert "--to" in capsys.readouterr().err
