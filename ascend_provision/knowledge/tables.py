"""A matrix for one chip as bit sets of versions, each row worked out when it is first asked for and remembered."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Protocol

from ascend_provision.knowledge.answers import Answer, Fit
from ascend_provision.knowledge.components import Component, Item
from ascend_provision.knowledge.relations import Relation

NOT_INSTALLED: frozenset[Component] = frozenset({"torch_npu_series", "python", "mooncake"})
"""What another component says already, what an environment has from its beginning, and what one feature alone needs."""
AS_CANN: frozenset[Component] = frozenset({"kernels", "nnal"})
"""Released with every CANN under its number."""


class Judge(Protocol):
    """What the solver asks of a matrix."""

    @property
    def relations(self) -> Sequence[Relation]: ...
    def judge(self, a: Item, b: Item, chip: str, /) -> Answer: ...
    def fit(self, a: Item, b: Item, chip: str, /) -> Fit: ...
    def candidates(self, component: Component, chip: str, /) -> tuple[str, ...]: ...


class Tables:
    """One matrix and one chip; grows as it is asked."""

    def __init__(self, matrix: Judge, chip: str) -> None:
        self._matrix = matrix
        self.chip = chip
        self._pairs = {frozenset({row.subject, row.object}) for row in matrix.relations}
        self._candidates: dict[Component, tuple[str, ...]] = {}
        self._masks: dict[tuple[Component, str, Component, tuple[str, ...]], tuple[int, int]] = {}

    def related(self, a: Component, b: Component) -> bool:
        """Whether rows speak of the two together at all."""
        return a != b and frozenset({a, b}) in self._pairs

    def needs(self, component: Component) -> tuple[Component, ...]:
        """What a component runs on and is installed with: the objects of its relations that rows give versions of."""
        found = dict.fromkeys(row.object for row in self._matrix.relations if row.subject == component)
        return tuple(other for other in found if other not in NOT_INSTALLED and self.candidates(other))

    def candidates(self, component: Component) -> tuple[str, ...]:
        """Every version that rows name, oldest first."""
        if component not in self._candidates:
            listed = "cann" if component in AS_CANN else component
            self._candidates[component] = self._matrix.candidates(listed, self.chip)
        return self._candidates[component]

    def judge(self, a: Item, b: Item) -> Answer:
        """Do the two go together on this chip?"""
        return self._matrix.judge(a, b, self.chip)

    def masks(self, a: Item, component: Component, versions: tuple[str, ...]) -> tuple[int, int]:
        """Which of these versions are published with `a`, and about which nobody says anything."""
        key = (a.component, a.version, component, versions)
        if key not in self._masks:
            good = doubtful = 0
            for at, version in enumerate(versions):
                verdict = self._matrix.fit(a, Item(component=component, version=version), self.chip)
                good |= (verdict == "compatible") << at
                doubtful |= (verdict == "unknown") << at
            self._masks[key] = good, doubtful
        return self._masks[key]


@functools.lru_cache(maxsize=32)
def tables(matrix: Judge, chip: str) -> Tables:
    """The tables of a matrix and a chip, shared by all hosts with that chip."""
    return Tables(matrix, chip)
