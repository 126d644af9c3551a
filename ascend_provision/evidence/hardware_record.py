"""/run/ascend/hardware and version_cap.map: what the cards demand of a driver, as the running one wrote it down.

Newer drivers write three files at their start and read them before they let an older one take their place.
Sources: docs/formats.md#machine.
"""

from __future__ import annotations

import re

from ascend_provision.evidence.reading import absent, is_number, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import HardwareRecord
from ascend_provision.stack.model import Unknown

_DEMAND = re.compile(r'"driver"\s*:\s*"?(\w+)"?\s*[,}]')
_CARD = re.compile(r"\d+:([\w,]*)", re.ASCII)
_ENTRY = re.compile(r"(\d{1,9}),(\S+)", re.ASCII)


def parse(flash: Evidence, clocks: Evidence, memory: Evidence, map_: Evidence) -> HardwareRecord | Unknown:
    """Never raises; each file on its own, and unknown as a whole where none could be read."""
    found = HardwareRecord(
        demand=_demand(flash), clocks=_cards(clocks), memory=_cards(memory), releases=_releases(map_)
    )
    told = (found.clocks, found.memory, found.releases)
    if isinstance(found.demand, Unknown) and all(isinstance(value, Unknown) for value in told):
        return found.demand
    return found


def _demand(evidence: Evidence) -> int | Unknown | None:
    """The highest of all chips; 0 where none demands anything."""
    if absent(evidence):
        return None
    if (why := silence(evidence)) is not None:
        return why
    found = _DEMAND.findall(evidence.text)
    odd = next((word for word in found if not is_number(word)), None)
    odd = odd or next((line.strip() for line in lines(evidence.text) if '"' in line and not _DEMAND.search(line)), None)
    if odd is not None or not found:
        return Unknown(unknown=f"flash_version.txt: {odd or 'no demand of a driver in it'}")
    return max(map(int, found))


def _cards(evidence: Evidence) -> tuple[str, ...] | Unknown | None:
    """The distinct values of `CARD:VALUE` lines; a card that told nothing has an empty one."""
    if absent(evidence):
        return None
    if (why := silence(evidence)) is not None:
        return why
    rows = [_CARD.fullmatch(line.strip()) for line in lines(evidence.text)]
    if not rows or None in rows:
        return Unknown(unknown=f"{evidence.name}: not understood")
    return tuple(sorted({row[1] for row in rows if row is not None}))


def _releases(evidence: Evidence) -> dict[int, str] | Unknown | None:
    """Number -> the first release that has it."""
    if absent(evidence):
        return None
    if (why := silence(evidence)) is not None:
        return why
    plain = (line.partition("#")[0].strip() for line in lines(evidence.text))
    rows = [_ENTRY.fullmatch(line) for line in plain if line]
    if None in rows:
        return Unknown(unknown="version_cap.map: not understood")
    return {int(row[1]): row[2] for row in rows if row is not None}
