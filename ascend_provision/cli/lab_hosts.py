"""`lab exec|fault|power|cut|heal|digest|logs`: what can be done to single hosts of the lab."""

from __future__ import annotations

import json
from enum import Enum
from typing import Annotated

import typer

from ascend_provision.cli.exit import Exit
from ascend_provision.cli.lab_verb import FleetName, command_words, lab_verb
from ascend_provision.cli.terminal import Terminal
from ascend_provision.lab import digest as digests
from ascend_provision.lab import faulting, fleet, inside, protocol, readiness, rootless, running
from ascend_provision.lab.ascend import faults
from ascend_provision.lab.errors import LabError
from ascend_provision.lab.places import fleet_place
from ascend_provision.report.plain import columns

HostNames = Annotated[list[str], typer.Argument(metavar="HOST", help="Hosts of the fleet.")]
HostName = Annotated[str, typer.Argument(metavar="HOST", help="A host of the fleet.")]


class Power(str, Enum):
    """What can be done to a power plug and a reset button."""

    ON = "on"
    OFF = "off"
    RESET = "reset"


@lab_verb
def execute(
    terminal: Terminal,
    host: HostName,
    command: Annotated[list[str], typer.Argument(metavar="-- CMD...", help="A command of the host.")],
    name: FleetName = None,
) -> Exit:
    """Run a command on a host as root, without SSH; its exit status is the command's."""
    del terminal
    rootless.become_root(name)
    inside.replace_by_command(fleet.host_named(fleet_place(name), host), command_words(command))
    return Exit.DONE


@lab_verb
def fault(
    terminal: Terminal,
    host: Annotated[str | None, typer.Argument(metavar="HOST", help="A host of the fleet.")] = None,
    what: Annotated[str | None, typer.Argument(metavar="NAME[=VALUE]", help="Which fault.")] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Switch it off; without NAME, all of the host's.")] = False,
    catalogue: Annotated[bool, typer.Option("--list", help="List the faults there are.")] = False,
    name: FleetName = None,
) -> Exit:
    """Switch a named fault of a host on or off."""
    if catalogue:
        terminal.show(_catalogue(terminal))
        return Exit.DONE
    if host is None or (what is None and not clear):
        raise LabError(
            code="lab-fault-usage",
            what="name a host and a fault",
            next="ascend-provision lab fault HOST NAME[=VALUE], or `lab fault --list`",
        )
    if what:
        faults.parse(what)
    rootless.become_root(name)
    place = fleet_place(name)
    found = fleet.host_named(place, host)
    daemon = running.require_daemon(place)
    if clear:
        gone = faulting.switch_off(place, daemon, found, what.partition("=")[0] if what else None)
        terminal.note(f"{host}: off: {', '.join(gone) or 'nothing was on'}")
    elif what:
        faulting.switch_on(place, daemon, found, what)
        terminal.note(f"{host}: {what} is on")
    return Exit.DONE


@lab_verb
def power(
    terminal: Terminal,
    do: Annotated[Power, typer.Argument(metavar="on|off|reset", help="`off` pulls the plug, `on` is a cold start.")],
    hosts: HostNames,
    name: FleetName = None,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until hosts are ready again.")] = True,
    timeout: Annotated[float, typer.Option("--timeout", metavar="SECONDS", help="Longest wait.")] = 120.0,
) -> Exit:
    """Switch hosts on or off, or press their reset button; nothing is shut down first."""
    rootless.become_root(name)
    place = fleet_place(name)
    fleet.hosts_named(place, hosts)
    for host in hosts:
        protocol.ask(place, do.value, host=host)
    if wait and do is not Power.OFF:
        readiness.wait(place, running.require_daemon(place), hosts, timeout)
    terminal.note(f"{', '.join(hosts)}: power {do.value}")
    return Exit.DONE


@lab_verb
def cut(terminal: Terminal, hosts: HostNames, name: FleetName = None) -> Exit:
    """Cut hosts off the network: connections hang, new ones time out."""
    return _cable(terminal, hosts, name, cut=True)


@lab_verb
def heal(terminal: Terminal, hosts: HostNames, name: FleetName = None) -> Exit:
    """Give hosts their network back."""
    return _cable(terminal, hosts, name, cut=False)


@lab_verb
def digest(
    terminal: Terminal,
    host: HostName,
    name: FleetName = None,
    listing: Annotated[bool, typer.Option("--listing", help="Print what it is made of, one line a path.")] = False,
) -> Exit:
    """A number for all that a host has written: the same number proves that nothing was changed."""
    rootless.become_root(name)
    place = fleet_place(name)
    fleet.host_named(place, host)
    upper = running.upper_of(place, running.require_daemon(place), host)
    if listing:
        terminal.show("\n".join(digests.listing(upper)))
        return Exit.DONE
    made = digests.digest(upper)
    if terminal.json:
        shown = {"host": host, "sha256": made.sha256, "paths": made.paths, "exceptions": digests.EXCEPTIONS}
        terminal.show(json.dumps(shown, indent=2))
    else:
        left_out = "\n".join(f"left out: /{path}  ({why})" for path, why in digests.EXCEPTIONS.items())
        terminal.show(f"sha256:{made.sha256}  {host}, {made.paths} paths\n{left_out}")
    return Exit.DONE


@lab_verb
def logs(terminal: Terminal, host: HostName, name: FleetName = None) -> Exit:
    """Print what a host wrote on its console, all boots."""
    rootless.become_root(name)
    place = fleet_place(name)
    fleet.host_named(place, host)
    console = place.console(host)
    terminal.show(console.read_text(errors="replace") if console.exists() else "")
    return Exit.DONE


def _cable(terminal: Terminal, hosts: list[str], name: str | None, *, cut: bool) -> Exit:
    rootless.become_root(name)
    place = fleet_place(name)
    fleet.hosts_named(place, hosts)
    for host in hosts:
        protocol.ask(place, "cut", host=host, cut=cut)
    terminal.note(f"{', '.join(hosts)}: network {'cut' if cut else 'healed'}")
    return Exit.DONE


def _catalogue(terminal: Terminal) -> str:
    rows = [(row.name, row.does) for row in faults.book().faults]
    if terminal.json:
        return json.dumps([{"name": fault_name, "does": does} for fault_name, does in rows], indent=2)
    return "\n".join(columns(rows))
