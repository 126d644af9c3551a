"""`--evidence`: the options, and hosts read from files instead of over SSH."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ascend_provision.cli.terminal import Terminal
from ascend_provision.evidence.facts import read
from ascend_provision.fleet import given as files
from ascend_provision.report.facts import strangers
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.given import GivenEvidence

Evidence = Annotated[
    list[Path] | None,
    typer.Option(
        "--evidence",
        metavar="PATH",
        help="Without SSH: files, or a directory a host, of what hosts printed; more PATHs may follow.",
    ),
]
More = Annotated[list[Path] | None, typer.Argument(metavar="[PATH]...", help="More of the evidence.")]
Name = Annotated[str | None, typer.Option("--name", metavar="HOST", help="The host that the evidence is of.")]


def read_given(
    terminal: Terminal, paths: Sequence[Path], name: str | None
) -> tuple[dict[str, HostFacts], tuple[GivenEvidence, ...]]:
    """Facts of every host in the files, and how they were understood; what nobody recognises is said beside."""
    given = files.load(paths, name)
    for line in strangers(given):
        terminal.note(line)
    return {item.host: read(item.record) for item in given}, given


def evidence_paths(
    verb: str,
    hosts: str | None,
    inventory: Sequence[str] | None,
    evidence: Sequence[Path] | None,
    more: Sequence[Path] | None,
) -> tuple[Path, ...]:
    """The PATHs; () when hosts are to be asked. Raises UsageError for both, neither, or PATHs without `--evidence`."""
    explain = ", or --explain ID" if verb == "check" else ""
    if bool(evidence) == (hosts is not None):
        raise UsageError(
            "--hosts and --evidence exclude each other" if evidence else f"give --hosts or --evidence{explain}",
            code="command-line",
            why="evidence is read from files, no host is asked" if evidence else "",
            next_action=f"ascend-provision {verb} --hosts all -i INVENTORY, or --evidence FILE…{explain}",
        )
    if more and not evidence:
        words = " ".join(map(str, more))
        raise UsageError(f"`{words}`: a verb takes no such words", code="command-line", why="files need --evidence")
    if hosts is not None and not inventory:
        raise UsageError(
            "--hosts needs an inventory",
            code="command-line",
            next_action=f"ascend-provision {verb} --hosts all -i INVENTORY{explain}",
        )
    return (*(evidence or ()), *(more or ()))


def only_with(option: str, needed: str, *, given: bool, there: bool) -> None:
    """Raise UsageError for an option that means nothing without (or with) another, instead of dropping it."""
    if given and not there:
        raise UsageError(f"{option} means nothing without {needed}", code="command-line", next_action=f"add {needed}")
