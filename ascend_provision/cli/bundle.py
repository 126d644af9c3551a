"""`bundle add|list|verify`: the directory of packages that plans are made from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from ascend_provision.bundle import store
from ascend_provision.cli.exit import Exit
from ascend_provision.cli.options import verb
from ascend_provision.cli.terminal import Terminal
from ascend_provision.report.plain import columns, counted
from ascend_provision.stack.packages import Package

app = typer.Typer(help="Keep a verified directory of .run packages.")

Directory = Annotated[Path, typer.Argument(metavar="DIR", help="The package directory.")]


@app.command("add")
@verb
def add(
    terminal: Terminal,
    directory: Directory,
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE", help="Packages to copy in.")] = None,
) -> Exit:
    """Copy FILEs into DIR and record their sha256; without FILE, record what is in DIR already.

    They are recorded as they are: compare them with the vendor's checksums first.
    """
    terminal.show(_listing(store.add(directory, files or ()), terminal))
    return Exit.DONE


@app.command("list")
@verb
def show(terminal: Terminal, directory: Directory) -> Exit:
    """Verify DIR and list its packages."""
    terminal.show(_listing(store.open(directory).packages, terminal))
    return Exit.DONE


@app.command("verify")
@verb
def verify(terminal: Terminal, directory: Directory) -> Exit:
    """Compare every package of DIR with its recorded sha256."""
    verified = len(store.open(directory).packages)
    sentence = f"{counted(verified, 'package')} verified in {directory}"
    terminal.show(json.dumps({"verified": verified}) if terminal.json else sentence)
    return Exit.DONE


def _listing(packages: tuple[Package, ...], terminal: Terminal) -> str:
    if terminal.json:
        return json.dumps({"packages": [package.model_dump(mode="json") for package in packages]}, indent=2)
    rows = [("COMPONENT", "VERSION", "CHIP", "ARCH", "SHA256", "FILE")]
    rows += [(p.component, p.version, p.chip or "any", p.arch or "any", p.sha256[:12], p.file) for p in packages]
    return "\n".join(columns(rows))
