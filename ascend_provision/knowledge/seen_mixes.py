"""Driver and firmware that were seen running together though nobody publishes the pair. Data: seen_mixes.yaml."""

from __future__ import annotations

import functools

from ascend_provision.knowledge import rows
from ascend_provision.stack.versions import FirmwareVersion, HdkVersion


class Mix(rows.Row):
    """One mix; `chips` empty where its place does not say which chip it was."""

    hdk: HdkVersion
    firmware: FirmwareVersion
    chips: tuple[str, ...] = ()


@functools.cache
def known() -> tuple[Mix, ...]:
    """Every mix."""
    return rows.table("seen_mixes", "mixes", Mix)


def find(hdk: HdkVersion, firmware: FirmwareVersion, chip: str) -> Mix | None:
    """The mix as it was seen on this chip; of an unnamed chip (\"\") any will do."""
    same = (row for row in known() if (row.hdk, row.firmware) == (hdk, firmware))
    return next((row for row in same if not row.chips or not chip or chip in row.chips), None)
