"""Environment variables of the stack: unit, range, default, since when, on which chips; data/env_variables.yaml.

A variable may have several rows, for several chips, modes or CANN releases; `rows_of` gives those that hold on a host.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Literal

from ascend_provision.knowledge import rows
from ascend_provision.stack.model import Noun
from ascend_provision.stack.versions import CannVersion

Kind = Literal["integer", "number", "word", "path", "text"]
Standing = Literal["right", "odd", "wrong", "not-a-value"]


class Variable(rows.Row):
    """One variable in one scope. Numbers are in `unit`.

    `minimum` may be exclusive (`above`); `odd_above` is this project's: legal, and more than anybody published;
    `step` is what the value is rounded down to, `multiple` what it must be a multiple of; `words` are the values
    where it is one of a few; `chips`, `mode` (values of HCCL_OP_EXPANSION_MODE), `cann_since` and `cann_before` say
    where the row holds; `unsupported` that the variable means nothing there; `outside` is what a wrong value does;
    `times` how much of it is taken for each communicator.
    """

    variable: str
    kind: Kind
    unit: str = ""
    minimum: float | None = None
    above: float | None = None
    maximum: float | None = None
    odd_above: float | None = None
    step: int = 1
    multiple: int = 1
    words: tuple[str, ...] = ()
    default: str = ""
    chips: tuple[str, ...] = ()
    mode: tuple[str, ...] = ()
    default_mode: bool = False
    cann_since: CannVersion | None = None
    cann_before: CannVersion | None = None
    unsupported: bool = False
    outside: Literal["fail", "warn"] = "fail"
    times: int = 1
    example: str

    @property
    def range(self) -> str:
        """`120 to 7200 s`, `0, 1, 2`: what is right, in words."""
        if self.words:
            return ", ".join(self.words)
        if self.minimum is None and self.above is None:
            return "a whole number" if self.kind == "integer" else "a number"
        low = f"{self.minimum:g}" if self.minimum is not None else f"above {self.above:g}"
        high = self.odd_above if self.odd_above is not None else self.maximum
        text = f"{low} or more" if high is None else f"{low} to {high:g}"
        return f"{text} {self.unit}".strip() + (f", a multiple of {self.multiple}" if self.multiple > 1 else "")

    def stands(self, text: str) -> Standing:
        """What this value is: right, odd, wrong (a value, outside the range), or none at all."""
        if self.words:
            return "right" if text in self.words else "wrong"
        if self.kind in {"path", "text", "word"}:
            return "right"
        value = number(text)
        if value is None or (self.kind == "integer" and value != int(value)):
            return "not-a-value"
        if self.minimum is not None and value < self.minimum:
            return "wrong"
        if self.above is not None and value <= self.above:
            return "wrong"
        if self.maximum is not None and value > self.maximum:
            return "wrong"
        if value % self.multiple:
            return "wrong"
        return "odd" if self.odd_above is not None and value > self.odd_above else "right"


class Order(rows.Row):
    """Two waits of which the first must be the shorter one; seconds."""

    shorter: str
    longer: str
    what: str


class Clash(rows.Row):
    """Values that do not go together: `together` are NAME=VALUE, or NAME for any value; `what` happens then."""

    together: tuple[str, ...]
    verdict: Literal["fail", "warn"]
    what: str


class Scope(Noun):
    """The host a value is judged for; what is None is not known."""

    chip: str | None = None
    cann: CannVersion | None = None
    mode: str | None = None


@functools.cache
def known() -> tuple[Variable, ...]:
    """Every row."""
    return rows.table("env_variables", "variables", Variable)


@functools.cache
def by_name() -> Mapping[str, tuple[Variable, ...]]:
    """The rows of each variable."""
    names = dict.fromkeys(row.variable for row in known())
    return {name: tuple(row for row in known() if row.variable == name) for name in names}


@functools.cache
def orders() -> tuple[Order, ...]:
    """Which wait must be shorter than which."""
    return rows.table("env_variables", "orders", Order)


@functools.cache
def clashes() -> tuple[Clash, ...]:
    """Values that do not go together."""
    return rows.table("env_variables", "clashes", Clash)


def rows_of(variable: str, scope: Scope) -> tuple[Variable, ...]:
    """The rows that hold there; several when something about the host is not known, none for an unlisted variable."""
    found = [row for row in by_name().get(variable, ()) if _holds(row, scope)]
    by_mode = [row for row in found if row.mode]
    if scope.mode is not None:
        found = [row for row in by_mode if scope.mode in row.mode] or [row for row in found if not row.mode]
    elif by_mode:
        found = [row for row in found if row.default_mode or not row.mode]
    return tuple(found)


def _holds(row: Variable, scope: Scope) -> bool:
    if scope.chip is not None and row.chips and scope.chip not in row.chips:
        return False
    if scope.cann is None:
        return True
    if row.cann_since is not None and scope.cann < row.cann_since:
        return False
    return row.cann_before is None or scope.cann < row.cann_before


def number(text: str) -> float | None:
    """A plain decimal number; None for anything else, also for what only the shell could tell."""
    head, dot, tail = text.removeprefix("-").partition(".")
    digits = head + tail
    if not head or not digits.isascii() or not digits.isdigit() or (dot and not tail) or len(digits) > 15:
        return None
    return float(text)


def literal(text: str) -> bool:
    """The value stands there as it is, and not as something the shell is still to work out."""
    return not any(letter in text for letter in "$`\\")


def agreed(standings: Iterable[Standing]) -> Standing | None:
    """What all rows say, or None when they differ."""
    found = set(standings)
    return next(iter(found)) if len(found) == 1 else None
