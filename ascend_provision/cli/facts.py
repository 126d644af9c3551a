"""`facts`: what is known about each host, nothing judged."""

from __future__ import annotations

from ascend_provision.cli.exit import Exit
from ascend_provision.cli.gathering import Scope, read_fleet
from ascend_provision.cli.given import Evidence, More, Name, evidence_paths, only_with, read_given
from ascend_provision.cli.options import Deadline, Forks, MaybeHosts, MaybeInventory, verb
from ascend_provision.cli.terminal import Terminal
from ascend_provision.fleet.gather import PROBE_DEADLINE_SECONDS, READ_FORKS
from ascend_provision.report import facts as documents
from ascend_provision.report import json


@verb
def facts(
    terminal: Terminal,
    hosts: MaybeHosts = None,
    inventory: MaybeInventory = None,
    evidence: Evidence = None,
    more: More = None,
    name: Name = None,
    deadline: Deadline = PROBE_DEADLINE_SECONDS,
    forks: Forks = READ_FORKS,
) -> Exit:
    """Read every host, or files of what it printed, and print the facts; what could not be read says why."""
    only_with("--name", "--evidence", given=name is not None, there=bool(evidence))
    if paths := evidence_paths("facts", hosts, inventory, evidence, more):
        found, given = read_given(terminal, paths, name)
        document = documents.report(found, {}, given)
        dark = [item.host for item in given if not any(piece.used for piece in item.pieces)]
    else:
        _, gathered = read_fleet(Scope(hosts or "", tuple(inventory or ()), deadline, forks), terminal, "facts")
        document = documents.report(gathered.facts, gathered.unreachable)
        dark = list(gathered.unreachable)
    terminal.show(json.render(document) if terminal.json else documents.render(document))
    return Exit.UNKNOWN if dark else Exit.DONE
