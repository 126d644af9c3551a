"""Where a verb's words go: data to stdout or `-o FILE`, everything else to stderr."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TextIO

from ascend_provision.report.plain import neutral
from ascend_provision.stack.errors import ProvisionError, UsageError


class Format(str, Enum):
    TEXT = "text"
    JSON = "json"


@dataclass(frozen=True)
class Terminal:
    """The global options of one call."""

    format: Format = Format.TEXT
    output: Path | None = None
    color: bool = True

    @property
    def json(self) -> bool:
        return self.format is Format.JSON

    @property
    def live(self) -> bool:
        """Whether a person watches: stderr is a terminal that can redraw."""
        return sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"

    @property
    def interactive(self) -> bool:
        """Whether a question can be asked and answered."""
        return sys.stdin.isatty() and sys.stderr.isatty()

    def show(self, text: str) -> None:
        """The verb's result, whole; it ends with one newline."""
        text = text if text.endswith("\n") else text + "\n"
        if self.output is None:
            _to_stdout(text)
        else:
            write_whole(self.output, text)

    def tell(self, text: str) -> None:
        """What a person reads before the result; beside it when stdout is for a program or the result is a file."""
        stream = sys.stderr if self.json else sys.stdout
        stream.write(text if text.endswith("\n") else text + "\n")
        stream.flush()

    def note(self, text: str) -> None:
        """A sentence beside the result."""
        sys.stderr.write(neutral(text) + "\n")
        sys.stderr.flush()


def _to_stdout(text: str) -> None:
    """A reader that went away (`| head`) is no error of ours, and Python must not complain about it at its end."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old or the new content, never a half. Raises UsageError."""
    if str(path) in ("/dev/stdout", "/dev/stderr", "/dev/null"):
        path.write_text(text, encoding="utf-8")
        return
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written", code="output-unwritable", why=str(error)) from error
    finally:
        if fresh.parent.is_dir():
            fresh.unlink(missing_ok=True)


def complain(error: ProvisionError, stream: TextIO) -> None:
    """The three lines an operator reads when something is wrong on purpose."""
    stream.write(f"error: {neutral(error.what)} [{error.code}]\n")
    for label, text in (("why", error.why), ("hint", error.next_action)):
        if text:
            stream.write(f"{label}: {neutral(text)}\n")
    stream.flush()
