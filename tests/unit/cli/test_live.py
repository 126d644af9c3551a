"""What a person sees during a run: one line an event on a pipe, a table that fits on a terminal."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ascend_provision.cli.live import line, watch
from ascend_provision.cli.terminal import Terminal
from ascend_provision.fleet.progress import Progress
from ascend_provision.stack.plan import Ending


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


def test_what_only_a_terminal_needs_is_not_loaded_for_a_pipe() -> None:
    """Each of these takes as long to load as it takes to judge ten hosts and more."""
    heavy = ("rich.console", "rich.table", "ansible.module_utils.basic", "ansible.cli")
    loaded = f"import sys, ascend_provision.cli.check; print([name for name in {heavy!r} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)

    assert ran.stdout == "[]\n"
