"""`bootstrap`: bring hosts on which nothing is installed to the stack asked for."""

from __future__ import annotations

from ascend_provision.cli import waves
from ascend_provision.cli.changing import Change, carry_out
from ascend_provision.cli.exit import Exit
from ascend_provision.cli.gathering import Scope
from ascend_provision.cli.options import (
    Deadline,
    Forks,
    MaybeHosts,
    MaybeInventory,
    MaybePackages,
    RebootLimit,
    Resume,
    To,
    Yes,
    required_hosts,
    verb,
)
from ascend_provision.cli.terminal import Terminal
from ascend_provision.cli.waves import NORMAL
from ascend_provision.fleet.gather import PROBE_DEADLINE_SECONDS
from ascend_provision.fleet.runner import MAX_FORKS
from ascend_provision.planner.steps import REBOOT_LIMIT


@verb
def bootstrap(
    terminal: Terminal,
    hosts: MaybeHosts = None,
    inventory: MaybeInventory = None,
    to: To = None,
    packages: MaybePackages = None,
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
    domain: waves.Domain = None,
) -> Exit:
    """Users and tools the installers need first, then the stack, with the same proof as an upgrade."""
    scope = Scope(required_hosts(hosts, None, resume), tuple(inventory or ()), deadline, forks)
    change = Change(
        "bootstrap",
        scope,
        packages,
        to=to,
        resume=resume,
        policy=waves.policy(canary, growth, wave, max_unavailable, max_fail, bake, window),
        domain=domain,
        yes=yes,
        # Nothing is installed, so there is nothing to go back to: no consent to that is asked for.
        accept_no_rollback=True,
        reboot_limit=reboot_limit,
    )
    return carry_out(change, terminal)
