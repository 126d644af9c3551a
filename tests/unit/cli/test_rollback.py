"""`rollback`: only what a run began, shown and agreed to like any other change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ascend_provision.bundle import store
from ascend_provision.cli import changing
from ascend_provision.cli.main import main
from ascend_provision.fleet.chronicle import Chronicle
from ascend_provision.fleet.gather import Gathered
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.fleet.runs import Order, Run, RunStore
from ascend_provision.knowledge.wishes import parse
from ascend_provision.planner import plan as planner
from ascend_provision.stack.plan import Strategy
from tests.unit.cli.fleets import Fleet, behind
from tests.unit.cli.test_changing import NEW, OLD, Applied
from tests.unit.factories import a1_host
from tests.unit.planner.walk import walk


@pytest.fixture
def applied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Applied:
    """A fleet of two on which a run has begun one, and the executor's place."""
    directory = tmp_path / "packages"
    directory.mkdir()
    for name in (*NEW, *OLD):
        (directory / name).write_text(name)
    listed = store.add(directory)
    before = {name: a1_host(name) for name in ("a1-1", "a1-2")}
    packages = store.open(directory).packages
    assert listed is not None
    plan = planner.make(before, parse("hdk23"), packages, verb="upgrade", strategy=Strategy.CLEAN)
    _, upgraded = walk(plan.hosts[0], before["a1-1"])
    behind(Picky(upgraded, before["a1-2"]), monkeypatch, tmp_path / "state")
    run = began(plan, RunStore(tmp_path / "state").new("upgrade"))
    run.save_order(Order(sources=("h,",), packages=str(directory)))
    applied = Applied()
    monkeypatch.setattr(changing, "apply", applied)
    return applied


class Picky(Fleet):
    """A fleet whose inventory reads the pattern."""

    def load(self, sources: tuple[str, ...], pattern: str) -> Inventory:
        return super().load(sources, pattern).model_copy(update={"hosts": tuple(pattern.split(":"))})

    def gather(self, inventory: Inventory, **how: Any) -> Gathered:
        found = super().gather(inventory, **how)
        return found.model_copy(update={"facts": {host: found.facts[host] for host in inventory.hosts}})


def began(plan: Any, run: Run) -> Run:
    run.save_plan(plan)
    chronicle = Chronicle(run.id, run.journal, lambda _: None)
    chronicle.run_started(plan.digest)
    chronicle.step_started("a1-1", plan.hosts[0].steps[0], "boot-1")
    run.close()
    return run


def test_the_hosts_that_the_last_run_began_go_back(applied: Applied, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rollback", "--hosts", "a1-1", "--yes"]) == 0

    (plan,) = applied.plans
    assert (plan.verb, [host.host for host in plan.hosts]) == ("rollback", ["a1-1"])
    assert plan.hosts[0].after["driver"] == "22.0.4"
    assert "Plan: rollback to the stack before" in capsys.readouterr().out


def test_a_host_that_the_run_never_began_has_no_way_back_from_it(
    applied: Applied, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rollback", "--hosts", "a1-2", "--yes"]) == 4

    assert applied.plans == []
    assert "did not change a1-2" in capsys.readouterr().err


def test_a_run_that_is_not_known_here_is_named(applied: Applied, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rollback", "--run", "20260101-0000-upgrade-dead", "--yes"]) == 4
    assert "no run `20260101-0000-upgrade-dead`" in capsys.readouterr().err


def test_nothing_goes_back_without_a_yes(applied: Applied) -> None:
    assert main(["rollback", "--hosts", "a1-1"]) == 4
    assert applied.plans == []
