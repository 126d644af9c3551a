"""`facts`: what is known about each host, nothing judged."""

from __future__ import annotations

import json

import yaml

from ascend_provision.cli.exit import Exit
from ascend_provision.cli.gathering import Scope, read_fleet
from ascend_provision.cli.options import Deadline, Forks, Hosts, Inventory, verb
from ascend_provision.cli.terminal import Terminal
from ascend_provision.fleet.gather import PROBE_DEADLINE_SECONDS
from ascend_provision.fleet.runner import MAX_FORKS


@verb
def facts(
    terminal: Terminal,
    hosts: Hosts,
    inventory: Inventory,
    deadline: Deadline = PROBE_DEADLINE_SECONDS,
    forks: Forks = MAX_FORKS,
) -> Exit:
    """Read every host and print its facts; what could not be read says why."""
    _, gathered = read_fleet(Scope(hosts, tuple(inventory), deadline, forks), terminal, "facts")
    document = {
        "schema_version": 1,
        "hosts": {host: gathered.facts[host].model_dump(mode="json") for host in sorted(gathered.facts)},
        "unreachable": dict(sorted(gathered.unreachable.items())),
    }
    if terminal.json:
        terminal.show(json.dumps(document, indent=1, ensure_ascii=True))
    else:
        terminal.show(yaml.safe_dump(document, sort_keys=False, allow_unicode=False, width=120))
    return Exit.UNKNOWN if gathered.unreachable else Exit.DONE
