"""What reaches a terminal is text only, and files are whole."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from ascend_provision.cli.terminal import Format, Terminal, complain, write_whole
from ascend_provision.stack.errors import UsageError


def test_an_error_that_quotes_a_host_is_neutral() -> None:
    stream = io.StringIO()

    complain(UsageError("what", code="some-code", why="\x1b[31mred", next_action="do this"), stream)

    assert stream.getvalue() == "error: what [some-code]\nwhy: \\x1b[31mred\nhint: do this\n"


def test_notes_never_mix_with_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    terminal = Terminal(format=Format.JSON)
    terminal.note("a sentence")
    terminal.tell("a plan")
    terminal.show("{}")

    out, err = capsys.readouterr()
    assert (out, err) == ("{}\n", "a sentence\na plan\n")


def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "report.txt"
    write_whole(target, "old")
    write_whole(target, "new")

    assert target.read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        write_whole(tmp_path / "no" / "where", "x")

    assert error.value.code == "output-unwritable"
