"""`upgrade` and `bootstrap`: a plan made or read, shown, agreed to, and carried out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import typer

from ascend_provision.bundle import store as packages
from ascend_provision.bundle.store import PackageStore
from ascend_provision.cli import exit as statuses
from ascend_provision.cli import plan_file, site_matrix
from ascend_provision.cli.exit import Exit
from ascend_provision.cli.gathering import Scope, read_fleet
from ascend_provision.cli.interrupt import Interrupt
from ascend_provision.cli.live import watch
from ascend_provision.cli.terminal import Terminal
from ascend_provision.fleet import inventory as inventories
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.fleet.planning import make_plan
from ascend_provision.fleet.runs import RunStore
from ascend_provision.fleet.upgrade import apply
from ascend_provision.knowledge import wishes
from ascend_provision.planner.steps import REBOOT_LIMIT
from ascend_provision.report import json
from ascend_provision.report import plan as plan_report
from ascend_provision.report import run as run_report
from ascend_provision.report.plain import counted
from ascend_provision.stack.errors import Refusal, UsageError
from ascend_provision.stack.plan import Plan, Strategy


@dataclass(frozen=True)
class Change:
    """What was asked for: hosts and a wish, or a plan file; and what was agreed to in advance."""

    verb: Literal["upgrade", "bootstrap"]
    scope: Scope
    packages: Path
    to: str | None = None
    plan: Path | None = None
    strategy: Strategy = Strategy.CLEAN
    yes: bool = False
    accept_no_rollback: bool = False
    reboot_limit: int = REBOOT_LIMIT
    matrix: Path | None = None


def carry_out(change: Change, terminal: Terminal) -> Exit:
    """Show the plan, get consent, apply it, report it."""
    store = packages.open(change.packages)
    inventory, plan, unreachable = _planned(change, store, terminal)
    terminal.tell(plan_report.render(plan) + "\n")
    for host, why in sorted(unreachable.items()):
        terminal.note(f"{host}: unreachable: {why}")
    if not _agreed(change, plan, terminal):
        terminal.note("nothing was changed")
        return Exit.DONE
    run = RunStore().new(change.verb)
    with Interrupt(terminal.note) as stop, watch(terminal, [host.host for host in plan.hosts], change.verb) as tell:
        result = apply(plan, inventory, store, run=run, on_progress=tell, stop=stop, unreachable=unreachable)
    terminal.show(json.render(result) if terminal.json else run_report.render(result))
    terminal.note(f"record of this run: {run.directory}")
    outcomes = [host.outcome for host in result.hosts]
    return statuses.of_interrupted(outcomes) if result.interrupted else statuses.of_outcomes(outcomes)


def _planned(change: Change, store: PackageStore, terminal: Terminal) -> tuple[Inventory, Plan, Mapping[str, str]]:
    """The plan with the inventory of its hosts, and the hosts that could not be read."""
    if change.plan is not None:
        if change.matrix is not None:
            raise UsageError(
                "--plan and --matrix exclude each other",
                code="command-line",
                why="a plan is applied as it was made; the rows it rests on were chosen then",
                next_action="make it again with `ascend-provision plan --matrix FILE … -o PLAN`",
            )
        plan = plan_file.read(change.plan, store)
        return inventories.load(change.scope.inventory, ":".join(host.host for host in plan.hosts)), plan, {}
    if change.to is None:
        raise UsageError(
            f"`{change.verb}` needs to know where to go",
            code="wish-missing",
            next_action="add `--to hdk23`, or `--plan FILE`",
        )
    wishes.parse(change.to)
    rows = site_matrix.load(change.matrix)
    inventory, gathered = read_fleet(change.scope, terminal, f"{change.verb}-plan")
    plan = make_plan(
        gathered,
        change.to,
        store,
        verb=change.verb,
        strategy=change.strategy,
        reboot_limit=change.reboot_limit,
        matrix=rows,
    )
    return inventory, plan, gathered.unreachable


def _agreed(change: Change, plan: Plan, terminal: Terminal) -> bool:
    """Consent to exactly what was shown; with nothing to change none is needed."""
    changing = [host for host in plan.hosts if host.decision == "change"]
    one_way = [host for host in changing if host.no_rollback]
    if one_way and not change.accept_no_rollback:
        raise Refusal(
            f"there would be no way back for {', '.join(host.host for host in one_way)}",
            code="no-rollback",
            why=one_way[0].no_rollback,
            next_action="put the packages of today's stack into the package directory, or add --accept-no-rollback",
        )
    if not changing or change.yes:
        return True
    if not terminal.interactive:
        raise UsageError(
            f"`{change.verb}` would change {counted(len(changing), 'host')} and there is no terminal to ask on",
            code="consent-missing",
            next_action="look at the plan above, then repeat with --yes",
        )
    return typer.confirm(
        f"Change {len(changing)} of {counted(len(plan.hosts), 'host')} as shown?", default=False, err=True
    )
