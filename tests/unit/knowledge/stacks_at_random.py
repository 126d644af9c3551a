"""Random small matrices and requests for the solver, and a solver that looks at everything."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, get_args

from hypothesis import strategies as st

from ascend_provision.knowledge.answers import Answer, Fit
from ascend_provision.knowledge.components import Component, Item
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
    """The positions of the parts that rows relate."""
    related = {frozenset(pair) for pair in RELATED}
    return [
        (low, high)
        for low, high in itertools.combinations(range(len(parts)), 2)
        if frozenset({parts[low].component, parts[high].component}) in related
    ]


@st.composite
def rows(draw: Any) -> Rows:
    listed = {c: tuple(VERSIONS[: draw(st.integers(1, 3))]) for c in COMPONENTS}
    verdicts = st.sampled_from([*get_args(Fit), "compatible"])
    cells = {
        frozenset({item(a, x), item(b, y)}): draw(verdicts)
        for a, b in RELATED
        for x in listed[a]
        for y in (*listed[b], VERSIONS[3])
    }
    return Rows(cells, listed)


@st.composite
def requests(draw: Any) -> Request:
    """Installed versions, some of them in no row, and up to two wishes."""
    installed = draw(st.lists(st.sampled_from(COMPONENTS), min_size=1, unique=True))
    parts = tuple(Part(component=c, version=draw(st.sampled_from(VERSIONS))) for c in installed)
    wished = draw(st.lists(st.sampled_from(COMPONENTS), max_size=2, unique=True))
    wants = tuple(
        Want(text=f"{c}!", component=c, versions=tuple(draw(st.sets(st.sampled_from(VERSIONS), min_size=1))))
        for c in wished
    )
    return Request(parts=parts, wants=wants, complete=draw(st.booleans()), accept_unknown=draw(st.booleans()))
