"""TCP ports somebody listens on, and which the kernel gives to connections by itself.

`PORT UID INODE` lines with PORT in hex, as /proc/net/tcp and tcp6 have them; the process behind a socket is known only
for those that the probe watches. Sources: proc(5); Documentation/networking/ip-sysctl of the kernel.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ascend_provision.evidence.reading import Reading, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import Listener, Process
from ascend_provision.stack.model import Unknown

_ROW = re.compile(r"([0-9A-F]{4}) (\d{1,10}) (\d+)")
_SOCKET = re.compile(r".*?(\d{1,10})/fd/\d+ -> socket:\[(\d+)\]")
_RANGE = re.compile(r"(\d{1,5})\s+(\d{1,5})")
_PART = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?")


def parse_listeners(
    evidence: Evidence, links: Evidence, processes: Sequence[Process]
) -> Reading[tuple[Listener, ...] | Unknown]:
    """By port. `links` are the open files that name sockets."""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    by_pid = {process.pid: process for process in processes}
    owners = {row[2]: by_pid.get(int(row[1])) for line in lines(links.text) if (row := _SOCKET.fullmatch(line))}
    found: list[Listener] = []
    unread: list[str] = []
    for line in lines(evidence.text):
        if row := _ROW.fullmatch(line.rstrip()):
            found.append(Listener(port=int(row[1], 16), uid=int(row[2]), process=owners.get(row[3])))
        else:
            unread.append(line)
    if unread:
        return Reading(Unknown(unknown=f"/proc/net/tcp: not understood: {unread[0][:120]}"), unread=tuple(unread))
    return Reading(tuple(sorted(found, key=lambda one: (one.port, one.uid))))


def parse_ephemeral(values: Mapping[str, str]) -> tuple[int, int] | Unknown:
    """net.ipv4.ip_local_port_range: first and last port for outgoing connections."""
    row = _RANGE.fullmatch(values.get("ip_local_port_range", "").strip())
    return (int(row[1]), int(row[2])) if row else Unknown(unknown="net.ipv4.ip_local_port_range was not read")


def parse_reserved(values: Mapping[str, str]) -> tuple[tuple[int, int], ...] | Unknown:
    """net.ipv4.ip_local_reserved_ports: `60000-60031,8080` -> ranges, both ends included; empty is none."""
    text = values.get("ip_local_reserved_ports")
    if text is None:
        return Unknown(unknown="net.ipv4.ip_local_reserved_ports was not read")
    found = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        row = _PART.fullmatch(part)
        if row is None:
            return Unknown(unknown=f"net.ipv4.ip_local_reserved_ports: not understood: {part[:60]!r}")
        found.append((int(row[1]), int(row[2] or row[1])))
    return tuple(sorted(found))
