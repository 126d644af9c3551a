"""What an operator says to a run that goes on in another process: a word in the run's directory."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

_FILE = "control"


class Wish(str, Enum):
    """`continue` is what nobody said otherwise."""

    CONTINUE = "continue"
    PAUSE = "pause"
    ABORT = "abort"

    @property
    def meaning(self) -> str:
        return {
            Wish.CONTINUE: "waves go on",
            Wish.PAUSE: "hosts in hand are finished, no other is started until it continues",
            Wish.ABORT: "hosts in hand are finished, no other is started, the run ends",
        }[self]


class Control:
    """One run's word; `heard` is the last that was acted on."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / _FILE
        self.heard = Wish.CONTINUE

    def say(self, wish: Wish) -> None:
        """Whole or not at all: the run looks at it at any time."""
        fresh = self._path.with_suffix(".new")
        fresh.write_text(wish.value + "\n", encoding="utf-8")
        fresh.replace(self._path)

    def wish(self) -> Wish:
        try:
            return Wish(self._path.read_text(encoding="utf-8").strip())
        except (OSError, ValueError):
            return Wish.CONTINUE
