"""`schedule install|remove|status`: a check on a timer of this controller."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from ascend_provision.cli import places
from ascend_provision.cli.exit import Exit
from ascend_provision.cli.options import Deadline, Forks, Hosts, Inventory, verb
from ascend_provision.cli.terminal import Terminal
from ascend_provision.fleet import inventory as inventories
from ascend_provision.fleet.gather import PROBE_DEADLINE_SECONDS, READ_FORKS
from ascend_provision.fleet.runs import STATE_VARIABLE, state_directory
from ascend_provision.fleet.schedule import Schedule, Status, Systemd

app = typer.Typer(help="A check on a systemd timer of this machine, with its last report kept.")

Name = Annotated[str, typer.Option("--name", help="Name of the schedule: a-z, 0-9 and `-`.")]


@app.command("install")
@verb
def install(
    terminal: Terminal,
    hosts: Hosts,
    inventory: Inventory,
    on_calendar: Annotated[str, typer.Option("--on-calendar", help="When, as systemd.time(7) writes it.")] = "daily",
    name: Name = "fleet",
    deadline: Deadline = PROBE_DEADLINE_SECONDS,
    forks: Forks = READ_FORKS,
) -> Exit:
    """Check PATTERN at these times; the report and its exit status stay on disk, a bad one fails the unit."""
    known = inventories.load(inventory, hosts)
    directory = places.schedules() / name
    program = [sys.executable, "-m", "ascend_provision.cli.main", "check", "--hosts", hosts]
    sources = [word for source in known.sources for word in ("-i", source)]
    patience = ["--deadline", str(deadline), "--forks", str(forks), "--keep", str(directory)]
    Systemd().install(
        Schedule(
            name=name,
            calendar=on_calendar,
            command=(*program, *sources, *patience),
            directory=directory,
            working_directory=Path.cwd(),
            environment={STATE_VARIABLE: str(state_directory())},
        )
    )
    terminal.show(_shown([Systemd().status(name, directory)], terminal))
    return Exit.DONE


@app.command("remove")
@verb
def remove(terminal: Terminal, name: Name = "fleet") -> Exit:
    """Stop the timer and take its units away; the kept reports stay."""
    Systemd().remove(name)
    terminal.note(f"removed; its last report is still in {places.schedules() / name}")
    return Exit.DONE


@app.command("status")
@verb
def status(terminal: Terminal) -> Exit:
    """Every schedule of this machine: when it runs next, and how its last check ended."""
    systemd = Systemd()
    found = [systemd.status(name, places.schedules() / name) for name in systemd.names()]
    terminal.show(_shown(found, terminal))
    return Exit.DONE


def _shown(found: list[Status], terminal: Terminal) -> str:
    if terminal.json:
        return json.dumps({"schedules": [one.model_dump(mode="json") for one in found]}, indent=1)
    return "\n".join(_line(one) for one in found) or "no schedule on this machine"


def _line(one: Status) -> str:
    if one.kept is None:
        last = "no check ended yet"
    else:
        ended = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(one.kept.ended_at))
        took = one.kept.ended_at - one.kept.started_at
        last = f"last check ended {ended} with exit {one.kept.exit_status} after {took:.1f} s"
    return f"{one.name}: timer {one.timer}, next {one.next_run}; {last}; reports in {one.directory}"
