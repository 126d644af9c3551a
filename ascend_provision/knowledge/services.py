"""Services known to hold NPU cards, so that they are named even while they are stopped."""

from __future__ import annotations

import functools

from ascend_provision.knowledge import rows
from ascend_provision.stack.facts import Holder

COMMAND = 60
"""Characters of a command line that are enough to know it again."""


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


def describe(holder: Holder) -> str:
    """`pid 4242 python (alice) in container 8f3a on davinci0, davinci1`: who, what, where."""
    where = ", ".join(device.rsplit("/", 1)[-1] for device in holder.devices)
    home = f" in container {holder.container[:12]}" if holder.container else ""
    known = find(holder.unit) if holder.unit else None
    unit = f" of {holder.unit}" + (f" ({known.what})" if known else "") if holder.unit else ""
    command = holder.command if len(holder.command) <= COMMAND else holder.command[:COMMAND] + "…"
    return f"pid {holder.pid} {command or '(no name)'} ({holder.user or holder.uid}){unit}{home} on {where}"
