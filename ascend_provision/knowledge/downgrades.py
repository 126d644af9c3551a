"""The way back: releases that a host's cards refuse, and what an older release takes; data/downgrades.yaml.

The driver's installer guards three things: what the chips' flash demands, the cards' clock chips, and their memory.
What nobody published about a step back forbids nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Literal

from ascend_provision.knowledge import lines, patterns, rows
from ascend_provision.knowledge.answers import Remark
from ascend_provision.knowledge.components import Component, parse, title
from ascend_provision.stack.machine import HardwareRecord
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import HdkVersion


class Guard(rows.Row):
    """Cards with this `value` in what the driver wrote down take no driver below the floor of its kind.

    `numbered` is the floor for releases that have a number (23.0.7), `candidates` for those with an RC.
    """

    chips: tuple[str, ...]
    reads: Literal["clocks", "memory"]
    value: str
    what: str
    numbered: HdkVersion
    candidates: HdkVersion

    def floor(self, release: HdkVersion) -> HdkVersion:
        """The lowest release of the same kind."""
        return self.candidates if "rc" in str(release).lower() else self.numbered


class Demand(rows.Row):
    """Chips whose flash can demand a lowest driver."""

    chips: tuple[str, ...]


class Back(rows.Row):
    """What a step back from a version that the pattern means takes."""

    component: Component
    since: str
    takes: str


@functools.cache
def guards() -> tuple[Guard, ...]:
    """Every guard that names hardware."""
    return rows.table("downgrades", "guards", Guard)


@functools.cache
def demand() -> Demand:
    """The guard of the flash."""
    return Demand.model_validate(rows.section("downgrades", "flash"))


@functools.cache
def backs() -> tuple[Back, ...]:
    """What steps back take."""
    return rows.table("downgrades", "back", Back)


def refused(chip: str, release: HdkVersion, record: HardwareRecord | Unknown) -> tuple[Remark, ...]:
    """Why these cards take no driver of this release; () where nothing that could be read says so."""
    if isinstance(record, Unknown):
        return ()
    found = [_told(guard, release) for guard in _guarding(chip, release) if guard.value in _recorded(guard, record)]
    return (*found, *_by_flash(chip, release, record))


def _by_flash(chip: str, release: HdkVersion, record: HardwareRecord) -> Iterator[Remark]:
    if chip not in demand().chips or not isinstance(record.demand, int) or not isinstance(record.releases, dict):
        return
    first = min((number for number in record.releases if number >= record.demand), default=None)
    floor = HdkVersion.maybe(record.releases[first]) if first is not None else None
    if record.demand and floor is not None and lines.order("hdk", release, floor) == "older":
        text = f"the chips' flash demands HDK {floor} or newer (number {record.demand}); HDK {release} is refused"
        yield Remark(text=text, source=demand().cited)


def _recorded(guard: Guard, record: HardwareRecord) -> tuple[str, ...]:
    values = record.clocks if guard.reads == "clocks" else record.memory
    return values if isinstance(values, tuple) else ()


def _guarding(chip: str, release: HdkVersion) -> Iterator[Guard]:
    for guard in guards():
        if chip in guard.chips and lines.order("hdk", release, guard.floor(release)) == "older":
            yield guard


def _told(guard: Guard, release: HdkVersion) -> Remark:
    text = f"cards with {guard.what} take no HDK below {guard.floor(release)}; HDK {release} is refused"
    return Remark(text=text, source=guard.cited)


def conditions(chip: str, release: HdkVersion) -> tuple[Remark, ...]:
    """What on cards of this chip would refuse this release, where the cards are not known."""
    return tuple(_told(guard, release) for guard in _guarding(chip, release))


def unread(chip: str, record: HardwareRecord | Unknown) -> str:
    """Why it cannot be told whether the cards refuse an older driver; "" where it can, or nothing guards this chip."""
    if isinstance(record, Unknown):
        return record.unknown
    asked: list[object] = []
    if chip in demand().chips:
        asked += [record.demand] if record.demand == 0 else [record.demand, record.releases]
    if any(chip in guard.chips for guard in guards()):
        asked += [record.clocks, record.memory]
    if why := next((value.unknown for value in asked if isinstance(value, Unknown)), ""):
        return why
    return "the running driver keeps no record of what its cards demand" if None in asked else ""


def steps_back(component: Component, before: str, after: str) -> tuple[Remark, ...]:
    """What the way from one version to an older one takes; () for a step forward, or one between two lines."""
    if lines.compared(component, after, before) != "older":
        return ()
    found = [
        Remark(text=f"{title(component)} {before} -> {after} is a step back: {row.takes}", source=row.cited)
        for row in backs()
        if row.component == component and patterns.meant(component, row.since, parse(component, before))
    ]
    return tuple(found) or (
        Remark(text=f"{title(component)} {before} -> {after} is a step back, of which nothing is published", source=""),
    )
