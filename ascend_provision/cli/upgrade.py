"""`upgrade`: take hosts from the stack they have to the one asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ascend_provision.cli import waves
from ascend_provision.cli.changing import Change, carry_out
from ascend_provision.cli.exit import Exit
from ascend_provision.cli.gathering import Scope
from ascend_provision.cli.options import (
    AcceptNoRollback,
    Deadline,
    Forks,
    HostsOrPlan,
    MaybeInventory,
    MaybePackages,
    RebootLimit,
    Resume,
    To,
    Yes,
    required_hosts,
    verb,
)
from ascend_provision.cli.options import Strategy as StrategyOption
from ascend_provision.cli.site_matrix import MatrixFile
from ascend_provision.cli.terminal import Terminal
from ascend_provision.cli.waves import NORMAL
from ascend_provision.fleet.gather import PROBE_DEADLINE_SECONDS
from ascend_provision.fleet.runner import MAX_FORKS
from ascend_provision.planner.steps import REBOOT_LIMIT
from ascend_provision.stack.plan import Strategy


@verb
def upgrade(
    terminal: Terminal,
    inventory: MaybeInventory = None,
    packages: MaybePackages = None,
    hosts: HostsOrPlan = None,
    to: To = None,
    plan: Annotated[
        Path | None, typer.Option("--plan", metavar="FILE", help="Apply exactly this plan (made by `plan -o FILE`).")
    ] = None,
    resume: Resume = None,
    strategy: StrategyOption = Strategy.CLEAN,
    yes: Yes = False,
    accept_no_rollback: AcceptNoRollback = False,
    reboot_limit: RebootLimit = REBOOT_LIMIT,
    matrix: MatrixFile = None,
    deadline: Deadline = PROBE_DEADLINE_SECONDS,
    forks: Forks = MAX_FORKS,
    canary: waves.Canary = NORMAL.canary,
    growth: waves.Grow = NORMAL.growth,
    wave: waves.Ceiling = str(NORMAL.ceiling),
    max_unavailable: waves.MaxUnavailable = None,
    max_fail: waves.MaxFail = NORMAL.max_fail,
    bake: waves.Bake = "0s",
    window: waves.Window = None,
    domain: waves.Domain = None,
    on_fail: waves.Failing = NORMAL.on_fail,
) -> Exit:
    """Plan, show the plan, ask, then install, reboot and prove it, host by host and wave by wave."""
    scope = Scope(required_hosts(hosts, plan, resume), tuple(inventory or ()), deadline, forks)
    change = Change(
        "upgrade",
        scope,
        packages,
        to=to,
        plan=plan,
        resume=resume,
        policy=waves.policy(canary, growth, wave, max_unavailable, max_fail, bake, window, on_fail),
        domain=domain,
        strategy=strategy,
        yes=yes,
        accept_no_rollback=accept_no_rollback,
        reboot_limit=reboot_limit,
        matrix=matrix,
    )
    return carry_out(change, terminal)
