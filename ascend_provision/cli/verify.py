"""`verify`: does every host run the stack it should?"""

from __future__ import annotations

from ascend_provision.cli import exit as statuses
from ascend_provision.cli.exit import Exit
from ascend_provision.cli.gathering import Scope, read_fleet
from ascend_provision.cli.language import LangOption, language
from ascend_provision.cli.options import Deadline, Forks, Hosts, Inventory, ToRequired, verb
from ascend_provision.cli.terminal import Terminal
from ascend_provision.fleet.gather import PROBE_DEADLINE_SECONDS, READ_FORKS
from ascend_provision.fleet.targets import targets
from ascend_provision.knowledge import wishes
from ascend_provision.report import json, model
from ascend_provision.report.check import render


@verb
def verify(
    terminal: Terminal,
    hosts: Hosts,
    inventory: Inventory,
    to: ToRequired,
    deadline: Deadline = PROBE_DEADLINE_SECONDS,
    forks: Forks = READ_FORKS,
    lang: LangOption = None,
) -> Exit:
    """Compare what runs (loaded driver, active firmware, CANN, chips) with STACK; a few seconds, nothing is written."""
    wish = wishes.parse(to)
    _, gathered = read_fleet(Scope(hosts, tuple(inventory), deadline, forks), terminal, "verify")
    wanted, missing = targets(gathered, wish)
    report = model.verify(gathered.facts, gathered.unreachable, wanted, wish, language=language(lang))
    terminal.show(json.render(report) if terminal.json else render(report))
    for host, why in missing.items():
        terminal.note(f"{host}: not judged: {why}")
    return statuses.of_verdicts(report.verdicts, len(report.unreachable) + len(missing))
