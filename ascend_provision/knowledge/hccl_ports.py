"""The TCP ports of the host that HCCL takes, by CANN release."""

from __future__ import annotations

import functools

from ascend_provision.knowledge import rows
from ascend_provision.stack.versions import CannVersion


class Ports(rows.Row):
    """From `cann_since` on (None: before the first that has its own row) HCCL takes `count` ports from `first` on."""

    cann_since: CannVersion | None
    first: int
    count: int
    variable: str
    example: str


@functools.cache
def known() -> tuple[Ports, ...]:
    """Every row, the oldest first."""
    return rows.table("hccl_ports", "ports", Ports)


def of(cann: CannVersion) -> Ports:
    """The row of a CANN release."""
    return next(row for row in reversed(known()) if row.cann_since is None or cann >= row.cann_since)


def taken(row: Ports, base: str | None) -> range | None:
    """The ports, from `base` (a value of the variable) on; None where that is no port."""
    if not base:
        return range(row.first, row.first + row.count)
    if not (base.isascii() and base.isdigit() and len(base) < 6 and 1024 <= int(base) <= 65520):
        return None
    return range(int(base), int(base) + row.count)
