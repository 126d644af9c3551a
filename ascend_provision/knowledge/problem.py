"""A request as a network of parts: which versions each may have, which pairs are judged, and what today's are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ascend_provision.knowledge import pricing
from ascend_provision.knowledge.components import Component, Item, parse
from ascend_provision.knowledge.pricing import CANN, HDK, dearness
from ascend_provision.knowledge.search import Choice, Network, cheapest
from ascend_provision.knowledge.solution import Part, Request, Want
from ascend_provision.knowledge.tables import Tables

NEW_ENVIRONMENT = "a new environment"


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
        waiting += [(other, where if dearness(other) == 2 else "") for other in _needs(component, request, tables)]
    return tuple(sorted(found.values(), key=lambda part: (dearness(part.component), part.where, _rank(part.component))))


def _needs(component: Component, request: Request, tables: Tables) -> Iterator[Component]:
    """What the component stands on; of packages only those that rows name with a version wished for."""
    wished = [version for want in request.wants if want.component == component for version in want.versions]
    for other in tables.needs(component):
        listed = tables.candidates(other)
        named = (tables.masks(Item(component=component, version=one), other, listed)[0] for one in wished)
        if dearness(other) < 2 or not wished or any(named):
            yield other


def _home(component: Component, request: Request) -> str:
    return NEW_ENVIRONMENT if request.complete and dearness(component) == 2 else ""


def _rank(component: Component) -> tuple[int, str]:
    order = (*HDK, *CANN)
    return (order.index(component) if component in order else len(order), component)


class Problem:
    """Parts with numbered versions. A subset of its restrictions can be asked about, for proofs."""

    def __init__(self, request: Request, tables: Tables, *, tolerant: bool = False) -> None:
        self.request = request
        self.tables = tables
        self.tolerant = tolerant
        self.parts = completed(request, tables)
        self.versions = tuple(self._versions(part) for part in self.parts)
        self.now = tuple(
            None if part.version is None else pricing.index(part.component, versions, part.version)
            for part, versions in zip(self.parts, self.versions, strict=True)
        )
        pairs = frozenset(
            (low, high)
            for high in range(len(self.parts))
            for low in range(high)
            if self._meet(self.parts[low], self.parts[high])
        )
        prices = tuple(
            pricing.prices(part.component, versions, now, told=part.told, stopover=request.stopover)
            for part, versions, now in zip(self.parts, self.versions, self.now, strict=True)
        )
        self.network = Network(prices, pairs, self._relation)
        self._places: dict[Component, list[int]] = {}
        for at, part in enumerate(self.parts):
            self._places.setdefault(part.component, []).append(at)
        self._wanted: dict[tuple[int, tuple[str, ...]], int] = {}
        self._rows: dict[tuple[int, int, int], tuple[int, int]] = {}
        self._today: dict[tuple[int, int], str] = {}

    def tolerate(self, tolerant: bool) -> None:
        """Leave pairs alone, or not, that are wrong today, as long as neither side changes."""
        if tolerant != self.tolerant:
            self.tolerant = tolerant
            self._rows.clear()
            self.network = Network(self.network.prices, self.network.pairs, self._relation)

    def staying(self, at: int) -> int:
        """The part as it is."""
        now = self.now[at]
        return 0 if now is None else 1 << now

    def _wanted_at(self, at: int, want: Want) -> int:
        """The versions of the part that satisfy the wish about its component."""
        key = (at, want.versions)
        if key not in self._wanted:
            component = want.component
            wished = {parse(component, version) for version in want.versions}
            fits = (parse(component, version) in wished for version in self.versions[at])
            self._wanted[key] = sum(1 << n for n, fit in enumerate(fits) if fit)
        return self._wanted[key]

    def domains(self, wants: Sequence[Want]) -> list[int]:
        """The versions each part may have under these wishes."""
        unlimited = enumerate(self.unlimited(wants))
        return [values & self.staying(at) if self.parts[at].fixed else values for at, values in unlimited]

    def unlimited(self, wants: Sequence[Want]) -> list[int]:
        """As `domains`; a fixed part too may be anything, so that its staying can be one of a proof's reasons."""
        found = [(1 << len(versions)) - 1 for versions in self.versions]
        for want in wants:
            for at in self._places.get(want.component, ()):
                found[at] &= self._wanted_at(at, want)
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
        key = (part, value, other)
        if key not in self._rows:
            self._rows[key] = self._row(part, value, other)
        return self._rows[key]

    def _row(self, part: int, value: int, other: int) -> tuple[int, int]:
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
        """What it may become: of a part that nobody told, whatever rows or the request name."""
        component = part.component
        at_hand = self.request.only.get(component)
        limit = at_hand if part.told else None
        texts = list((*self.tables.candidates(component), *(at_hand or ())) if limit is None else limit)
        wished = [version for want in self.request.wants if want.component == component for version in want.versions]
        texts = [*([part.version] if part.version else []), *texts, *(wished if limit is None else [])]
        return pricing.in_order(component, tuple(dict.fromkeys(texts)))
