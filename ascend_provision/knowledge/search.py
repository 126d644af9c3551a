"""The cheapest choice of one value a part, when parts restrict each other in pairs: exact branch and bound.

Values are numbered, and a set of values is an integer with one bit a value. A pair of values is free (known to go
together), doubtful (nobody says) or neither (known not to). The order of choices is: fewest doubtful pairs, then what
is paid once, then what adds up, then the first found. Parts that no chosen part joins any more are looked at group by
group, so a host's environments cost their sum and not their product.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

Pair = tuple[int, int]
Relation = Callable[[int, int, int], tuple[int, int]]
"""(part, value, other part) -> the other part's free values and its doubtful values, as two disjoint bit sets."""

_DOUBT = 1 << 256
"""A doubtful pair, dearer than everything that adds up."""
_NO_LIMIT = 1 << 512

ItemT = TypeVar("ItemT")


class Price(NamedTuple):
    """What a value costs. `once` counts before `each`.

    `once` are bits paid once however many parts ask for them (one reboot serves several), the highest bit the
    dearest; `each` adds up (and stays below 2**200 for one value).
    """

    once: int
    each: int


class Tariff(NamedTuple):
    """`costs[part][value]`, the values of each part cheapest first, and what a doubtful pair costs."""

    costs: tuple[tuple[int, ...], ...]
    order: tuple[tuple[int, ...], ...]
    doubt: int

    @staticmethod
    def of(costs: tuple[tuple[int, ...], ...], doubt: int) -> Tariff:
        return Tariff(costs, tuple(_ascending(each) for each in costs), doubt)


@dataclass(frozen=True)
class Network:
    """`prices[part][value]`; `pairs` are the parts that restrict each other, low first.

    `relation` is asked only about `pairs`, in either direction, and must answer the same both ways, always.
    """

    prices: tuple[tuple[Price, ...], ...]
    pairs: frozenset[Pair]
    relation: Relation
    _reached: dict[tuple[int, int, int, bool], int] = field(default_factory=dict, compare=False, repr=False)

    @functools.cached_property
    def priced(self) -> Tariff:
        """Each value at what adds up."""
        return Tariff.of(tuple(tuple(price.each for price in prices) for prices in self.prices), _DOUBT)

    @functools.cached_property
    def free(self) -> Tariff:
        """Every value for nothing, so that only doubtful pairs count."""
        return Tariff.of(tuple((0,) * len(prices) for prices in self.prices), 1)

    def reach(self, part: int, values: int, other: int, *, doubtful: bool) -> int:
        """The values of `other` that go with at least one of these values of the part."""
        key = (part, values, other, doubtful)
        found = self._reached.get(key)
        if found is None:
            found = 0
            for value in each(values):
                good, open_ = self.relation(part, value, other)
                found |= good | open_ if doubtful else good
            self._reached[key] = found
        return found


@dataclass(frozen=True)
class Choice:
    """One value a part, the number of doubtful pairs in it, and what it costs."""

    values: tuple[int, ...]
    doubts: int
    price: Price


def each(values: int) -> Iterable[int]:
    """The members of a bit set, lowest first."""
    while values:
        lowest = values & -values
        values ^= lowest
        yield lowest.bit_length() - 1


def cheapest(
    network: Network, domains: Sequence[int], *, doubtful: bool, pairs: frozenset[Pair] | None = None
) -> Choice | None:
    """The best choice within `domains` (a bit set a part); None when there is none.

    `doubtful` allows doubtful pairs; `pairs` keeps only these restrictions of the network.
    """
    kept = network.pairs if pairs is None else pairs
    plain = _Search(network, kept, doubtful, network.free)
    first = plain.run(domains, _NO_LIMIT)
    if first is None:
        return None
    doubts, domains = first[0], list(domains)
    asked = functools.reduce(operator.or_, (price.once for prices in network.prices for price in prices), 0)
    for bit in reversed(tuple(each(asked))):
        without = [
            sum(1 << value for value in each(values) if not prices[value].once >> bit & 1)
            for values, prices in zip(domains, network.prices, strict=True)
        ]
        if plain.run(without, doubts + 1) is not None:
            domains = without
    found = _Search(network, kept, doubtful, network.priced).run(domains, (doubts + 1) * _DOUBT)
    if found is None:
        return None
    once = [network.prices[part][value].once for part, value in enumerate(found[1])]
    return Choice(found[1], doubts, Price(functools.reduce(operator.or_, once, 0), found[0] % _DOUBT))


def possible(network: Network, domains: Sequence[int], *, doubtful: bool, pairs: frozenset[Pair] | None = None) -> bool:
    """Whether there is any choice at all."""
    kept = network.pairs if pairs is None else pairs
    return _Search(network, kept, doubtful, network.free).any(domains)


def irreducible(items: Iterable[ItemT], holds: Callable[[tuple[ItemT, ...]], bool]) -> tuple[ItemT, ...]:
    """A smallest part of `items` for which `holds` stays true: taking any one away makes it false.

    `holds` must be true of all of them and stay true when items are added; what comes first is dropped first.
    """
    kept = tuple(items)
    blocks = [kept]
    while blocks:
        block = blocks.pop()
        dropped = {id(item) for item in block}
        rest = tuple(item for item in kept if id(item) not in dropped)
        if holds(rest):
            kept = rest
        elif len(block) > 1:
            half = len(block) // 2
            blocks += [block[half:], block[:half]]
    return kept


Found = tuple[int, dict[int, int]]
"""What a choice costs, and its values by part."""


class _Search:
    def __init__(self, network: Network, pairs: frozenset[Pair], doubtful: bool, tariff: Tariff) -> None:
        self._network = network
        self._doubtful = doubtful
        self._costs, self._order, self._doubt = tariff
        self._near = [0] * len(self._costs)
        for low, high in pairs:
            self._near[low] |= 1 << high
            self._near[high] |= 1 << low
        self._neighbours = [tuple(each(near)) for near in self._near]
        self._chosen = [-1] * len(self._costs)
        self._split: dict[int, tuple[tuple[int, ...], ...]] = {}

    def any(self, domains: Sequence[int]) -> bool:
        """Whether there is a choice."""
        open_ = list(domains)
        return all(open_) and self._strike(range(len(open_)), open_) and self._any((1 << len(open_)) - 1, open_)

    def _any(self, parts: int, open_: list[int]) -> bool:
        """What is left was struck to the end: parts with one value join nothing, and a tree of pairs has a choice."""
        parts = sum(1 << part for part in each(parts) if open_[part].bit_count() > 1)
        for group in self._groups(parts):
            if sum((self._near[part] & parts).bit_count() for part in group) < 2 * len(group):
                continue
            part = min(group, key=lambda one: open_[one].bit_count())
            others = sum(1 << other for other in group if other != part)
            for value in each(open_[part]):
                trial = [*open_[:part], 1 << value, *open_[part + 1 :]]
                if self._strike((part,), trial) and self._any(others, trial):
                    break
            else:
                return False
        return True

    def run(self, domains: Sequence[int], limit: int) -> tuple[int, tuple[int, ...]] | None:
        """The cost and the values of the cheapest choice that costs less than `limit`."""
        open_ = list(domains)
        if not all(open_) or not self._strike(range(len(open_)), open_):
            return None
        found = self._parts((1 << len(open_)) - 1, open_, list(open_), limit)
        return None if found is None else (found[0], tuple(found[1][part] for part in range(len(open_))))

    def _parts(self, parts: int, open_: list[int], free: list[int], limit: int) -> Found | None:
        """`open_` are the values still possible, `free` those of them without a doubtful pair to what is chosen."""
        groups = self._groups(parts)
        least = [sum(self._least(part, open_, free) for part in group) for group in groups]
        cost, values = sum(least), dict[int, int]()
        for group, low in zip(groups, least, strict=True):
            if cost >= limit:
                return None
            found = self._group(group, open_, free, low, limit - cost + low)
            if found is None:
                return None
            cost += found[0] - low
            values.update(found[1])
        return (cost, values) if cost < limit else None

    def _group(self, group: tuple[int, ...], open_: list[int], free: list[int], low: int, limit: int) -> Found | None:
        """As `_parts`, for parts that hang together; `low` is a bound from below."""
        part = min(
            group,
            key=lambda one: (open_[one].bit_count() > 1, open_[one].bit_count() / (1 + self._near[one].bit_count())),
        )
        rest = low - self._least(part, open_, free)
        others = sum(1 << other for other in group if other != part)
        best: Found | None = None
        for value in self._order[part]:
            if not open_[part] >> value & 1:
                continue
            cost = self._costs[part][value]
            if cost + rest >= limit:
                break
            cost += self._doubt * self._doubts(part, value)
            after = self._after(part, value, open_, free) if cost + rest < limit else None
            if after is None:
                continue
            self._chosen[part] = value
            found = self._parts(others, *after, limit - cost)
            self._chosen[part] = -1
            if found is not None:
                limit = cost + found[0]
                best = limit, {part: value, **found[1]}
        return best

    def _groups(self, parts: int) -> tuple[tuple[int, ...], ...]:
        """These parts, in groups that no pair joins."""
        if parts not in self._split:
            found, left = [], parts
            while left:
                group, border = 0, left & -left
                while border:
                    group |= border
                    near = (self._near[part] for part in each(border))
                    border = functools.reduce(operator.or_, near, 0) & parts & ~group
                found.append(tuple(each(group)))
                left &= ~group
            self._split[parts] = tuple(found)
        return self._split[parts]

    def _least(self, part: int, open_: list[int], free: list[int]) -> int:
        """What the cheapest of the part's values costs at least."""
        values, costs = open_[part], self._costs[part]
        for value in self._order[part]:
            if values >> value & 1:
                return costs[value] + (0 if free[part] & values else self._doubt)
        raise AssertionError("a part without values")

    def _doubts(self, part: int, value: int) -> int:
        """The doubtful pairs of this value with what is chosen."""
        if not self._doubtful:
            return 0
        chosen = ((other, self._chosen[other]) for other in self._neighbours[part] if self._chosen[other] >= 0)
        return sum(not self._network.relation(part, value, other)[0] >> theirs & 1 for other, theirs in chosen)

    def _after(self, part: int, value: int, open_: list[int], free: list[int]) -> tuple[list[int], list[int]] | None:
        """What is left when the part has this value; None when another part has nothing left."""
        open_, free = list(open_), list(free)
        open_[part] = 1 << value
        if self._doubtful:
            for other in self._neighbours[part]:
                free[other] &= self._network.relation(part, value, other)[0]
        return (open_, free) if self._strike((part,), open_) else None

    def _strike(self, changed: Iterable[int], open_: list[int]) -> bool:
        """Strike what no value left of a neighbour goes with, on and on; False when a part has nothing left."""
        waiting = list(changed)
        while waiting:
            source = waiting.pop()
            for other in self._neighbours[source]:
                left = open_[other] & self._network.reach(source, open_[source], other, doubtful=self._doubtful)
                if not left:
                    return False
                if left != open_[other]:
                    open_[other] = left
                    if other not in waiting:
                        waiting.append(other)
        return True


@functools.lru_cache(maxsize=4096)
def _ascending(costs: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(range(len(costs)), key=lambda value: (costs[value], value)))
