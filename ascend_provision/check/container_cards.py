"""How many cards a container sees: in it they are numbered from 0, whatever they are on the host."""

from __future__ import annotations

import re

from ascend_provision.knowledge import container_needs
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import ContainerSetup

ASKED = "ASCEND_VISIBLE_DEVICES"
_CARD = re.compile(r"/dev/davinci\d+")


def seen(box: ContainerSetup, facts: HostFacts) -> int | Unknown:
    """By its nodes, by what it asks the Ascend runtime for, or all of the host's where it is privileged."""
    if box.privileged:
        return facts.chips if isinstance(facts.chips, Unknown) else len(facts.chips)
    nodes = {node for node in box.nodes if _CARD.fullmatch(node)}
    wanted = asked(box)
    if brings_nodes(box):
        return wanted if isinstance(wanted, Unknown) else max(wanted, len(nodes))
    return len(nodes)


def asked(box: ContainerSetup) -> int | Unknown:
    """How many cards ASCEND_VISIBLE_DEVICES names: numbers and ranges; names of another form are not understood."""
    total = 0
    for part in box.variables.get(ASKED, "").split(","):
        first, dash, last = part.strip().partition("-")
        if not first or first == "void":
            continue
        if not all(word.isascii() and word.isdigit() and len(word) < 4 for word in (first, last if dash else "0")):
            return Unknown(unknown=f"{ASKED}={box.variables[ASKED]} was not understood")
        total += max(int(last or first) - int(first) + 1, 0)
    return total


def brings_nodes(box: ContainerSetup) -> bool:
    """Its OCI runtime gives it nodes and mounts by itself."""
    return box.runtime in container_needs.runtimes()


def of_process(pid: int, facts: HostFacts) -> int | Unknown | None:
    """The cards that this process sees where it is in a container; None for the host's own."""
    if isinstance(facts.holders, Unknown):
        return None
    box = next((holder.container for holder in facts.holders if holder.pid == pid), None)
    if box is None:
        return None
    if isinstance(facts.container_setups, Unknown):
        return facts.container_setups
    setup = next((item for item in facts.container_setups if item.id == box), None)
    return Unknown(unknown=f"nothing is known about container {box[:12]}") if setup is None else seen(setup, facts)
