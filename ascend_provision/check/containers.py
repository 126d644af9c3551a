"""Containers by the cards they were given: one that merely has a card keeps it from the next, without any process."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ascend_provision.check import finding
from ascend_provision.check.reading import several
from ascend_provision.stack.facts import Container, HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown

_OTHER_CLIENTS = ("crictl", "ctr")


def judge(facts: HostFacts) -> Iterator[Finding]:
    """Each card is given to one running container, and that one works on it."""
    key, host = "containers.cards", facts.host
    if isinstance(facts.containers, Unknown):
        yield finding.unknown(key, host, facts.containers)
        return
    given = {box: cards for box in facts.containers if box.running and (cards := _cards(box))}
    twice = _twice(given)
    if twice:
        yield finding.warn(key, host, several(twice, 4, "; "), expected="one running container a card")
    elif given and isinstance(facts.holders, Unknown):
        yield finding.unknown(key, host, facts.holders)
    else:
        yield _idle(facts, given)


def _cards(box: Container) -> tuple[str, ...]:
    names = (device.removeprefix("/dev/") for device in box.devices)
    return tuple(name for name in names if name.removeprefix("davinci").isdigit())


def _twice(given: dict[Container, tuple[str, ...]]) -> list[str]:
    owners: dict[str, list[str]] = defaultdict(list)
    for box, cards in given.items():
        for card in cards:
            owners[card].append(box.name)
    return [f"{card} is given to {' and '.join(names)}" for card, names in sorted(owners.items()) if len(names) > 1]


def _idle(facts: HostFacts, given: dict[Container, tuple[str, ...]]) -> Finding:
    key, host = "containers.cards", facts.host
    busy = set() if isinstance(facts.holders, Unknown) else {holder.container for holder in facts.holders}
    idle = [
        f"{box.name} has {several(list(cards))} and no process on it"
        for box, cards in given.items()
        if box.id not in busy
    ]
    if idle:
        return finding.warn(key, host, several(idle, 4, "; "), expected="a process on each card given away")
    if given:
        return finding.ok(key, host, f"{len(given)} running containers with cards, all at work")
    known = {} if isinstance(facts.tools, Unknown) else facts.tools
    if not known.get("docker") and not known.get("podman") and any(known.get(client) for client in _OTHER_CLIENTS):
        return finding.unknown(key, host, "the containers of containerd are not read")
    return finding.ok(key, host, "no running container was given a card")
