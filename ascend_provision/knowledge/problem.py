"""A request as a network of parts: which versions each may have, what a change of it costs, which pairs are judged.

The order of costs: another reboot (a stopover), a reboot (driver or firmware), CANN, Python packages; then fewer
changed parts, fewer test builds, and the smallest step in version, first of the HDK, then of CANN, then of packages.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from packaging.version import Version as Pep440

from ascend_provision.knowledge import lines
from ascend_provision.knowledge.components import Component, Item, kind
from ascend_provision.knowledge.search import Choice, Network, Price, cheapest
from ascend_provision.knowledge.solution import Part, Request, Want
from ascend_provision.knowledge.tables import Tables
from ascend_provision.stack.versions import FrameworkVersion, Version

HDK: tuple[Component, ...] = ("hdk", "firmware")
CANN: tuple[Component, ...] = ("cann", "kernels", "nnal")
NEW_ENVIRONMENT = "a new environment"
_STOPOVER, _REBOOT, _CANN, _PACKAGES = 8, 4, 2, 1
_FREE = Price(0, (0,) * 7)


def dearness(component: Component) -> int:
    """0 for what costs a reboot, 1 for CANN and what comes with it, 2 for Python packages."""
    return 0 if component in HDK else 1 if component in CANN else 2


def completed(request: Request, tables: Tables) -> tuple[Part, ...]:
    """The request's parts, with those a wish needs and nobody named; what costs most to change comes first."""
    found = {(part.component, part.where): part for part in request.parts}
    waiting: list[tuple[Component, str]] = []
    for want in request.wants:
        homes = [part.where for part in request.parts if part.component == want.component]
        waiting += [(want.component, where) for where in homes or [_home(want.component, request)]]
    seen: set[tuple[Component, str]] = set()
    while waiting:
        component, where = place = waiting.pop(0)
        if place in seen:
            continue
        seen.add(place)
        found.setdefault(place, Part(component=component, where=where, told=request.complete))
        waiting += [(other, where if dearness(other) == 2 else "") for other in tables.needs(component)]
    return tuple(sorted(found.values(), key=lambda part: (dearness(part.component), part.where, _rank(part.component))))


def _home(component: Component, request: Request) -> str:
    return NEW_ENVIRONMENT if request.complete and dearness(component) == 2 else ""


def _rank(component: Component) -> tuple[int, str]:
    order = (*HDK, *CANN)
    return (order.index(component) if component in order else len(order), component)


class Problem:
    """Parts with numbered versions. A subset of its restrictions can be asked about, for proofs."""

    def __init__(self, request: Request, tables: Tables, *, tolerant: bool = False) -> None:
        """`tolerant` leaves pairs alone that are wrong today, as long as neither side changes."""
        self.request = request
        self.tables = tables
        self.tolerant = tolerant
        self.parts = completed(request, tables)
        self.versions = tuple(self._versions(part) for part in self.parts)
        self.now = tuple(
            None if part.version is None else _index(part.component, versions, part.version)
            for part, versions in zip(self.parts, self.versions, strict=True)
        )
        pairs = frozenset(
            (low, high)
            for high in range(len(self.parts))
            for low in range(high)
            if self._meet(self.parts[low], self.parts[high])
        )
        prices = tuple(self._prices(at) for at in range(len(self.parts)))
        self.network = Network(prices, pairs, self._relation)
        self._today: dict[tuple[int, int], str] = {}

    def staying(self, at: int) -> int:
        """The part as it is."""
        now = self.now[at]
        return 0 if now is None else 1 << now

    def wanted(self, at: int, want: Want) -> int:
        """The versions of the part that satisfy the wish; all of them when it speaks of another component."""
        if want.component != self.parts[at].component:
            return -1
        component = want.component
        wished = {kind(component)(version) for version in want.versions}
        return sum(1 << n for n, version in enumerate(self.versions[at]) if kind(component)(version) in wished)

    def domains(self, wants: Sequence[Want]) -> list[int]:
        """The versions each part may have under these wishes."""
        unlimited = enumerate(self.unlimited(wants))
        return [values & self.staying(at) if self.parts[at].fixed else values for at, values in unlimited]

    def unlimited(self, wants: Sequence[Want]) -> list[int]:
        """As `domains`; a fixed part too may be anything, so that its staying can be one of a proof's reasons."""
        found = [(1 << len(versions)) - 1 for versions in self.versions]
        for want in wants:
            found = [values & self.wanted(at, want) for at, values in enumerate(found)]
        return found

    def reach(self, at: int, values: int, other: int, *, doubtful: bool) -> int:
        """The versions of `other` that go with at least one of these versions of the part."""
        found = 0
        for value in range(values.bit_length()):
            if values >> value & 1:
                good, open_ = self._relation(at, value, other)
                found |= good | open_ if doubtful else good
        return found

    def best(self, *, doubtful: bool) -> Choice | None:
        """The cheapest choice that the wishes allow."""
        return cheapest(self.network, self.domains(self.request.wants), doubtful=doubtful)

    def item(self, at: int, value: int) -> Item:
        return Item(component=self.parts[at].component, version=self.versions[at][value])

    def as_it_is(self, low: int, high: int) -> str:
        """The verdict about two parts as they are today: from the request where it knows, else from the rows."""
        if (low, high) not in self._today:
            a, b = self.parts[low].component, self.parts[high].component
            known = self.request.known.get((a, b)) or self.request.known.get((b, a))
            now_low, now_high = self.now[low], self.now[high]
            if known is None and now_low is not None and now_high is not None:
                known = self.tables.judge(self.item(low, now_low), self.item(high, now_high)).verdict
            self._today[low, high] = known or "unknown"
        return self._today[low, high]

    def _relation(self, part: int, value: int, other: int) -> tuple[int, int]:
        good, doubtful = self.tables.masks(self.item(part, value), self.parts[other].component, self.versions[other])
        if "python" in (self.parts[part].component, self.parts[other].component):
            # rows name a Python for few releases only, and another one is another environment: silence forbids nothing
            good, doubtful = good | doubtful, 0
        theirs = self.now[other]
        if value != self.now[part] or theirs is None:
            return good, doubtful
        bit, verdict = 1 << theirs, self.as_it_is(*sorted((part, other)))
        # what nobody says of today's pair is no worse tomorrow
        accepted = verdict in ("compatible", "unknown") or (self.tolerant and verdict == "incompatible")
        return (good | bit, doubtful & ~bit) if accepted else (good & ~bit, doubtful & ~bit)

    def _meet(self, one: Part, other: Part) -> bool:
        same_place = not one.where or not other.where or one.where == other.where
        return same_place and self.tables.related(one.component, other.component)

    def _versions(self, part: Part) -> tuple[str, ...]:
        component = part.component
        limit = self.request.only.get(component)
        texts = list(self.tables.candidates(component) if limit is None else limit)
        wished = [version for want in self.request.wants if want.component == component for version in want.versions]
        texts = [*([part.version] if part.version else []), *texts, *(wished if limit is None else [])]
        found: dict[Version, str] = {}
        for text in texts:
            version = kind(component).maybe(text)
            if version is not None:
                found.setdefault(version, text)
        return tuple(text for _, text in sorted(found.items(), key=_position(component)))

    def _prices(self, at: int) -> tuple[Price, ...]:
        part, versions, now = self.parts[at], self.versions[at], self.now[at]
        level = dearness(part.component)
        first = kind("hdk")(self.request.stopover) if self.request.stopover else None
        prices = []
        for n, version in enumerate(versions):
            trial = int(_is_trial(part.component, version))
            step = abs(n - now) if now is not None else len(versions) - 1 - n
            down = int(now is not None and n < now)
            steps = tuple(2 * step + down if level == mine else 0 for mine in range(3))
            if n == now:
                prices.append(_FREE)
            elif not part.told:
                prices.append(Price(0, (0, 0, 0, 0, 0, trial, step)))
            else:
                again = part.component == "hdk" and first is not None and kind("hdk")(version) != first
                once = (_REBOOT | (_STOPOVER if again else 0), _CANN, _PACKAGES)[level]
                prices.append(Price(once, (1, trial, *steps, 0, 0)))
        return tuple(prices)


def _index(component: Component, versions: Sequence[str], version: str) -> int | None:
    wanted = kind(component).maybe(version)
    return next((n for n, text in enumerate(versions) if wanted is not None and kind(component)(text) == wanted), None)


def _position(component: Component) -> Callable[[tuple[Version, str]], Any]:
    def compare(one: tuple[Version, str], other: tuple[Version, str]) -> int:
        order = lines.order(component, one[0], other[0])
        if order == "incomparable":
            mine, theirs = lines.line(component, one[1]), lines.line(component, other[1])
            return -1 if (mine, one[1]) < (theirs, other[1]) else 1
        return {"older": -1, "same": 0, "newer": 1}[order]

    return functools.cmp_to_key(compare)


def _is_trial(component: Component, version: str) -> bool:
    """A test build: alpha, T and .b builds of the vendor's numbers; pre- and dev releases of Python packages."""
    if issubclass(kind(component), FrameworkVersion):
        return Pep440(version).is_prerelease
    text = version.lower()
    return "alpha" in text or ".t" in text or ".b" in text.replace(".beta", "")
