"""`df -Pk DIRECTORY…`: POSIX output, one line a directory, in the order they were asked for. Source: POSIX df."""

from __future__ import annotations

import re

from ascend_provision.evidence.reading import Reading, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import Disk
from ascend_provision.stack.model import Unknown

ASKED = ("/usr/local", "/tmp", "/var", "/root", "/boot")  # noqa: S108 - names asked about, nothing is written there
_ROW = re.compile(r".*\s(\d{1,15})\s+(\d{1,15}|-)\s+(-?\d{1,15})\s+(\d+%|-)\s+(/.*)")
_KIB_IN_MIB = 1024


def parse(evidence: Evidence) -> Reading[tuple[Disk, ...] | Unknown]:
    """Free and total MiB. A mount point stands for every directory asked about that lies below it."""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    head, *rows = lines(evidence.text) or [""]
    if "1024-blocks" not in head:
        return Reading(Unknown(unknown="df: no head line"))
    mounts: dict[str, tuple[int, int]] = {}
    unread: list[str] = []
    for line in rows:
        if row := _ROW.fullmatch(line):
            mounts[row[5]] = (max(int(row[3]), 0) // _KIB_IN_MIB, int(row[1]) // _KIB_IN_MIB)
        else:
            unread.append(line)
    if unread:  # without its own row a directory would be taken for one of the file system above it
        return Reading(Unknown(unknown=f"df: not understood: {unread[0].strip()[:120]}"), unread=tuple(unread))
    found = []
    for path in ASKED:
        over = [mount for mount in mounts if path == mount or path.startswith(mount.rstrip("/") + "/")]
        if over:
            free, total = mounts[max(over, key=len)]
            found.append(Disk(path=path, free_mb=free, total_mb=total))
    return Reading(tuple(found) or Unknown(unknown="df: no file system named"))
