"""Directories and libraries of the stack with mode and owner (`stat -c '%a %u %g %n'`), and the loader's cache.

Source: stat(1) of GNU coreutils; ldconfig(8).
"""

from __future__ import annotations

import re

from ascend_provision.evidence.reading import Reading, absent, garbled, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import PathState

_ROW = re.compile(r"([0-7]{1,5}) (\d{1,10}) (\d{1,10}) (/.*)")
_CACHED = re.compile(r"\s+(lib\S+) \([^)]*\) => (/\S+)")
_HEAD = re.compile(r"\d+ libs found in cache .*")


def parse(evidence: Evidence) -> Reading[tuple[PathState, ...] | Unknown]:
    """By path; () where nothing of the stack is."""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    rows = [(line, None if garbled(line) else _ROW.fullmatch(line)) for line in lines(evidence.text)]
    unread = tuple(line for line, row in rows if row is None)
    if unread:
        return Reading(Unknown(unknown=f"{evidence.name}: not understood: {unread[0][:120]}"), unread=unread)
    found = [PathState(path=row[4], mode=row[1].zfill(4), uid=int(row[2]), gid=int(row[3])) for _, row in rows if row]
    return Reading(tuple(sorted(found, key=lambda item: item.path)))


def parse_cache(evidence: Evidence) -> Reading[tuple[str, ...] | Unknown | None]:
    """The paths of the driver's libraries in the cache; None on a host without ldconfig."""
    if absent(evidence):
        return Reading(None)
    if (why := silence(evidence)) is not None:
        return Reading(why)
    head, *rest = lines(evidence.text) or [""]
    if not _HEAD.fullmatch(head):
        return Reading(Unknown(unknown="ldconfig: no head line"), unread=tuple(lines(evidence.text)[:1]))
    rows = [(line, _CACHED.fullmatch(line)) for line in rest]
    unread = tuple(line for line, row in rows if row is None)
    return Reading(tuple(sorted({row[2] for _, row in rows if row})), unread=unread)
