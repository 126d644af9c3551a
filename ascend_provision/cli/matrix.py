"""`matrix show|explain|what-if|sources|lint`: what goes together, by every published row, without a host."""

from __future__ import annotations

from typing import Annotated

import typer

from ascend_provision.cli import exit as statuses
from ascend_provision.cli import site_matrix
from ascend_provision.cli.exit import Exit
from ascend_provision.cli.options import verb
from ascend_provision.cli.site_matrix import MatrixFile
from ascend_provision.cli.terminal import Terminal
from ascend_provision.knowledge import lint, rows, typed, what_if, wishes
from ascend_provision.knowledge.solution import Request
from ascend_provision.knowledge.tables import tables
from ascend_provision.report import json
from ascend_provision.report import matrix as report

app = typer.Typer(help="Which versions go together, why, and what would have to change. Exit 0 yes, 3 no, 5 unknown.")

Versions = Annotated[
    list[str], typer.Argument(metavar="NAME=VERSION…", help="driver, firmware, cann, torch_npu, mindspore …, and chip.")
]


@app.command("explain")
@verb
def explain(terminal: Terminal, versions: Versions, matrix: MatrixFile = None) -> Exit:
    """Judge these versions pair by pair, with the rows behind each answer."""
    asked = typed.read(versions)
    found = site_matrix.load(matrix).explain(asked.versions, asked.chip)
    terminal.show(json.render(found) if terminal.json else report.explanation(found))
    return statuses.of_fit(found.verdict)


@app.command("what-if")
@verb
def ask(
    terminal: Terminal,
    versions: Versions,
    wish: Annotated[
        str,
        typer.Option("--wish", metavar="WISH", help="e.g. torch_npu=2.6.0, hdk=24.1.0, hdk24, expandable_segments."),
    ] = "",
    keep: Annotated[
        list[str] | None, typer.Option("--keep", metavar="NAME", help="Do not change this component; repeatable.")
    ] = None,
    accept_unknown: Annotated[
        bool, typer.Option("--accept-unknown", help="Versions that nobody publishes together may come about.")
    ] = False,
    matrix: MatrixFile = None,
) -> Exit:
    """The least that must change for a wish (or to be consistent), why, in which order, and what runs afterwards."""
    asked = typed.read(versions)
    known = tables(site_matrix.load(matrix), asked.chip)
    parts = asked.parts(keep or ())
    wants = wishes.wants(wishes.parse(wish, option="--wish"), known, parts, asked.chip or None) if wish else ()
    request = Request(parts=parts, wants=wants, accept_unknown=accept_unknown, stopover=asked.stopover)
    found = what_if.answer(request, known, asked.chip)
    terminal.show(json.render(found) if terminal.json else report.what_if(found))
    return statuses.of_fit(found.solution.verdict)


@app.command("show")
@verb
def show(
    terminal: Terminal,
    versions: Annotated[
        list[str] | None, typer.Argument(metavar="NAME[=VERSION]…", help="Only rows that name all of these.")
    ] = None,
    matrix: MatrixFile = None,
) -> Exit:
    """The rows themselves."""
    found = typed.rows_naming(site_matrix.load(matrix).statements, versions or ())
    terminal.show(json.render(report.Rows(rows=found)) if terminal.json else report.statements(found))
    return Exit.DONE


@app.command("sources")
@verb
def sources(terminal: Terminal, matrix: MatrixFile = None) -> Exit:
    """Where the rows come from, and how many rest on each place."""
    found = report.by_source(site_matrix.load(matrix).statements, rows.sources())
    terminal.show(json.render(report.Sources(sources=found)) if terminal.json else report.sources(found))
    return Exit.DONE


@app.command("lint")
@verb
def check_rows(terminal: Terminal, matrix: MatrixFile = None) -> Exit:
    """What is wrong with the rows: broken ones, doubles, contradictions between sources. Exit 3 if not yet known."""
    found = lint.shipped() if matrix is None else lint.lint(site_matrix.load(matrix), kept=lint.known())
    terminal.show(json.render(found) if terminal.json else report.lint(found))
    return Exit.DONE if found.clean else Exit.NONCOMPLIANT
