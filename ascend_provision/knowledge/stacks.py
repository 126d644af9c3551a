"""Named stacks: a driver, firmware and CANN that were published together for a chip."""

from __future__ import annotations

import functools

from ascend_provision.knowledge import rows
from ascend_provision.stack.target import Target
from ascend_provision.stack.versions import CannVersion, FirmwareVersion, HdkVersion


class Stack(rows.Row):
    """One named stack for the chips listed."""

    name: str
    chips: tuple[str, ...]
    driver: HdkVersion
    firmware: FirmwareVersion
    cann: CannVersion


@functools.cache
def known() -> tuple[Stack, ...]:
    """Every named stack, oldest first."""
    return rows.table("stacks", "stacks", Stack)


def find(name: str, chip: str) -> Stack | None:
    """The row of a named stack on this chip, or None when it was never published for it."""
    return next((row for row in known() if row.name == name and chip in row.chips), None)


def named(name: str, chip: str) -> Target | None:
    """The versions of a named stack on this chip."""
    row = find(name, chip)
    return Target(name=row.name, driver=row.driver, firmware=row.firmware, cann=row.cann) if row else None


def names(chip: str) -> tuple[str, ...]:
    """The named stacks that exist for this chip, oldest first."""
    return tuple(row.name for row in known() if chip in row.chips)


def all_names() -> tuple[str, ...]:
    """Every name, whatever the chip, oldest first; for messages that tell a mistyped name from an unpublished pair."""
    return tuple(dict.fromkeys(row.name for row in known()))
