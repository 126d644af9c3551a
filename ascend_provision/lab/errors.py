"""The one error the lab raises on purpose."""

from __future__ import annotations

INTERNAL = 1
USAGE = 4
REFUSED = 6


class LabError(Exception):
    """Something the lab refuses or cannot do.

    `code` is a stable kebab-case id, `what` says what is wrong, `next` is what the reader can do now,
    `exit` is the process's exit code (usage or configuration error unless said otherwise).
    """

    def __init__(self, *, code: str, what: str, next: str = "", exit: int = USAGE) -> None:  # noqa: A002 - read as keywords
        super().__init__(what)
        self.code = code
        self.what = what
        self.next = next
        self.exit = exit
