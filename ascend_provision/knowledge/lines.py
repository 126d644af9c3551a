"""Which versions may be ordered: numbers of different product lines are not older or newer than each other.

The HDK of Ascend950 counts 25.1, 25.6, 25.7 while A2 and A3 count 25.0, 25.2, 25.3, 25.5. Data: lines.yaml.
"""

from __future__ import annotations

import functools
from typing import Literal

from ascend_provision.knowledge import rows
from ascend_provision.knowledge.components import Component, parse
from ascend_provision.stack.versions import Incomparable, Version

Order = Literal["older", "same", "newer", "incomparable"]
MAIN = "main"
"""The line of every version that no row puts elsewhere."""


class Line(rows.Row):
    """A product line that counts on its own; `members` are the leading numbers of its versions."""

    line: str
    component: Component
    chips: tuple[str, ...]
    members: tuple[str, ...]
    example: str


@functools.cache
def known() -> tuple[Line, ...]:
    """Every line beside the main one."""
    return rows.table("lines", "lines", Line)


@functools.cache
def line(component: Component, version: str) -> str:
    """The line a version belongs to."""
    for row in known():
        if row.component == component and any(
            version == name or version.startswith(f"{name}.") for name in row.members
        ):
            return row.line
    return MAIN


def order(component: Component, a: Version, b: Version) -> Order:
    """How `a` stands to `b`; `incomparable` across lines, and where the versions' own kind knows no order."""
    if a == b:
        return "same"
    if line(component, str(a)) != line(component, str(b)):
        return "incomparable"
    try:
        return "older" if a < b else "newer"
    except Incomparable:
        return "incomparable"


def compared(component: Component, a: str, b: str) -> Order:
    """As `order`, from text; UsageError for text that is no version."""
    return order(component, parse(component, a), parse(component, b))
