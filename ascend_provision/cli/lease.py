"""`lease show|break`: who may change a host now, and the end of a lease whose controller is lost."""

from __future__ import annotations

import json
import time
from typing import Annotated

import typer

from ascend_provision.cli import exit as statuses
from ascend_provision.cli.exit import Exit
from ascend_provision.cli.gathering import Scope, read_fleet
from ascend_provision.cli.options import Deadline, Forks, Hosts, Inventory, Yes, verb
from ascend_provision.cli.terminal import Terminal
from ascend_provision.fleet import inventory as inventories
from ascend_provision.fleet import lease
from ascend_provision.fleet.gather import PROBE_DEADLINE_SECONDS, READ_FORKS
from ascend_provision.fleet.runs import RunStore
from ascend_provision.report import leases as report
from ascend_provision.stack.errors import UsageError

app = typer.Typer(help="Who may change a host now; ending the lease of a lost controller.")


@app.command("show")
@verb
def show(
    terminal: Terminal,
    hosts: Hosts,
    inventory: Inventory,
    deadline: Deadline = PROBE_DEADLINE_SECONDS,
    forks: Forks = READ_FORKS,
) -> Exit:
    """The lease of each host: run, holder, until when, and the step it is in. Nothing is written."""
    _, gathered = read_fleet(Scope(hosts, tuple(inventory), deadline, forks), terminal, "lease")
    rows = report.rows(gathered.facts, gathered.unreachable)
    terminal.show(json.dumps({"hosts": rows}, indent=1) if terminal.json else report.render(rows, time.time()))
    return Exit.UNKNOWN if any("unknown" in row for row in rows) else Exit.DONE


@app.command("break")
@verb
def break_lease(
    terminal: Terminal,
    hosts: Hosts,
    inventory: Inventory,
    run: Annotated[
        str | None, typer.Option("--run", metavar="RUN", help="Only leases of this run; `lease show` names it.")
    ] = None,
    yes: Yes = False,
) -> Exit:
    """End leases whose controller is lost for good. A host refuses while a step of that run is still running on it."""
    loaded = inventories.load(inventory, hosts)
    named = f"{', '.join(loaded.hosts[:5])}{' and more' if loaded.hosts[5:] else ''}"
    if not yes:
        if not terminal.interactive:
            raise UsageError(
                "there is no terminal to ask on", code="consent-missing", next_action="repeat with --yes, once sure"
            )
        typer.confirm(f"Is the controller of that run lost, and may its lease on {named} end?", abort=True, err=True)
    own = RunStore().new("lease")
    ended = lease.break_(loaded.hosts, loaded, own, of_run=run or "")
    rows = {host: item.model_dump(mode="json") for host, item in sorted(ended.items())}
    terminal.show(json.dumps({"hosts": rows}, indent=1) if terminal.json else report.broken(ended))
    found = [Exit.UNKNOWN if item.unreachable else Exit.LEASED for item in ended.values() if item.problem]
    return statuses.first(found)
