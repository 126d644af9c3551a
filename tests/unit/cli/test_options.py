"""The global options, given to every verb in one place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from ascend_provision.cli.exit import Exit
from ascend_provision.cli.main import command_line, main
from ascend_provision.cli.options import verb
from ascend_provision.cli.terminal import Format, Terminal


def verbs(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from verbs(command, (*path, name))
        else:
            yield (*path, name), command


VERBS = dict(verbs(typer.main.get_command(command_line())))


@pytest.mark.parametrize("path", VERBS, ids=" ".join)
def test_every_verb_has_the_global_options_and_says_what_it_does(path: tuple[str, ...]) -> None:
    options = {name for parameter in VERBS[path].params for name in parameter.opts}

    assert {"--format", "--output", "-o", "--no-color", "--verbose", "-v"} <= options
    assert (VERBS[path].help or "").strip().endswith(".")


@pytest.mark.parametrize("path", [path for path in VERBS if path[0] != "lab"], ids=" ".join)
def test_every_option_is_explained(path: tuple[str, ...]) -> None:
    assert [parameter.name for parameter in VERBS[path].params if not getattr(parameter, "help", "")] == []


def test_a_verb_gets_what_was_typed_as_one_terminal() -> None:
    seen: list[Terminal] = []
    one = typer.Typer()

    @one.command()
    @verb
    def look(terminal: Terminal, where: str) -> Exit:
        """Look."""
        seen.append(terminal)
        return Exit.PENDING if where == "here" else Exit.DONE

    status = one(["here", "--format", "json", "-o", "x", "--no-color", "-v"], standalone_mode=False)

    assert status == 2
    assert seen == [Terminal(Format.JSON, Path("x"), color=False)]


@pytest.mark.parametrize("arguments", [["--deadline", "1"], ["--forks", "0"], ["--forks", "many"]])
def test_a_number_out_of_range_is_4(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--hosts", "all", "-i", "h,", *arguments]) == 4
    assert "Invalid value for" in capsys.readouterr().err
