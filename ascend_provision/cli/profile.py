"""`profile show`: the environment profile that is valid for each host as it is now."""

from __future__ import annotations

import json

import typer

from ascend_provision.cli.exit import Exit
from ascend_provision.cli.gathering import Scope, read_fleet
from ascend_provision.cli.options import Deadline, Forks, Hosts, Inventory, verb
from ascend_provision.cli.terminal import Terminal
from ascend_provision.fleet.gather import PROBE_DEADLINE_SECONDS, READ_FORKS
from ascend_provision.planner.profile import ProfileText, of_host
from ascend_provision.stack.model import Unknown

app = typer.Typer(help="The environment profile that fits a host's stack.")


@app.command("show")
@verb
def show(
    terminal: Terminal,
    hosts: Hosts,
    inventory: Inventory,
    deadline: Deadline = PROBE_DEADLINE_SECONDS,
    forks: Forks = READ_FORKS,
) -> Exit:
    """Print the profile for the driver each host runs now and every Python environment found on it; write nothing."""
    _, gathered = read_fleet(Scope(hosts, tuple(inventory), deadline, forks), terminal, "profile")
    profiles = {host: of_host(gathered.facts[host]) for host in sorted(gathered.facts)}
    known = {host: profile for host, profile in profiles.items() if isinstance(profile, ProfileText)}
    missing = {host: profile.unknown for host, profile in profiles.items() if isinstance(profile, Unknown)}
    missing |= gathered.unreachable
    if terminal.json:
        values = {host: profile.model_dump(mode="json") for host, profile in known.items()}
        terminal.show(json.dumps({"schema_version": 1, "profiles": values, "unknown": missing}, indent=1))
    else:
        terminal.show("\n".join(f"# ---- {host}\n{profile.shell}" for host, profile in known.items()))
        for host, why in sorted(missing.items()):
            terminal.note(f"{host}: no profile: {why}")
    return Exit.UNKNOWN if missing else Exit.DONE
