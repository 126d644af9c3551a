"""Firmware that a newer installer will not replace before another release was installed."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from ascend_provision.knowledge import rows
from ascend_provision.stack.versions import FirmwareVersion, HdkVersion


class Stopover(rows.Row):
    """`firmware` is a prefix in numbers, `*` for any number; `first` the release that must come first."""

    chip: str
    firmware: str
    first: HdkVersion
    example: FirmwareVersion

    def matches(self, version: FirmwareVersion) -> bool:
        """Whether it speaks of that version."""
        wanted, found = self.firmware.split("."), version.text.split(".")
        return len(found) >= len(wanted) and all(a in ("*", b) for a, b in zip(wanted, found, strict=False))


@functools.cache
def known() -> tuple[Stopover, ...]:
    """Every stopover."""
    return rows.table("stopovers", "stopovers", Stopover)


def found(chip: str, version: FirmwareVersion) -> Stopover | None:
    """The row of a chip with that firmware; None when any release may come next."""
    return next((row for row in known() if row.chip == chip and row.matches(version)), None)


def before(chip: str, version: FirmwareVersion) -> HdkVersion | None:
    """The release that must be installed first on a chip with that firmware; None when any may be."""
    row = found(chip, version)
    return row.first if row else None


def demanded(chip: str, flash: Iterable[FirmwareVersion]) -> str | None:
    """The same of every firmware in a host's flash, as text."""
    return next((str(first) for version in flash if (first := before(chip, version)) is not None), None)
