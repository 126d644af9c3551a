"""What goes wrong on purpose: every error an operator can meet carries what, where, why and what to do next."""

from __future__ import annotations


class ProvisionError(Exception):
    """An error with a stable code that a person can act on.

    `code` is kebab-case and stable; `what` says what failed (names the file, line, host or field),
    `why` is the evidence (may be empty), `next_action` is what the reader can do now (may be empty).
    """

    def __init__(self, what: str, *, code: str, why: str = "", next_action: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.code = code
        self.why = why
        self.next_action = next_action


class UsageError(ProvisionError):
    """The command line, an inventory, a package directory or another input is wrong (exit 4)."""


class Refusal(ProvisionError):
    """A safety rule says no (exit 6)."""


class LeasedElsewhere(ProvisionError):
    """Another run holds the lease of a host (exit 9)."""
