"""The search against looking at everything, on random small networks."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.knowledge.search import Choice, Network, Pair, Price, cheapest, irreducible

FREE, DOUBTFUL, WRONG = "free", "doubtful", "wrong"
Table = dict[tuple[int, int, int, int], str]


@st.composite
def networks(draw: Any) -> tuple[Network, Table, list[int]]:
    """Up to four parts of up to three values, each pair of them related or not, every pair of values one of three."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    price = st.builds(Price, st.integers(0, 7), st.integers(0, 5))
    prices = tuple(tuple(draw(price) for _ in range(size)) for size in sizes)
    pairs = frozenset(pair for pair in itertools.combinations(range(len(sizes)), 2) if draw(st.booleans()))
    table: Table = {}
    for low, high in sorted(pairs):
        for a, b in itertools.product(range(sizes[low]), range(sizes[high])):
            table[low, a, high, b] = table[high, b, low, a] = draw(st.sampled_from([FREE, DOUBTFUL, WRONG]))

    def relation(part: int, value: int, other: int) -> tuple[int, int]:
        row = [table[part, value, other, theirs] for theirs in range(sizes[other])]
        return mask(row, FREE), mask(row, DOUBTFUL)

    domains = [draw(st.integers(1, 2**size - 1)) for size in sizes]
    return Network(prices, pairs, relation), table, domains


def mask(row: Sequence[str], word: str) -> int:
    return sum(1 << at for at, found in enumerate(row) if found == word)


def by_looking_at_everything(
    network: Network, table: Table, domains: Sequence[int], *, doubtful: bool, pairs: frozenset[Pair]
) -> tuple[int, Price] | None:
    """The fewest doubts and the lowest price of any choice; no cleverness at all."""
    best: tuple[int, Price] | None = None
    values = [
        [v for v in range(len(prices)) if domain >> v & 1]
        for prices, domain in zip(network.prices, domains, strict=True)
    ]
    for chosen in itertools.product(*values):
        words = [table[low, chosen[low], high, chosen[high]] for low, high in pairs]
        if WRONG in words or (DOUBTFUL in words and not doubtful):
            continue
        found = (words.count(DOUBTFUL), paid(network, chosen))
        best = found if best is None else min(best, found)
    return best


def paid(network: Network, chosen: Sequence[int]) -> Price:
    prices = [network.prices[part][value] for part, value in enumerate(chosen)]
    once = functools.reduce(operator.or_, (price.once for price in prices))
    return Price(once, sum(price.each for price in prices))


@given(networks(), st.booleans())
def test_the_search_finds_what_looking_at_everything_finds(
    drawn: tuple[Network, Table, list[int]], doubtful: bool
) -> None:
    network, table, domains = drawn
    found = cheapest(network, domains, doubtful=doubtful)
    expected = by_looking_at_everything(network, table, domains, doubtful=doubtful, pairs=network.pairs)

    assert (None if found is None else (found.doubts, found.price)) == expected
    assert found == cheapest(network, domains, doubtful=doubtful)


@given(networks())
def test_a_choice_costs_what_its_values_cost_and_keeps_every_restriction(
    drawn: tuple[Network, Table, list[int]],
) -> None:
    network, table, domains = drawn
    found = cheapest(network, domains, doubtful=False)
    if found is None:
        return

    assert all(domain >> value & 1 for domain, value in zip(domains, found.values, strict=True))
    assert all(table[low, found.values[low], high, found.values[high]] == FREE for low, high in network.pairs)
    assert found.price == paid(network, found.values)


@given(networks(), st.data())
def test_taking_a_restriction_away_never_makes_a_choice_dearer(
    drawn: tuple[Network, Table, list[int]], data: st.DataObject
) -> None:
    network, _, domains = drawn
    fewer = frozenset(pair for pair in network.pairs if data.draw(st.booleans()))
    all_kept = cheapest(network, domains, doubtful=False)
    some_kept = cheapest(network, domains, doubtful=False, pairs=fewer)

    if all_kept is not None:
        assert some_kept is not None
        assert some_kept.price <= all_kept.price


def test_no_parts_at_all_are_a_choice_and_an_empty_domain_is_none() -> None:
    assert cheapest(Network((), frozenset(), lambda *_: (0, 0)), [], doubtful=False) == Choice((), 0, Price(0, 0))
    assert cheapest(Network(((Price(0, 0),),), frozenset(), lambda *_: (0, 0)), [0], doubtful=True) is None


@given(st.sets(st.integers(0, 9)), st.lists(st.frozensets(st.integers(0, 9), min_size=1), min_size=1, max_size=4))
def test_what_is_irreducible_holds_and_nothing_less_does(extra: set[int], cores: list[frozenset[int]]) -> None:
    items = sorted(extra.union(*cores))

    def holds(some: Sequence[int]) -> bool:
        return any(core <= set(some) for core in cores)

    kept = irreducible(items, holds)

    assert holds(kept)
    assert not any(holds([other for other in kept if other != item]) for item in kept)
