"""Services known to hold NPU cards, so that they are named even while they are stopped."""

from __future__ import annotations

import functools

from ascend_provision.knowledge import rows


class CardService(rows.Row):
    """A systemd unit that opens NPU devices; `what` says in words what it is for, `example` a unit name it matches."""

    unit: str
    what: str
    example: str


@functools.cache
def _rows() -> tuple[CardService, ...]:
    return rows.table("services", "services", CardService)


def known() -> tuple[str, ...]:
    """The unit names, with their `.service`."""
    return tuple(row.unit for row in _rows())


def find(unit: str) -> CardService | None:
    """What is known of a unit, or None. `vllm@0.service` is an instance of `vllm.service`."""
    stem = unit.removesuffix(".service").partition("@")[0]
    return next((row for row in _rows() if row.unit.removesuffix(".service") == stem), None)
