"""Text a terminal can be shown."""

from __future__ import annotations

import pytest

from ascend_provision.report.plain import columns, neutral, span


def test_a_hosts_escape_sequences_are_shown_and_not_obeyed() -> None:
    hostile = "done\x1b[2J\x1b]0;owned\x07\r\x9b31m \u202eevil"

    shown = neutral(hostile)

    assert shown == "done\\x1b[2J\\x1b]0;owned\\x07\\x0d\\x9b31m \\x202eevil"
    assert neutral("lines\nand\ttabs stay, 中文 too") == "lines\nand\ttabs stay, 中文 too"


def test_columns_line_up_and_end_without_blanks() -> None:
    assert columns([("HOST", "OUTCOME"), ("a1-1", "done"), ("a2-10", "")]) == ["HOST   OUTCOME", "a1-1   done", "a2-10"]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.43, "0.4 s"), (12.0, "12 s"), (119.0, "119 s"), (125.0, "2 min 05 s"), (3600, "60 min 00 s")],
)
def test_durations_are_said_as_people_say_them(seconds: float, said: str) -> None:
    assert span(seconds) == said
