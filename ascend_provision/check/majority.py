"""What most hosts have, and the odd ones out by name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ascend_provision.check.reading import several
from ascend_provision.stack.facts import HostFacts

FLEET = ""
"""The host name of a finding about several hosts."""
NOTHING = frozenset({"none"})
"""The host has nothing there: of equally many hosts these are the odd ones. A variable not set is no lack."""

HOSTS_NAMED, VALUES_NAMED = 40, 12
"""Odd hosts of one value, and values: somebody has to go to each of them; past that it is no oddity any more."""


@dataclass(frozen=True)
class Split:
    """`odd` names the values that differ with their hosts (in a tie every value), `expected` what they should be."""

    odd: str
    expected: str


def by_value(fleet: Iterable[HostFacts], read: Callable[[HostFacts], str | None]) -> dict[str, list[str]]:
    """Value -> hosts; a host whose value is not known (None) is left out, and so is never odd."""
    found: dict[str, list[str]] = defaultdict(list)
    for facts in fleet:
        value = read(facts)
        if value is not None:
            found[value].append(facts.host)
    return dict(found)


def split(values: dict[str, list[str]]) -> Split | None:
    """None where all are alike. Without a majority nobody is odd: then all values are told, and that it is a tie."""
    if len(values) < 2:
        return None
    ranked = sorted(values, key=lambda value: (-len(values[value]), value in NOTHING, value))
    first, second = ranked[:2]
    if len(values[first]) == len(values[second]) and second not in NOTHING:
        told = [f"{value} on {several(sorted(values[value]))}" for value in sorted(values)]
        return Split(several(told, VALUES_NAMED, "; "), "one value on all hosts (no majority tells which)")
    odd = [f"{value} on {several(sorted(values[value]), HOSTS_NAMED)}" for value in sorted(values) if value != first]
    return Split(several(odd, VALUES_NAMED, "; "), f"{first} ({hosts(values[first])})")


def hosts(names: Sequence[str]) -> str:
    """`1 host`, `12 hosts`."""
    return f"{len(names)} host" + ("" if len(names) == 1 else "s")
