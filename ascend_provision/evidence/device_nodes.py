"""The NPUs' entries of /dev, from `ls -ldn`: mode, numeric owner and group. Source: POSIX ls.

crw-rw---- 1 1000 1000 236, 0 Nov 30 15:49 /dev/davinci0
"""

from __future__ import annotations

import re

from ascend_provision.evidence.reading import Reading, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import DeviceNode
from ascend_provision.stack.model import Unknown

_ROW = re.compile(
    r"([a-z-][rwxsStT-]{9})\S?\s+\d+\s+(\d{1,10})\s+(\d{1,10})\s.*?\s\S*(/dev/(?:v?davinci|devmm|hisi)\w*)"
)
_TARGET = re.compile(r" -> .*")


def parse(evidence: Evidence) -> Reading[tuple[DeviceNode, ...] | Unknown]:
    """By path; () on a host without any."""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    found: list[DeviceNode] = []
    unread: list[str] = []
    for line in lines(evidence.text):
        if row := _ROW.fullmatch(_TARGET.sub("", line.rstrip())):
            found.append(DeviceNode(path=row[4], mode=row[1], uid=int(row[2]), gid=int(row[3])))
        else:
            unread.append(line)
    if unread:
        return Reading(Unknown(unknown=f"ls /dev: not understood: {unread[0][:120]}"), unread=tuple(unread))
    return Reading(tuple(sorted(found, key=lambda node: node.path)))
