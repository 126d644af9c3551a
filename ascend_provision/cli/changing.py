"""`upgrade` and `bootstrap`: a plan made or read, shown, agreed to, and carried out."""

from __future__ import annotations

import dataclasses
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
from ascend_provision.cli.waves import NORMAL
from ascend_provision.fleet import domains, journal
from ascend_provision.fleet import inventory as inventories
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.fleet.planning import make_plan, make_plan_back
from ascend_provision.fleet.runs import Order, Run, RunStore
from ascend_provision.fleet.upgrade import apply
from ascend_provision.knowledge import wishes
from ascend_provision.planner import waves
from ascend_provision.planner.steps import REBOOT_LIMIT
from ascend_provision.planner.waves import Policy
from ascend_provision.report import json
from ascend_provision.report import plan as plan_report
from ascend_provision.report import run as run_report
from ascend_provision.report import waves as waves_report
from ascend_provision.report.plain import counted
from ascend_provision.stack.errors import Refusal, UsageError
from ascend_provision.stack.plan import Plan, Strategy


@dataclass(frozen=True)
class Change:
    """What was asked for: hosts and a wish, a plan file, or a run to go on with; and what was agreed to in advance."""

    verb: Literal["upgrade", "bootstrap", "rollback"]
    scope: Scope
    packages: Path | None
    to: str | None = None
    plan: Path | None = None
    resume: str | None = None
    policy: Policy = NORMAL
    domain: str | None = None
    strategy: Strategy = Strategy.CLEAN
    yes: bool = False
    accept_no_rollback: bool = False
    reboot_limit: int = REBOOT_LIMIT
    matrix: Path | None = None


@dataclass(frozen=True)
class _Work:
    """What is to be carried out, and with what."""

    run: Run
    plan: Plan
    inventory: Inventory
    store: PackageStore
    order: Order
    unreachable: Mapping[str, str]


def carry_out(change: Change, terminal: Terminal) -> Exit:
    """Show the plan, get consent, apply it, report it."""
    return _carried_out(
        change, _resumed(change, terminal) if change.resume is not None else _begun(change, terminal), terminal
    )


def take_back(change: Change, name: str, terminal: Terminal) -> Exit:
    """The same for the way back from run `name` (or `last`)."""
    work = _resumed(change, terminal) if change.resume is not None else _turned(change, name, terminal)
    return _carried_out(change, work, terminal)


def _carried_out(change: Change, work: _Work | None, terminal: Terminal) -> Exit:
    if work is None:
        terminal.note("nothing was changed")
        return Exit.DONE
    names = [host.host for host in work.plan.hosts]
    with Interrupt(terminal.note) as stop, watch(terminal, names, change.verb) as tell:
        result = apply(
            work.plan,
            work.inventory,
            work.store,
            run=work.run,
            order=work.order,
            on_progress=tell,
            stop=stop,
            unreachable=work.unreachable,
        )
    terminal.show(json.render(result) if terminal.json else run_report.render(result))
    terminal.note(f"record of this run: {work.run.directory}")
    outcomes = [host.outcome for host in result.hosts]
    return statuses.of_interrupted(outcomes) if result.interrupted else statuses.of_outcomes(outcomes)


def _begun(change: Change, terminal: Terminal) -> _Work | None:
    """A new run, once its plan was shown and agreed to."""
    if change.plan is None and change.to is None:
        raise UsageError(
            f"`{change.verb}` needs to know where to go",
            code="wish-missing",
            next_action="add `--to hdk23`" + (", or `--plan FILE`" if change.verb == "upgrade" else ""),
        )
    if change.packages is None or not change.scope.inventory:
        missing = "--packages DIR" if change.packages is None else "-i INVENTORY"
        raise UsageError(f"`{change.verb}` needs `{missing}`", code="command-line", next_action=f"add `{missing}`")
    store = packages.open(change.packages)
    inventory, plan, unreachable = _planned(change, store, terminal)
    order = Order(
        sources=inventory.sources,
        packages=str(store.directory.resolve()),
        policy=change.policy,
        domains=domains.of(inventory, change.domain) if change.domain else {},
    )
    return _shown(change, plan, inventory, store, order, unreachable, terminal)


def _shown(
    change: Change,
    plan: Plan,
    inventory: Inventory,
    store: PackageStore,
    order: Order,
    unreachable: Mapping[str, str],
    terminal: Terminal,
) -> _Work | None:
    """Plan and waves are shown; a new run, once they were agreed to."""
    changing = {host.host: order.domain(host) for host in plan.hosts if host.decision == "change"}
    terminal.tell(
        plan_report.render(plan) + waves_report.render(waves.cut(changing, change.policy), change.policy) + "\n"
    )
    for host, why in sorted(unreachable.items()):
        terminal.note(f"{host}: unreachable: {why}")
    if not _agreed(change, plan, terminal):
        return None
    return _Work(RunStore().new(change.verb), plan, inventory, store, order, unreachable)


def _turned(change: Change, name: str, terminal: Terminal) -> _Work | None:
    """The way back from a run, for the hosts that it had begun to change."""
    done = RunStore().named(name)
    order = done.order()
    begun = journal.past(done.journal).hosts
    plans = {host.host: host for host in done.plan().hosts if host.host in begun}
    if not plans:
        raise UsageError(f"run `{done.id}` changed no host", code="run-changed-nothing")
    sources = change.scope.inventory or order.sources
    chosen = inventories.load(sources, change.scope.hosts or ":".join(plans))
    if others := [host for host in chosen.hosts if host not in plans]:
        raise UsageError(
            f"run `{done.id}` did not change {', '.join(others[:5])}",
            code="rollback-hosts",
            next_action=f"it changed {', '.join(list(plans)[:10])}",
        )
    store = packages.open(change.packages or Path(order.packages))
    scope = dataclasses.replace(change.scope, hosts=":".join(chosen.hosts), inventory=tuple(sources))
    inventory, gathered = read_fleet(scope, terminal, "rollback-plan")
    plan = make_plan_back(gathered, plans, store, run=done.id, reboot_limit=change.reboot_limit)
    order = Order(sources=inventory.sources, packages=str(store.directory.resolve()), policy=change.policy)
    return _shown(change, plan, inventory, store, order, gathered.unreachable, terminal)


def _resumed(change: Change, terminal: Terminal) -> _Work:
    """A run of this controller that was cut or halted: its plan was agreed to, and is carried out to its end."""
    if change.to is not None or change.plan is not None or change.scope.hosts:
        raise UsageError(
            "--resume goes on with a plan that was made: --hosts, --to and --plan have no place beside it",
            code="command-line",
            next_action=f"ascend-provision {change.verb} --resume {change.resume}",
        )
    run = RunStore().resume(change.resume or "last")
    plan, order = run.plan(), run.order()
    if plan.verb != change.verb:
        raise UsageError(
            f"run `{run.id}` is no {change.verb}",
            code="run-verb",
            next_action=f"ascend-provision {plan.verb} --resume {run.id}",
        )
    sources = change.scope.inventory or order.sources
    inventory = inventories.load(sources, ":".join(host.host for host in plan.hosts))
    store = packages.open(change.packages or Path(order.packages))
    plan_file.check_packages(plan, store, f"run `{run.id}`")
    terminal.note(f"going on with run {run.id}: {plan.verb} to {plan.wish}, {counted(len(plan.hosts), 'host')}")
    return _Work(run, plan, inventory, store, order, {})


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
    wish = change.to or ""
    wishes.parse(wish)
    rows = site_matrix.load(change.matrix)
    inventory, gathered = read_fleet(change.scope, terminal, f"{change.verb}-plan")
    plan = make_plan(
        gathered,
        wish,
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
