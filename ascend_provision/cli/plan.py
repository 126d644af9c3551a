"""`plan`: what an upgrade would do, as text to read and as a file to apply."""

from __future__ import annotations

from typing import Annotated

import typer

from ascend_provision.bundle import store
from ascend_provision.cli import exit as statuses
from ascend_provision.cli import plan_file, site_matrix
from ascend_provision.cli.exit import Exit
from ascend_provision.cli.gathering import Scope, read_fleet
from ascend_provision.cli.options import Deadline, Forks, Hosts, Inventory, Packages, RebootLimit, ToRequired, verb
from ascend_provision.cli.options import Strategy as StrategyOption
from ascend_provision.cli.site_matrix import MatrixFile
from ascend_provision.cli.terminal import Terminal
from ascend_provision.fleet.gather import PROBE_DEADLINE_SECONDS, READ_FORKS
from ascend_provision.fleet.planning import make_plan
from ascend_provision.knowledge import wishes
from ascend_provision.planner.steps import REBOOT_LIMIT
from ascend_provision.report import plan as report
from ascend_provision.stack.plan import Strategy


@verb
def plan(
    terminal: Terminal,
    hosts: Hosts,
    inventory: Inventory,
    to: ToRequired,
    packages: Packages,
    strategy: StrategyOption = Strategy.CLEAN,
    bare: Annotated[bool, typer.Option("--bootstrap", help="Plan a `bootstrap` of hosts without a driver.")] = False,
    reboot_limit: RebootLimit = REBOOT_LIMIT,
    matrix: MatrixFile = None,
    deadline: Deadline = PROBE_DEADLINE_SECONDS,
    forks: Forks = READ_FORKS,
) -> Exit:
    """Per host: nothing to do, the steps with their reasons, or why not. `-o FILE` writes what `--plan` applies."""
    wishes.parse(to)
    rows = site_matrix.load(matrix)
    opened = store.open(packages)
    _, gathered = read_fleet(Scope(hosts, tuple(inventory), deadline, forks), terminal, "plan")
    made = make_plan(
        gathered,
        to,
        opened,
        verb="bootstrap" if bare else "upgrade",
        strategy=strategy,
        reboot_limit=reboot_limit,
        matrix=rows,
    )
    if terminal.output is not None or terminal.json:
        terminal.show(plan_file.text(made))
    if not terminal.json:
        terminal.tell(report.render(made))
    for host, why in sorted(gathered.unreachable.items()):
        terminal.note(f"{host}: unreachable: {why}")
    if terminal.output is not None and any(host.decision == "change" for host in made.hosts):
        sources = " ".join(f"-i {source}" for source in inventory)
        apply = f"upgrade {sources} --plan {terminal.output} --packages {packages}"
        terminal.note(f"apply exactly this: ascend-provision {apply}")
    return statuses.of_decisions((host.decision for host in made.hosts), len(gathered.unreachable))
