"""The one error the lab raises on purpose."""

from __future__ import annotations


class LabError(Exception):
    """Something the lab refuses or cannot do.

    `code` is a stable kebab-case id, `what` says what is wrong, `next` is what the reader can do now.
    """

    def __init__(self, *, code: str, what: str, next: str = "") -> None:
        super().__init__(what)
        self.code = code
        self.what = what
        self.next = next
