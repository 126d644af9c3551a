"""PCI functions of vendor 19e5, class 12xx (processing accelerator), from /sys/bus/pci/devices."""

from __future__ import annotations

import re

from ascend_provision.evidence.reading import Reading, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import PciNpu
from ascend_provision.stack.model import Unknown

_ROW = re.compile(r"([0-9A-Fa-f:.]{5,16}) device=0x([0-9a-f]{4}) subsystem=(?:0x)?([0-9a-f]*):(?:0x)?([0-9a-f]*)")


def parse(evidence: Evidence) -> Reading[tuple[PciNpu, ...] | Unknown]:
    """No function is a fact (no NPU); a directory that is not there is not, and neither is one function twice."""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    found: list[PciNpu] = []
    unread: list[str] = []
    for line in lines(evidence.text):
        if (row := _ROW.fullmatch(line)) and all(npu.bus != row[1].lower() for npu in found):
            found.append(PciNpu(bus=row[1].lower(), device=row[2], subsystem_vendor=row[3], subsystem_device=row[4]))
        else:
            unread.append(line)
    if unread:
        return Reading(Unknown(unknown=f"pci: not understood: {unread[0][:120]}"), unread=tuple(unread))
    return Reading(tuple(sorted(found, key=lambda npu: npu.bus)))
