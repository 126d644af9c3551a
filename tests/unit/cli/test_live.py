"""What a person sees during a run: one line an event on a pipe, a table that fits on a terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from ascend_provision.cli.live import Board, line, watch
from ascend_provision.cli.terminal import Terminal
from ascend_provision.fleet.progress import Progress
from ascend_provision.stack.plan import Ending


def drawn(board: Board, height: int, now: float) -> str:
    console = Console(file=io.StringIO(), width=100, height=height, no_color=True)
    console.print(board.table(height, now))
    return console.file.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("progress", "sentence"),
    [
        (
            Progress(host="h1", step="driver-install", state="started", expected=240),
            "h1: driver-install started (expected 4 min 00 s)",
        ),
        (
            Progress(host="h1", step="driver-install", state="ended", ending=Ending.REBOOT_NEEDED, elapsed=84.2),
            "h1: driver-install reboot-needed after 84 s",
        ),
        (
            Progress(host="h1", step="verify", state="host-ended", message="done"),
            "h1: ended: done",
        ),
        (
            Progress(host="h1", step="reboot", state="note", message="does not answer yet"),
            "h1: reboot: does not answer yet",
        ),
    ],
    ids=["started", "ended", "host ended", "note"],
)
def test_each_event_is_one_sentence(progress: Progress, sentence: str) -> None:
    assert line(progress) == sentence


def test_on_a_pipe_every_event_is_a_line_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    with watch(Terminal(), ["h1"], "upgrade") as tell:
        tell(Progress(host="h1", step="stage", state="started"))
        tell(Progress(host="h1", step="stage", state="ended", ending=Ending.DONE, elapsed=1, message="\x1b[2J"))

    out, err = capsys.readouterr()
    assert (out, err) == ("", "h1: stage started\nh1: stage done after 1.0 s: \\x1b[2J\n")


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
