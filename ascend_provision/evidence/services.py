"""`systemctl show` of the units that use the cards: blocks of KEY=VALUE, a blank line between. Source: systemctl(1)."""

from __future__ import annotations

import re
from collections.abc import Collection

from ascend_provision.evidence.reading import Reading, absent, lines, pairs, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import Service
from ascend_provision.stack.model import Unknown

_OURS = ("ascend-provision",)
_PROPERTY = re.compile(r"(Id|LoadState|ActiveState|UnitFileState)=[ -~]*")
_RUNNING = frozenset({"active", "activating", "reloading", "deactivating"})


def parse(evidence: Evidence, held: Collection[str]) -> Reading[tuple[Service, ...] | Unknown]:
    """Units by name; `held` names those that this program keeps down.

    () when no such unit file is there and none holds a card (then systemctl is not asked).
    """
    if absent(evidence):
        return Reading(())
    if (why := silence(evidence)) is not None:
        return Reading(why)
    if unread := tuple(line for line in lines(evidence.text) if not _PROPERTY.fullmatch(line)):
        return Reading(Unknown(unknown=f"systemctl show: not understood: {unread[0][:120]}"), unread=unread)
    found = []
    for block in evidence.text.split("\n\n"):
        values = pairs(block)
        unit = values.get("Id", "")
        if values and not {"Id", "LoadState", "ActiveState"} <= values.keys():
            return Reading(Unknown(unknown=f"systemctl show: half a unit: {unit[:80]}"), unread=tuple(lines(block)))
        if not unit or values.get("LoadState") == "not-found" or unit.startswith(_OURS):
            continue
        found.append(
            Service(
                unit=unit,
                active=values.get("ActiveState") in _RUNNING,
                enabled=values.get("UnitFileState", "").startswith("enabled"),
                held=unit in held,
            )
        )
    if not lines(evidence.text):
        return Reading(Unknown(unknown="systemctl show: no unit in its output"))
    return Reading(tuple(sorted(found, key=lambda service: service.unit)))
