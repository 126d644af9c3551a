"""`rollback`: take hosts back to the stack they had before a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ascend_provision.cli import waves
from ascend_provision.cli.changing import Change, take_back
from ascend_provision.cli.exit import Exit
from ascend_provision.cli.gathering import Scope
from ascend_provision.cli.options import Deadline, Forks, MaybeHosts, MaybeInventory, RebootLimit, Resume, Yes, verb
from ascend_provision.cli.terminal import Terminal
from ascend_provision.cli.waves import NORMAL
from ascend_provision.fleet.gather import PROBE_DEADLINE_SECONDS
from ascend_provision.fleet.runner import MAX_FORKS
from ascend_provision.planner.steps import REBOOT_LIMIT


@verb
def rollback(
    terminal: Terminal,
    run: Annotated[
        str, typer.Option("--run", metavar="RUN", help="The run to take back; `runs list` names them.")
    ] = "last",
    hosts: MaybeHosts = None,
    inventory: MaybeInventory = None,
    packages: Annotated[
        Path | None, typer.Option("--packages", metavar="DIR", help="Where the old packages are; by default the run's.")
    ] = None,
    resume: Resume = None,
    yes: Yes = False,
    reboot_limit: RebootLimit = REBOOT_LIMIT,
    deadline: Deadline = PROBE_DEADLINE_SECONDS,
    forks: Forks = MAX_FORKS,
    canary: waves.Canary = NORMAL.canary,
    growth: waves.Grow = NORMAL.growth,
    wave: waves.Ceiling = str(NORMAL.ceiling),
    max_unavailable: waves.MaxUnavailable = None,
    max_fail: waves.MaxFail = NORMAL.max_fail,
    bake: waves.Bake = "0s",
    window: waves.Window = None,
) -> Exit:
    """Back to the driver, firmware, CANN, configuration and profile of before the run, verified at the old level."""
    change = Change(
        "rollback",
        Scope(hosts or "", tuple(inventory or ()), deadline, forks),
        packages,
        resume=resume,
        policy=waves.policy(canary, growth, wave, max_unavailable, max_fail, bake, window),
        yes=yes,
        # To go on from there is another upgrade, with packages that were just used.
        accept_no_rollback=True,
        reboot_limit=reboot_limit,
    )
    return take_back(change, run, terminal)
