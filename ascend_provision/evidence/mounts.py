"""Mounts over the places where packages unpack and install: `POINT TYPE OPTIONS` of /proc/mounts. Source: proc(5)."""

from __future__ import annotations

import re

from ascend_provision.evidence.reading import Reading, garbled, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import Mount
from ascend_provision.stack.model import Unknown

_ROW = re.compile(r"(/\S*) ([!-~]+) ([!-~]+)")


def parse(evidence: Evidence) -> Reading[tuple[Mount, ...] | Unknown]:
    """By mount point; of several on one point the last is the one that is seen."""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    found: dict[str, Mount] = {}
    unread: list[str] = []
    for line in lines(evidence.text):
        if (row := _ROW.fullmatch(line.rstrip())) and not garbled(line):
            found[row[1]] = Mount(point=row[1], kind=row[2], options=tuple(row[3].split(",")))
        else:
            unread.append(line)
    if unread or "/" not in found:
        what = unread[0][:120] if unread else "no root file system in it"
        return Reading(Unknown(unknown=f"/proc/mounts: {what}"), unread=tuple(unread))
    return Reading(tuple(found[point] for point in sorted(found)))
