"""How containers were started, from `inspect --format` of docker and podman, cut down to what concerns the cards.

    S|ID|PRIVILEGED|SHM-BYTES|IPC-MODE|RUNTIME|HOST-NODE>NODE …|SOURCE>TARGET …
    E|ID, then NAME=VALUE of the stack's variables, a line each

Source: docker inspect reference.
"""

from __future__ import annotations

import re

from ascend_provision.evidence import container_lines
from ascend_provision.evidence.reading import Reading, absent, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import Container
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import ContainerSetup, MountPoint

_ROW = re.compile(r"S\|([0-9a-f]{12,64})\|(true|false)\|(\d{0,18})\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)")
_VARIABLE = re.compile(r"([A-Z][A-Z0-9_]*)=(.*)")
_MIB = 1024 * 1024


def parse(
    evidences: tuple[Evidence, ...], boxes: tuple[Container, ...] | Unknown
) -> Reading[tuple[ContainerSetup, ...] | Unknown]:
    """One entry a container, by name; a runtime that cannot be asked makes them all unknown, as it does in `boxes`."""
    if isinstance(boxes, Unknown):
        return Reading(boxes)
    known = {box.id: box for box in boxes}
    found: list[ContainerSetup] = []
    for evidence in evidences:
        if absent(evidence):
            continue
        if (why := silence(evidence)) is not None:
            return Reading(why)
        told = container_lines.split(evidence, _ROW, _VARIABLE)
        if told.unread:
            return Reading(container_lines.not_understood(evidence, told.unread), unread=told.unread)
        found += [_setup(row, told.variables.get(row[1], {}), known.get(row[1])) for row in told.rows]
    return Reading(tuple(sorted(found, key=lambda box: (box.name, box.id))))


def _setup(row: re.Match[str], variables: dict[str, str], box: Container | None) -> ContainerSetup:
    nodes = [word.partition(">")[0] for word in row[6].split()]
    mounts = [word.partition(">") for word in row[7].split()]
    shared = row[4].strip() == "host" or row[4].startswith("container:")
    return ContainerSetup(
        id=row[1],
        name=box.name if box else row[1][:12],
        running=box.running if box else False,
        privileged=row[2] == "true",
        nodes=tuple(sorted(nodes)),
        mounts=tuple(MountPoint(source=source, target=target) for source, _, target in mounts if target),
        variables=variables,
        shm_mb=None if shared or not row[3] else int(row[3]) // _MIB,
        runtime=row[5].strip(),
    )
