"""`check`: is every host as it should be?"""

from __future__ import annotations

import functools
import time
from pathlib import Path
from typing import Annotated

import typer

from ascend_provision.cli import exit as statuses
from ascend_provision.cli import site_matrix
from ascend_provision.cli.exit import Exit
from ascend_provision.cli.gathering import Scope, read_fleet
from ascend_provision.cli.given import Evidence, More, Name, evidence_paths, only_with, read_given
from ascend_provision.cli.language import LangOption, language
from ascend_provision.cli.options import Deadline, Forks, MaybeHosts, MaybeInventory, verb
from ascend_provision.cli.site_matrix import MatrixFile
from ascend_provision.cli.terminal import Terminal
from ascend_provision.fleet.ansible_core import oldest_target_python
from ascend_provision.fleet.gather import PROBE_DEADLINE_SECONDS, READ_FORKS, Gathered
from ascend_provision.fleet.recording import prepare, record
from ascend_provision.fleet.schedule import Kept, keep
from ascend_provision.knowledge import wishes
from ascend_provision.report import explanation, json, model
from ascend_provision.report.check import render
from ascend_provision.stack.errors import ProvisionError
from ascend_provision.stack.findings import Language


@verb
def check(
    terminal: Terminal,
    hosts: MaybeHosts = None,
    inventory: MaybeInventory = None,
    evidence: Evidence = None,
    more: More = None,
    name: Name = None,
    recorded: Annotated[
        Path | None,
        typer.Option(
            "--record",
            metavar="DIR",
            help="Keep what the hosts said in DIR, for --evidence; without secrets and serials.",
        ),
    ] = None,
    keep_addresses: Annotated[
        bool, typer.Option("--keep-addresses", help="With --record: IP and MAC addresses stay as they are.")
    ] = False,
    deadline: Deadline = PROBE_DEADLINE_SECONDS,
    forks: Forks = READ_FORKS,
    kept: Annotated[
        Path | None, typer.Option("--keep", metavar="DIR", help="Keep report.txt, report.json and status.json in DIR.")
    ] = None,
    explain: Annotated[
        str | None, typer.Option("--explain", metavar="ID", help="Tell all about a finding; no host is read.")
    ] = None,
    what_if: Annotated[
        str | None,
        typer.Option(
            "--what-if", metavar="WISH", help="Judge every host as if this were installed, e.g. cann=8.3.RC2."
        ),
    ] = None,
    matrix: MatrixFile = None,
    lang: LangOption = None,
) -> Exit:
    """Read every host, or files of what it printed, and judge it: pairing, chips, holders, network, environment."""
    if explain is not None:
        return _explain(terminal, explain, language(lang))
    began, rows = time.time(), site_matrix.load(matrix)
    wish = None if what_if is None else wishes.parse(what_if, option="--what-if")
    paths = evidence_paths("check", hosts, inventory, evidence, more)
    only_with("--name", "--evidence", given=name is not None, there=bool(paths))
    only_with("--record", "--hosts", given=recorded is not None, there=not paths)
    only_with("--keep-addresses", "--record", given=keep_addresses, there=recorded is not None)
    if recorded is not None:
        prepare(recorded)
    try:
        if paths:
            gathered = Gathered(facts=read_given(terminal, paths, name)[0], unreachable={})
        else:
            scope = Scope(hosts or "", tuple(inventory or ()), deadline, forks)
            _, gathered = read_fleet(scope, terminal, "check")
    except ProvisionError as error:
        if kept:
            status = statuses.of_error(error)
            keep(kept, Kept(exit_status=status, started_at=began, ended_at=time.time(), error=error.what), {})
        raise
    judge = model.check if wish is None else functools.partial(model.check_as_if, wish=wish)
    report = judge(
        gathered.facts,
        gathered.unreachable,
        target_python=oldest_target_python(),
        language=language(lang),
        matrix=rows,
    )
    status = statuses.of_verdicts(report.verdicts, len(report.unreachable))
    texts = {"report.txt": render(report), "report.json": json.render(report)}
    if kept:
        keep(kept, Kept(exit_status=status, started_at=began, ended_at=time.time()), texts)
    terminal.show(texts["report.json" if terminal.json else "report.txt"])
    if recorded and gathered.evidence:
        pods = {host: facts.super_pod for host, facts in gathered.facts.items()}
        for line in record(gathered.evidence, pods, recorded, keep_addresses=keep_addresses):
            terminal.note(line)
    return status


def _explain(terminal: Terminal, key: str, lang: Language) -> Exit:
    explained = explanation.explain(key, lang)
    terminal.show(json.render(explained) if terminal.json else explanation.render(explained))
    return Exit.DONE
