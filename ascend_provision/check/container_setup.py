"""How containers with cards were started: nodes, mounts, /dev/shm, variables; by generation, never one list for all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from ascend_provision.check import container_cards, env, env_paths, finding
from ascend_provision.check.reading import family, several
from ascend_provision.knowledge import container_needs
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import ContainerSetup

KEYS = ("containers.nodes", "containers.mounts", "containers.shm", "containers.env")
_CARD = re.compile(r"/dev/davinci\d+")
_LIKE_A_NODE = re.compile(r"/dev/(dav|devmm|hisi|hdc)\w*")
_SHM = "/dev/shm"  # noqa: S108 - a path that is asked about
_OPTIONS = "ASCEND_RUNTIME_OPTIONS"


def judge(facts: HostFacts) -> Iterator[Finding]:
    """Every running container that was given a card, or asks for one."""
    host, found = facts.host, facts.container_setups
    if isinstance(found, Unknown):
        yield from (finding.unknown(key, host, found) for key in KEYS)
        return
    boxes = [box for box in found if box.running and _uses_cards(box)]
    if not boxes:
        yield from (finding.skip(key, host, "no running container has a card") for key in KEYS)
        return
    given = [item for box in boxes for item in _judge(facts, box)]
    yield from given
    said = {item.id for item in given}
    yield from (finding.ok(key, host, f"{len(boxes)} containers") for key in KEYS if key not in said)


def _uses_cards(box: ContainerSetup) -> bool:
    asked = container_cards.asked(box)
    mounts_driver = any("/Ascend/driver" in mount.target or mount.target == "/usr/local/dcmi" for mount in box.mounts)
    return any(_LIKE_A_NODE.fullmatch(node) for node in box.nodes) or isinstance(asked, Unknown) or asked > 0 or (
        box.privileged and mounts_driver
    )  # fmt: skip


def _judge(facts: HostFacts, box: ContainerSetup) -> Iterator[Finding]:
    generation = family(facts)
    if generation is None:
        for key in ("containers.nodes", "containers.mounts"):
            yield finding.unknown(key, facts.host, f"{box.name}: the product is not known, and each needs others")
    else:
        yield from _nodes(facts.host, box, generation)
        yield from _mounts(facts.host, box, generation)
    yield from _shm(facts.host, box)
    broken = (*env.faults(box.variables, facts, container_cards.seen(box, facts)), *env_paths.lint(box.variables))
    for fault, where in env.gathered([(f"container {box.name}", broken)]).items():
        yield env.told(fault, where, facts.host, "containers.env")


def _nodes(host: str, box: ContainerSetup, generation: str) -> Iterator[Finding]:
    key = "containers.nodes"
    if box.privileged or container_cards.brings_nodes(box):
        return
    asked = container_cards.asked(box)
    if not box.nodes and (isinstance(asked, Unknown) or asked > 0):
        observed = (
            f"{box.name} asks for cards by {container_cards.ASKED}, and its runtime {box.runtime or 'runc'} gives none"
        )
        yield finding.fail(key, host, observed, expected=f"the runtime {', '.join(container_needs.runtimes())}")
        return
    wanted = [row.node for row in container_needs.nodes(generation)]
    missing = [node for node in wanted if node not in box.nodes]
    odd = [
        node
        for node in box.nodes
        if _LIKE_A_NODE.fullmatch(node) and not _CARD.fullmatch(node) and node not in container_needs.every_node()
    ]
    if missing:
        named = f", but {', '.join(odd)}, which no driver makes" if odd else ""
        yield finding.fail(key, host, f"{box.name} has no {', '.join(missing)}{named}", expected=", ".join(wanted))


def _mounts(host: str, box: ContainerSetup, generation: str) -> Iterator[Finding]:
    key = "containers.mounts"
    if container_cards.brings_nodes(box) and "NODRV" not in box.variables.get(_OPTIONS, ""):
        return
    rows = container_needs.paths(generation)
    missing = [row for row in rows if not any(_seen(path, box) for path in row.any)]
    if not missing:
        return
    verdict: Literal["fail", "warn"] = "fail" if any(row.verdict == "fail" for row in missing) else "warn"
    give = finding.fail if verdict == "fail" else finding.warn
    names = several([f"{row.what} ({row.any[0]})" for row in missing], 5)
    source = "; ".join(dict.fromkeys(row.cited for row in missing))
    expected = " ".join(f"-v {row.any[0]}:{row.any[0]}" for row in missing)
    yield give(key, host, f"{box.name} does not see {names}", expected=expected, source=source)


def _seen(path: str, box: ContainerSetup) -> bool:
    """A mount of the path, or of a directory above it."""
    return any(path == mount.target or path.startswith(mount.target.rstrip("/") + "/") for mount in box.mounts)


def _shm(host: str, box: ContainerSetup) -> Iterator[Finding]:
    least = container_needs.shm()
    if box.shm_mb is not None and box.shm_mb < least.minimum_mb and not _seen(_SHM, box):
        observed = f"{box.name} has {box.shm_mb} MB of /dev/shm"
        yield finding.warn("containers.shm", host, observed, expected=f"{least.minimum_mb} MB", source=least.cited)
