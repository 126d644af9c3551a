"""Processes by what /proc says of them: zombies, those npu-smi names, and those behind a port or a namespace.

    pid=N state=S ppid=N uid=N cgroup=PATH parent=NAME name=NAME      one line each

Sources: proc(5), cgroups(7). For a process that has ended the cgroup is its parent's.
"""

from __future__ import annotations

import re

from ascend_provision.evidence.holders import container, unit
from ascend_provision.evidence.reading import Reading, absent, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import Process
from ascend_provision.stack.model import Unknown

_ROW = re.compile(r"pid=(\d{1,10}) state=(\w) ppid=(\d{1,10}) uid=(\d{1,10}) cgroup=(.*?) parent=(.*?) name=(.*)")


def parse(evidence: Evidence) -> Reading[tuple[Process, ...] | Unknown]:
    """By pid. One that ended while the probe looked is not there."""
    if absent(evidence):
        return Reading(())
    if (why := silence(evidence)) is not None:
        return Reading(why)
    found: dict[int, Process] = {}
    unread: list[str] = []
    for line in lines(evidence.text):
        if row := _ROW.fullmatch(line):
            found[int(row[1])] = Process(
                pid=int(row[1]), name=row[7].strip(), state=row[2], ppid=int(row[3]), parent=row[6].strip(),
                uid=int(row[4]), container=container(row[5]), unit=unit(row[5]),
            )  # fmt: skip
        else:
            unread.append(line)
    if unread:
        return Reading(Unknown(unknown=f"{evidence.name}: not understood: {unread[0][:120]}"), unread=tuple(unread))
    return Reading(tuple(found[pid] for pid in sorted(found)))


def both(first: tuple[Process, ...] | Unknown, second: tuple[Process, ...] | Unknown) -> tuple[Process, ...] | Unknown:
    """All of them, each once; unknown when one of the lists is."""
    if isinstance(first, Unknown):
        return first
    if isinstance(second, Unknown):
        return second
    found = {process.pid: process for process in (*first, *second)}
    return tuple(found[pid] for pid in sorted(found))
