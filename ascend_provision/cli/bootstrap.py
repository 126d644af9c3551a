"""`bootstrap`: bring hosts on which nothing is installed to the stack asked for."""

from __future__ import annotations

from ascend_provision.cli.changing import Change, carry_out
from ascend_provision.cli.exit import Exit
from ascend_provision.cli.gathering import Scope
from ascend_provision.cli.options import Deadline, Forks, Hosts, Inventory, Packages, RebootLimit, ToRequired, Yes, verb
from ascend_provision.cli.terminal import Terminal
from ascend_provision.fleet.gather import PROBE_DEADLINE_SECONDS
from ascend_provision.fleet.runner import MAX_FORKS
from ascend_provision.planner.steps import REBOOT_LIMIT


@verb
def bootstrap(
    terminal: Terminal,
    hosts: Hosts,
    inventory: Inventory,
    to: ToRequired,
    packages: Packages,
    yes: Yes = False,
    reboot_limit: RebootLimit = REBOOT_LIMIT,
    deadline: Deadline = PROBE_DEADLINE_SECONDS,
    forks: Forks = MAX_FORKS,
) -> Exit:
    """Users and tools the installers need first, then the stack, with the same proof as an upgrade."""
    scope = Scope(hosts, tuple(inventory), deadline, forks)
    # Nothing is installed, so there is nothing to go back to: no consent to that is asked for.
    return carry_out(
        Change("bootstrap", scope, packages, to, yes=yes, accept_no_rollback=True, reboot_limit=reboot_limit), terminal
    )
