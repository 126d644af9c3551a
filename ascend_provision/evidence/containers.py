"""Containers of docker and podman, from `inspect --format`.

    C|ID|RUNNING|PRIVILEGED|RESTART-POLICY|/NAME|DEVICE DEVICE …      one line each
    E|ID, then ASCEND_VISIBLE_DEVICES=… where the container has it

Sources: docker inspect reference; the Ascend container runtime's guide for ASCEND_VISIBLE_DEVICES.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from ascend_provision.evidence import container_lines
from ascend_provision.evidence.reading import Reading, absent, is_number, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import Container
from ascend_provision.stack.model import Unknown

_ROW = re.compile(r"C\|([0-9a-f]{12,64})\|(true|false)\|(true|false)\|([a-z-]*)\|/?([^|]*)\|(.*)")
_SETUP = re.compile(r"S\|([^|]*)\|")
_NODE = re.compile(r"/dev/(davinci|devmm_svm|hisi_hdc)\w*")
_VARIABLE = re.compile(r"(ASCEND_VISIBLE_DEVICES)=(.*)")


def parse(
    evidences: tuple[Evidence, ...], held: Collection[str], setups: tuple[Evidence, ...] = ()
) -> Reading[tuple[Container, ...] | Unknown]:
    """Containers of every runtime that is installed, by name; `held` are the ids this program keeps down.

    One runtime that cannot be asked makes them all unknown, and so does one of `setups`, which the probe asks for the
    containers of `evidences` only, that has another.
    """
    found: list[Container] = []
    for evidence in evidences:
        if absent(evidence):
            continue
        if (why := silence(evidence)) is not None:
            return Reading(why)
        reading = _runtime(evidence, held)
        if isinstance(reading.facts, Unknown):
            return reading
        found += reading.facts
    known = {box.id for box in found}
    for evidence in setups:
        named = [row[1] for line in lines(evidence.text) if (row := _SETUP.match(line))]
        if lost := [box for box in named if box not in known]:
            return Reading(Unknown(unknown=f"{evidence.name}: container {lost[0][:12]} is not in the list"))
    return Reading(tuple(sorted(found, key=lambda box: (box.name, box.id))))


def _runtime(evidence: Evidence, held: Collection[str]) -> Reading[tuple[Container, ...] | Unknown]:
    told = container_lines.split(evidence, _ROW, _VARIABLE)
    if told.unread:
        return Reading(container_lines.not_understood(evidence, told.unread), unread=told.unread)
    visible = {box: cards(value.strip()) for box, variables in told.variables.items() for value in variables.values()}
    return Reading(
        tuple(
            Container(
                id=row[1],
                name=row[5].strip(),
                running=row[2] == "true",
                restart=row[4],
                devices=tuple(sorted({*_nodes(row[6]), *visible.get(row[1], ())})),
                held=any(row[1].startswith(item) for item in held),
                privileged=row[3] == "true",
            )
            for row in told.rows
        )
    )


def cards(value: str) -> tuple[str, ...]:
    """`0,2-3` -> /dev/davinci0, 2 and 3. Names of another form (`npu-910b-0`, `void`) give none."""
    found: set[int] = set()
    for part in value.split(","):
        first, dash, last = part.strip().partition("-")
        if is_number(first) and (is_number(last) if dash else True) and len(first) < 4 and len(last) < 4:
            found |= set(range(int(first), int(last or first) + 1))
    return tuple(f"/dev/davinci{card}" for card in sorted(found))


def _nodes(text: str) -> list[str]:
    return [word for word in text.split() if _NODE.fullmatch(word)]
