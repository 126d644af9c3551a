"""The numbers that CANN's parts carry in their own version.info, and what MindSpore expects there.

MindSpore compares the first two numbers of compiler/version.info with a list of its own and only warns.
"""

from __future__ import annotations

import functools

from ascend_provision.knowledge import patterns, rows
from ascend_provision.stack.versions import CannVersion, ComponentNumber, FrameworkVersion


class Number(rows.Row):
    """A CANN and the number of its parts."""

    cann: CannVersion
    number: ComponentNumber


class Expected(rows.Row):
    """MindSpore releases and the leading numbers they expect."""

    mindspore: tuple[str, ...]
    expects: tuple[str, ...]


@functools.cache
def known() -> tuple[Number, ...]:
    """Every recorded number."""
    return rows.table("component_numbers", "numbers", Number)


@functools.cache
def expectations() -> tuple[Expected, ...]:
    """What MindSpore releases expect."""
    return rows.table("component_numbers", "mindspore", Expected)


def cann_of(number: ComponentNumber) -> CannVersion | None:
    """The CANN whose parts carry this number; None for one nobody recorded."""
    return next((row.cann for row in known() if row.number == number), None)


def expected_by(mindspore: FrameworkVersion) -> tuple[str, ...] | None:
    """The leading numbers this MindSpore expects; None for a release whose list nobody recorded."""
    found = (row.expects for row in expectations() if patterns.any_meant("mindspore", row.mindspore, str(mindspore)))
    return next(found, None)


def warns(mindspore: FrameworkVersion, number: ComponentNumber) -> bool | None:
    """Whether this MindSpore will warn about these parts at import; None when its list is not known."""
    expects = expected_by(mindspore)
    return None if expects is None else ".".join(str(number).split(".")[:2]) not in expects
