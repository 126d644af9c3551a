"""Reading a fleet, as every verb that looks at hosts does it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass

from ascend_provision.cli.live import watch
from ascend_provision.cli.terminal import Terminal
from ascend_provision.fleet import inventory as inventories
from ascend_provision.fleet.events import TaskEnded
from ascend_provision.fleet.gather import Gathered, gather
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.fleet.progress import Progress
from ascend_provision.fleet.runs import Run, RunStore

_KEPT_READINGS = 20


@dataclass(frozen=True)
class Scope:
    """Which hosts are read, and how patiently: `deadline` in seconds for each host's probe."""

    hosts: str
    inventory: tuple[str, ...]
    deadline: int
    forks: int


def read_fleet(scope: Scope, terminal: Terminal, verb: str) -> tuple[Inventory, Gathered]:
    """Probe the hosts; evidence stays in a run directory of this verb, of which the newest twenty are kept."""
    inventory = inventories.load(scope.inventory, scope.hosts)
    store = RunStore()
    run = store.new(verb)
    with watch(terminal, inventory.hosts, f"{verb}: reading hosts") as tell:
        gathered = gather(
            inventory,
            run_dir=run.directory / "ansible",
            evidence_dir=run.evidence("now"),
            deadline=scope.deadline,
            forks=scope.forks,
            on_task=_as_progress(tell) if terminal.live else None,
            lasting=False,
        )
    _forget_old(store, run, verb)
    return inventory, gathered


def _as_progress(tell: Callable[[Progress], None]) -> Callable[[TaskEnded], None]:
    def on_task(ended: TaskEnded) -> None:
        tell(Progress(host=ended.host, step="probe", state="host-ended", message=ended.status))

    return on_task


def _forget_old(store: RunStore, current: Run, verb: str) -> None:
    """A reading changed nothing, so its evidence is not kept for ever; what changed hosts has a result and stays."""
    readings = sorted(path for path in store.root.glob(f"*-{verb}-*") if not (path / "result.json").exists())
    for path in readings[:-_KEPT_READINGS]:
        if path != current.directory:
            shutil.rmtree(path, ignore_errors=True)
