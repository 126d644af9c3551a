"""Fleets for tests of verbs: hosts as facts behind the functions that would reach them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ascend_provision.cli import gathering
from ascend_provision.cli.main import main
from ascend_provision.fleet.events import TaskEnded
from ascend_provision.fleet.gather import Gathered
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.stack.facts import HostFacts


class Fleet:
    """Answers the probe with these facts; `asked` keeps how it was asked."""

    def __init__(self, *facts: HostFacts, unreachable: dict[str, str] | None = None) -> None:
        self.gathered = Gathered(facts={one.host: one for one in facts}, unreachable=unreachable or {})
        self.asked: list[dict[str, Any]] = []

    @property
    def hosts(self) -> tuple[str, ...]:
        return (*self.gathered.facts, *self.gathered.unreachable)

    def load(self, sources: tuple[str, ...], pattern: str) -> Inventory:
        self.asked.append({"sources": tuple(sources), "pattern": pattern})
        return Inventory(sources=tuple(sources), hosts=self.hosts)

    def gather(self, inventory: Inventory, *, run_dir: Path, evidence_dir: Path, on_task: Any, **how: Any) -> Gathered:
        assert evidence_dir.is_dir()
        assert run_dir.parent.is_dir()
        how.pop("lasting", None)
        self.asked[-1].update(how)
        for host in inventory.hosts:
            if on_task:
                on_task(TaskEnded(host=host, task="probe", status="ok"))
        return self.gathered


def behind(fleet: Fleet, monkeypatch: pytest.MonkeyPatch, state: Path) -> Fleet:
    """Put the fleet behind every verb that reads hosts."""
    monkeypatch.setenv("ASCEND_PROVISION_STATE", str(state))
    monkeypatch.setattr(gathering.inventories, "load", fleet.load)
    monkeypatch.setattr(gathering, "gather", fleet.gather)
    return fleet


def typed(line: str) -> int:
    """The exit status of a command line without blanks in its words."""
    return main(line.split())
