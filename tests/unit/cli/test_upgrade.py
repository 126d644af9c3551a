"""`upgrade`: what is typed is what is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.cli import upgrade as module
from ascend_provision.cli.changing import Change
from ascend_provision.cli.exit import Exit
from ascend_provision.cli.gathering import Scope
from ascend_provision.stack.plan import Strategy
from tests.unit.cli.fleets import typed


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Change]:
    changes: list[Change] = []

    def remember(change: Change, _terminal: object) -> Exit:
        changes.append(change)
        return Exit.DONE

    monkeypatch.setattr(module, "carry_out", remember)
    return changes


def test_hosts_wish_and_consent_reach_the_change(asked: list[Change]) -> None:
    status = typed(
        "upgrade --hosts rack7 -i a.yml -i b.yml --to hdk23 --packages /srv/ascend --strategy overwrite --yes"
        " --accept-no-rollback --deadline 90 --forks 5"
    )

    assert status == 0
    assert asked == [
        Change(
            verb="upgrade",
            scope=Scope("rack7", ("a.yml", "b.yml"), 90, 5),
            packages=Path("/srv/ascend"),
            to="hdk23",
            strategy=Strategy.OVERWRITE,
            yes=True,
            accept_no_rollback=True,
        )
    ]


def test_a_plan_file_brings_its_own_hosts_and_nothing_is_agreed_to_by_default(asked: list[Change]) -> None:
    typed("upgrade -i a.yml --plan plan.json --packages /srv/ascend")

    (change,) = asked
    assert (change.plan, change.scope.hosts, change.to) == (Path("plan.json"), "", None)
    assert (change.yes, change.accept_no_rollback, change.strategy) == (False, False, Strategy.CLEAN)


@pytest.mark.parametrize("hosts", ["", "--hosts rack7 --plan plan.json"], ids=["neither", "both"])
def test_hosts_or_a_plan_but_not_both(hosts: str, asked: list[Change], capsys: pytest.CaptureFixture[str]) -> None:
    assert typed(f"upgrade -i a.yml --packages /srv/ascend {hosts}") == 4
    assert asked == []
    assert "--plan" in capsys.readouterr().err
