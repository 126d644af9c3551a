"""Random small matrices and requests for the solver, and a solver that looks at everything."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, get_args

from hypothesis import strategies as st

from ascend_provision.knowledge.answers import Answer, Fit
from ascend_provision.knowledge.components import Component, Item
from ascend_provision.knowledge.pricing import dearness
from ascend_provision.knowledge.relations import Relation
from ascend_provision.knowledge.solution import Part, Request, Want

COMPONENTS: tuple[Component, ...] = ("hdk", "firmware", "cann", "torch_npu", "torch", "mindspore")
RELATED: tuple[tuple[Component, Component], ...] = (
    ("hdk", "firmware"),
    ("cann", "hdk"),
    ("torch_npu", "cann"),
    ("torch_npu", "torch"),
    ("mindspore", "cann"),
)
ON_THE_HOST: tuple[tuple[Component, Component], ...] = (("hdk", "firmware"), ("cann", "hdk"), ("hdk", "cann"))
VERSIONS = ("1.0.0", "1.1.0", "1.2.0", "2.0.0")


class Rows:
    """A matrix whose every cell was drawn; what is not in `cells` is unknown."""

    def __init__(self, cells: dict[frozenset[Item], Fit], listed: dict[Component, tuple[str, ...]]) -> None:
        self.cells = cells
        self.listed = listed
        self.relations: Sequence[Relation] = tuple(
            Relation(subject=a, object=b, rule="printed", source="here", confidence="assumed") for a, b in RELATED
        )

    def fit(self, a: Item, b: Item, _chip: str = "") -> Fit:
        return self.cells.get(frozenset({a, b}), "unknown")

    def judge(self, a: Item, b: Item, _chip: str = "") -> Answer:
        return Answer(verdict=self.fit(a, b), why=f"{a} with {b}: {self.fit(a, b)}", source="a table")

    def candidates(self, component: Component, _chip: str = "") -> tuple[str, ...]:
        return self.listed.get(component, ())


def item(component: Component, version: str) -> Item:
    return Item(component=component, version=version)


def pairs_of(parts: Sequence[Part]) -> list[tuple[int, int]]:
    """The positions of the parts that rows relate and that can meet: two environments have nothing in common."""
    related = {frozenset(pair) for pair in RELATED}
    return [
        (low, high)
        for low, high in itertools.combinations(range(len(parts)), 2)
        if frozenset({parts[low].component, parts[high].component}) in related
        and ("" in (parts[low].where, parts[high].where) or parts[low].where == parts[high].where)
    ]


def verdict(request: Request, matrix: Rows, one: tuple[Part, str], other: tuple[Part, str], *, tolerant: bool) -> Fit:
    """What a pair is worth: today's own pair is fine unless something is known against it, and then if tolerated."""
    (a, x), (b, y) = one, other
    found = matrix.fit(item(a.component, x), item(b.component, y))
    if (x, y) != (a.version, b.version):
        return found
    found = request.known.get((a.component, b.component)) or request.known.get((b.component, a.component)) or found
    return "incompatible" if found == "incompatible" and not tolerant else "compatible"


def choices(
    domains: Sequence[Sequence[str]], pairs: Sequence[tuple[int, int]], fit: Callable[[int, str, int, str], Fit]
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Every choice of one version a part without an incompatible pair, and its number of unknown ones."""

    def beginnings(chosen: tuple[str, ...], doubts: int) -> Iterator[tuple[int, tuple[str, ...]]]:
        at = len(chosen)
        if at == len(domains):
            yield doubts, chosen
            return
        for version in domains[at]:
            found = [fit(low, chosen[low], at, version) for low, high in pairs if high == at]
            if "incompatible" not in found:
                yield from beginnings((*chosen, version), doubts + found.count("unknown"))

    yield from beginnings((), 0)


@st.composite
def rows(draw: Any, like: Fit = "compatible") -> Rows:
    """A matrix with twice as many cells of one kind as of the others."""
    listed = {c: tuple(VERSIONS[: draw(st.integers(1, 3))]) for c in COMPONENTS}
    verdicts = st.sampled_from([*get_args(Fit), like])
    cells = {
        frozenset({item(a, x), item(b, y)}): draw(verdicts)
        for a, b in RELATED
        for x in listed[a]
        for y in (*listed[b], VERSIONS[3])
    }
    return Rows(cells, listed)


@st.composite
def requests(draw: Any) -> Request:
    """What is installed, some of it in no row, not told or not to be changed, and up to two wishes.

    Packages are on the host itself or in environments of their own; a store may hold only some versions, and files may
    say about today's driver, firmware and CANN what the rows do not.
    """
    installed = draw(st.lists(st.sampled_from(COMPONENTS), min_size=1, unique=True))
    homes = draw(st.sampled_from([("",), ("/opt/a",), ("/opt/a", "/opt/b")]))
    places = [(c, where) for c in installed for where in (("",) if dearness(c) < 2 else homes)][:7]
    wished = draw(st.lists(st.sampled_from(COMPONENTS), max_size=2, unique=True))
    wants = tuple(
        Want(text=f"{c}!", component=c, versions=tuple(sorted(draw(st.sets(st.sampled_from(VERSIONS), min_size=1)))))
        for c in wished
    )
    some_versions = st.lists(st.sampled_from(VERSIONS), max_size=2, unique=True).map(tuple)
    return Request(
        parts=tuple(draw(_part(component, where)) for component, where in places),
        wants=wants,
        complete=draw(st.booleans()),
        only=draw(st.dictionaries(st.sampled_from(COMPONENTS), some_versions, max_size=2)),
        accept_unknown=draw(st.booleans()),
        stopover=draw(st.sampled_from([None, VERSIONS[1]])),
        known=draw(st.dictionaries(st.sampled_from(ON_THE_HOST), st.sampled_from(get_args(Fit)), max_size=2)),
    )


@st.composite
def _part(draw: Any, component: Component, where: str) -> Part:
    version, kind = (
        draw(st.sampled_from(VERSIONS)),
        draw(st.sampled_from(["there"] * 4 + ["fixed", "absent", "untold"])),
    )
    there = {"version": version, "fixed": kind == "fixed"} if kind in ("there", "fixed") else {"told": kind == "absent"}
    return Part.model_validate({"component": component, "where": where, **there})
