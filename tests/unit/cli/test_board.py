"""The table of a run on a terminal: it fits, and shows the hosts that are at work."""

from __future__ import annotations

import io

from rich.console import Console

from ascend_provision.cli.board import Board
from ascend_provision.fleet.progress import Progress


def drawn(board: Board, height: int, now: float) -> str:
    console = Console(file=io.StringIO(), width=100, height=height, no_color=True)
    console.print(board.table(height, now))
    return console.file.getvalue()


def test_the_table_shows_step_elapsed_and_expected_of_each_host() -> None:
    board = Board(["h1", "h2"], "upgrade")
    board.take(Progress(host="h1", step="driver-install", state="started", expected=240), now=100.0)

    text = drawn(board, 30, now=142.0)

    assert "upgrade: 0 of 2 hosts ended" in text
    row = next(each for each in text.splitlines() if "h1" in each)
    assert [cell.strip() for cell in row.strip("│┃ ").split("│")][:4] == ["h1", "driver-install", "42 s", "4 min 00 s"]
    assert "waiting" in text


def test_hosts_that_are_at_work_stay_visible_when_not_all_fit() -> None:
    board = Board([f"h{number}" for number in range(50)], "upgrade")
    board.take(Progress(host="h49", step="reboot-final", state="started"), now=0.0)
    board.take(Progress(host="h0", step="", state="host-ended", message="done"), now=0.0)

    text = drawn(board, 12, now=1.0)

    assert "h49" in text
    assert "and 44 more" in text
    assert len(text.splitlines()) <= 14


def test_a_hosts_words_cannot_redraw_the_screen() -> None:
    board = Board(["h1"], "upgrade")
    board.take(Progress(host="h1", step="stage", state="note", message="[bold]x[/bold]\x1b[2J"), now=0.0)

    text = drawn(board, 30, now=0.0)

    assert "[bold]x[/bold]\\x1b[2J" in text
