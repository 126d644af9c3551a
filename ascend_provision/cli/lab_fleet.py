"""`lab up|down|status|inventory|run|image|packages`: the fleet as a whole."""

from __future__ import annotations

import json
import os
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
import yaml

from ascend_provision.cli.exit import Exit
from ascend_provision.cli.lab_verb import FleetName, command_words, lab_verb
from ascend_provision.cli.terminal import Terminal
from ascend_provision.lab import faulting, fleet, image, netns, protocol, rootless, running
from ascend_provision.lab.dressing import AscendDresser, Order
from ascend_provision.lab.errors import LabError
from ascend_provision.lab.packages import build
from ascend_provision.lab.places import fleet_place
from ascend_provision.report.plain import columns


class Python(str, Enum):
    """Which Python a host has."""

    SYSTEM = "system"
    NONE = "none"
    OLD = "3.6"


class Init(str, Enum):
    """What a host's PID 1 is."""

    SYSTEMD = "systemd"
    LIGHT = "light"


@lab_verb
def up(
    terminal: Terminal,
    nodes: Annotated[int, typer.Option("--nodes", metavar="N", help="How many hosts to add.")] = 1,
    profile: Annotated[
        str, typer.Option("--profile", help="Which product; a wrong name lists all.")
    ] = "atlas-800-9000",
    stack: Annotated[str, typer.Option("--stack", help="What is installed: hdk22, hdk23 … or bare.")] = "bare",
    name: FleetName = None,
    prefix: Annotated[str | None, typer.Option("--prefix", help="Host names; default the chip family: a1-1 …")] = None,
    python: Annotated[Python, typer.Option("--python", help="The hosts' own Python.")] = Python.SYSTEM,
    mpi: Annotated[bool, typer.Option("--mpi/--no-mpi", help="MPICH on the hosts.")] = True,
    services: Annotated[bool, typer.Option("--services/--no-services", help="Services that hold cards.")] = True,
    containers: Annotated[
        bool, typer.Option("--containers/--no-containers", help="Containers that hold cards.")
    ] = True,
    npu_ips: Annotated[bool, typer.Option("--npu-ips/--no-npu-ips", help="NPU network configured.")] = True,
    frameworks: Annotated[bool, typer.Option("--frameworks/--no-frameworks", help="Python environments.")] = True,
    chip_name: Annotated[
        str | None, typer.Option("--chip-name", help="A name the profile's chip is printed as.")
    ] = None,
    init: Annotated[Init, typer.Option("--init", help="PID 1: systemd, or only sshd.")] = Init.SYSTEMD,
    disk: Annotated[int, typer.Option("--disk", min=64, metavar="MB", help="Size of each host's disk.")] = 20480,
    owner: Annotated[int | None, typer.Option("--owner", metavar="PID", help="End the fleet when PID ends.")] = None,
    timeout: Annotated[float, typer.Option("--timeout", metavar="SECONDS", help="Longest wait for the hosts.")] = 120.0,
) -> Exit:
    """Start hosts; called again it adds hosts, of another kind too."""
    rootless.become_root(name)
    order = Order(
        nodes=nodes,
        profile=profile,
        stack=stack,
        prefix=prefix,
        init=init.value,
        disk_mb=disk,
        options={
            "python": python.value,
            "mpi": mpi,
            "services": services,
            "containers": containers,
            "npu_ips": npu_ips,
            "frameworks": frameworks,
            "chip_name": chip_name,
        },
    )
    place = fleet_place(name)
    hosts = fleet.bring_up(place, order, AscendDresser(), terminal.note, owner=owner, limit_s=timeout)
    if terminal.json:
        terminal.show(json.dumps({"hosts": [protocol.status_row(h) for h in hosts], "inventory": str(place.inventory)}))
    else:
        terminal.show(f"{', '.join(h.name for h in hosts)}: {profile}, {stack}, ready\ninventory: {place.inventory}")
    return Exit.DONE


@lab_verb
def down(terminal: Terminal, name: FleetName = None) -> Exit:
    """End the fleet and remove all of it."""
    rootless.become_root(name)
    place = fleet_place(name)
    ran = fleet.take_down(place)
    terminal.note(f"fleet {place.name} is down" if ran else f"fleet {place.name} was not up")
    return Exit.DONE


@lab_verb
def status(terminal: Terminal, name: FleetName = None) -> Exit:
    """Show the fleet's hosts."""
    rootless.become_root(name)
    place = fleet_place(name)
    daemon = running.require_daemon(place)
    rows = [{**protocol.status_row(h), "faults": faulting.active(place, daemon, h)} for h in protocol.status(place)]
    if terminal.json:
        terminal.show(json.dumps({"fleet": place.name, "daemon": daemon, "hosts": rows}, indent=2))
        return Exit.DONE
    lines = [("HOST", "ADDRESS", "PROFILE", "STACK", "STATE", "BOOTS", "FAULTS")]
    for row in rows:
        state = f"{row['state']}{', cut' if row['cut'] else ''}"
        faults = ", ".join(row["faults"]) or "-"
        lines.append((row["name"], row["ip"], row["profile"], row["stack"], state, str(row["boots"]), faults))
    terminal.show("\n".join(columns(lines)))
    return Exit.DONE


@lab_verb
def inventory(
    terminal: Terminal,
    name: FleetName = None,
    path: Annotated[bool, typer.Option("--path", help="Print the inventory file's path instead.")] = False,
    ssh_config_path: Annotated[
        bool, typer.Option("--ssh-config-path", help="Print the path for `ssh -F` instead.")
    ] = False,
) -> Exit:
    """Print the Ansible inventory of the fleet."""
    rootless.become_root(name)
    place = fleet_place(name)
    running.require_daemon(place)
    if terminal.json:
        shown = {"inventory": str(place.inventory), "ssh_config": str(place.ssh_config)}
        terminal.show(json.dumps({**shown, "content": yaml.safe_load(place.inventory.read_text())}, indent=2))
    elif path:
        terminal.show(str(place.inventory))
    elif ssh_config_path:
        terminal.show(str(place.ssh_config))
    else:
        terminal.show(place.inventory.read_text())
    return Exit.DONE


@lab_verb
def run(
    terminal: Terminal,
    command: Annotated[list[str], typer.Argument(metavar="-- CMD...", help="A command on this machine.")],
    name: FleetName = None,
) -> Exit:
    """Run a command of this machine inside the fleet's network."""
    del terminal
    rootless.become_root(name)
    place = fleet_place(name)
    daemon = running.require_daemon(place)
    environment = {"ANSIBLE_INVENTORY": str(place.inventory), **os.environ}
    argv = command_words(command)
    try:
        netns.replace_by_command(daemon, argv, environment)
    except FileNotFoundError as problem:
        raise LabError(code="lab-no-command", what=f"there is no command `{argv[0]}` on this machine") from problem
    return Exit.DONE


@lab_verb
def make_image(
    terminal: Terminal,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Build it even if it is there.")] = False,
) -> Exit:
    """Build the hosts' root file system (`lab up` does it when needed)."""
    rootless.become_root(None)
    built = str(image.ensure(terminal.note, rebuild=rebuild))
    terminal.show(json.dumps({"image": built}) if terminal.json else built)
    return Exit.DONE


@lab_verb
def packages(
    terminal: Terminal,
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Where the packages go.")],
    stack: Annotated[
        list[str] | None, typer.Option("--stack", metavar="PROFILE/STACK", help="Only this one's; repeatable.")
    ] = None,
    arch: Annotated[str | None, typer.Option("--arch", help="x86_64 or aarch64; default this machine's.")] = None,
    pad: Annotated[float, typer.Option("--pad", min=0, metavar="MB", help="Make each this much larger.")] = 0,
) -> Exit:
    """Build simulated `.run` packages under the vendor's names, with their SHA256SUMS."""
    pairs = [_pair(text) for text in stack] if stack else None
    made = build.build(directory, stacks=pairs, arch=arch, pad_mb=pad)
    names = [path.name for path in made]
    terminal.show(json.dumps({"packages": names}) if terminal.json else "\n".join(names))
    return Exit.DONE


def _pair(text: str) -> tuple[str, str]:
    profile, slash, stack = text.partition("/")
    if not slash:
        raise LabError(
            code="lab-stack-usage",
            what=f"--stack {text}: name a profile too",
            next="e.g. `--stack atlas-800-9000/hdk22`",
        )
    return profile, stack
