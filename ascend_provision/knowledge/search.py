"""The cheapest choice of one value a part, when parts restrict each other in pairs: exact branch and bound.

Values are numbered, and a set of values is an integer with one bit a value. A pair of values is free (known to go
together), doubtful (nobody says) or neither (known not to). The order of choices is: fewest doubtful pairs, then the
lowest price, then the first found; parts are tried in the order given, so the dearest should come first.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

Pair = tuple[int, int]
Relation = Callable[[int, int, int], tuple[int, int]]
"""(part, value, other part) -> the other part's free values and its doubtful values, as two disjoint bit sets."""

FEW = 16
"""Parts with more values left than this do not strike those of others: asking all of them would cost more."""

ItemT = TypeVar("ItemT")


class Price(NamedTuple):
    """What a value costs. `once` counts before `each`.

    `once` are bits paid once however many parts ask for them (one reboot serves several), the highest bit the
    dearest; `each` are numbers that add up, the first the dearest.
    """

    once: int
    each: tuple[int, ...]

    def plus(self, other: Price) -> Price:
        return Price(self.once | other.once, tuple(map(int.__add__, self.each, other.each)))


@dataclass(frozen=True)
class Network:
    """`prices[part][value]`, their `each` all of one length; `pairs` are the parts that restrict each other, low first.

    `relation` is asked only about `pairs`, in either direction, and must answer the same both ways.
    """

    prices: tuple[tuple[Price, ...], ...]
    pairs: frozenset[Pair]
    relation: Relation

    @functools.cached_property
    def by_price(self) -> tuple[tuple[int, ...], ...]:
        """The values of each part, cheapest first."""
        return tuple(_ascending(prices) for prices in self.prices)

    @functools.cached_property
    def by_each(self) -> tuple[tuple[int, ...], ...]:
        """The same, looking at what adds up alone."""
        return tuple(_ascending(tuple(Price(0, price.each) for price in prices)) for prices in self.prices)


@dataclass(frozen=True)
class Choice:
    """One value a part, the number of doubtful pairs in it, and what it costs."""

    values: tuple[int, ...]
    doubts: int
    price: Price


def cheapest(
    network: Network, domains: Sequence[int], *, doubtful: bool, pairs: frozenset[Pair] | None = None
) -> Choice | None:
    """The best choice within `domains` (a bit set a part); None when there is none.

    `doubtful` allows doubtful pairs; `pairs` keeps only these restrictions of the network.
    """
    return _Search(network, network.pairs if pairs is None else pairs, doubtful).run(domains)


def possible(network: Network, domains: Sequence[int], *, doubtful: bool, pairs: frozenset[Pair] | None = None) -> bool:
    """Whether there is any choice at all; as `cheapest`, but the first one will do."""
    return (
        _Search(network, network.pairs if pairs is None else pairs, doubtful, any_will_do=True).run(domains) is not None
    )


def irreducible(items: Iterable[ItemT], holds: Callable[[tuple[ItemT, ...]], bool]) -> tuple[ItemT, ...]:
    """A smallest part of `items` for which `holds` stays true: taking any one away makes it false.

    `holds` must be true of all of them and stay true when items are added; what comes first is dropped first.
    """
    kept = tuple(items)
    for item in kept:
        rest = tuple(other for other in kept if other is not item)
        if holds(rest):
            kept = rest
    return kept


class _Search:
    def __init__(self, network: Network, pairs: frozenset[Pair], doubtful: bool, *, any_will_do: bool = False) -> None:
        self._network = network
        self._doubtful = doubtful
        size = len(network.prices)
        self._neighbours: list[list[int]] = [[] for _ in range(size)]
        for low, high in sorted(pairs):
            self._neighbours[low].append(high)
            self._neighbours[high].append(low)
        self._any_will_do = any_will_do
        self._chosen: list[int] = [-1] * size
        self._best: Choice | None = None

    def run(self, domains: Sequence[int]) -> Choice | None:
        open_ = list(domains)
        singles = [part for part, values in enumerate(open_) if values & (values - 1) == 0]
        if all(open_) and all(self._strike(part, open_) for part in singles):
            length = len(self._network.prices[0][0].each) if domains else 0
            self._descend(open_, list(open_), 0, Price(0, (0,) * length))
        return self._best

    def _descend(self, open_: list[int], free: list[int], doubts: int, price: Price) -> None:
        """`open_` are the values still possible, `free` those of them without a doubtful pair to what is chosen."""
        waiting = [part for part, value in enumerate(self._chosen) if value < 0]
        if not waiting:
            if self._best is None or (doubts, price) < (self._best.doubts, self._best.price):
                self._best = Choice(tuple(self._chosen), doubts, price)
            return
        if self._hopeless(waiting, open_, free, doubts, price):
            return
        part = min(waiting, key=lambda one: open_[one] & (open_[one] - 1) != 0)
        for value in self._network.by_price[part]:
            if open_[part] >> value & 1:
                self._choose(part, value, open_, free, doubts, price)

    def _hopeless(self, waiting: list[int], open_: list[int], free: list[int], doubts: int, price: Price) -> bool:
        """Even the cheapest end of this beginning is no better than the best choice so far."""
        if self._best is None:
            return False
        if self._any_will_do:
            return True
        for part in waiting:
            prices = self._network.prices[part]
            each = prices[_first(self._network.by_each[part], open_[part])].each
            price = price.plus(Price(self._unavoidable(part, open_[part]), each))
            doubts += not free[part] & open_[part]
        return (doubts, price) >= (self._best.doubts, self._best.price)

    def _unavoidable(self, part: int, values: int) -> int:
        """The bits that every one of these values asks for."""
        bits = -1
        for value, price in enumerate(self._network.prices[part]):
            if values >> value & 1:
                bits &= price.once
                if not bits:
                    break
        return bits

    def _choose(self, part: int, value: int, open_: list[int], free: list[int], doubts: int, price: Price) -> None:
        open_, free = list(open_), list(free)
        open_[part] = 1 << value
        for other in self._neighbours[part]:
            good = self._network.relation(part, value, other)[0]
            if self._chosen[other] >= 0:
                doubts += not good >> self._chosen[other] & 1
            free[other] &= good
        if not self._strike(part, open_):
            return
        self._chosen[part] = value
        self._descend(open_, free, doubts, price.plus(self._network.prices[part][value]))
        self._chosen[part] = -1

    def _strike(self, part: int, open_: list[int]) -> bool:
        """Strike what no value left of a neighbour goes with, on and on; False when a part has nothing left."""
        changed = [part]
        while changed:
            source = changed.pop()
            for other in self._neighbours[source]:
                left = open_[other] & self._reachable(source, open_[source], other)
                if not left:
                    return False
                if left != open_[other]:
                    open_[other] = left
                    if other not in changed and left.bit_count() <= FEW:
                        changed.append(other)
        return True

    def _reachable(self, part: int, values: int, other: int) -> int:
        """The values of `other` that at least one of the values of `part` allows."""
        found = 0
        while values:
            lowest = values & -values
            values ^= lowest
            good, doubtful = self._network.relation(part, lowest.bit_length() - 1, other)
            found |= good | doubtful if self._doubtful else good
        return found


@functools.lru_cache(maxsize=4096)
def _ascending(prices: tuple[Price, ...]) -> tuple[int, ...]:
    return tuple(sorted(range(len(prices)), key=lambda value: (prices[value], value)))


def _first(order: Sequence[int], values: int) -> int:
    """The first in the order that is in the set."""
    return next(value for value in order if values >> value & 1)
