"""What the lab's verbs share: the fleet's name, commands behind `--`, and how its errors are printed."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from ascend_provision.cli.exit import Exit
from ascend_provision.cli.options import verb
from ascend_provision.cli.terminal import Terminal, complain
from ascend_provision.lab.errors import LabError
from ascend_provision.lab.places import NAME_VARIABLE
from ascend_provision.stack.errors import ProvisionError

FleetName = Annotated[
    str | None, typer.Option("--name", metavar="FLEET", help=f"Which fleet; default ${NAME_VARIABLE} or `default`.")
]


def lab_verb(function: Callable[..., Exit | int]) -> Callable[..., int]:
    """A verb with the global options whose LabError is printed like every other error."""

    @functools.wraps(function)
    def run(terminal: Terminal, **values: object) -> int:
        try:
            return int(function(terminal, **values))
        except LabError as error:
            complain(ProvisionError(error.what, code=error.code, next_action=error.next), sys.stderr)
            return error.exit

    # `run` is built from another signature, which `verb` reads at run time and mypy cannot see.
    return verb(run)  # type: ignore[arg-type]


def command_words(command: list[str]) -> list[str]:
    """The words after an optional `--`; LabError if there are none."""
    words = command[1:] if command[:1] == ["--"] else command
    if not words:
        raise LabError(code="lab-no-command", what="no command was given", next="put it after `--`")
    return words
