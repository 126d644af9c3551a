"""What is asked of the solver and what it answers: parts, wants, changes, and why each of them is forced."""

from __future__ import annotations

from typing import Literal

from ascend_provision.knowledge.answers import Fit
from ascend_provision.knowledge.components import Component, title
from ascend_provision.stack.model import Noun

Outcome = Literal["nothing", "change", "unproven", "impossible"]
"""nothing: it is so already; change: every pair afterwards is published; unproven: it rests on pairs nobody
publishes; impossible: what is published forbids it."""


class Part(Noun):
    """One thing of a stack. `version` None: not there; `told` False: nobody said what is there.

    `where` is the Python environment it lives in, empty for what a host has once; a `fixed` part is not changed.
    """

    component: Component
    version: str | None = None
    where: str = ""
    told: bool = True
    fixed: bool = False

    @property
    def name(self) -> str:
        """`HDK`, `torch_npu in /opt/llm`."""
        return f"{title(self.component)} in {self.where}" if self.where else title(self.component)


class Want(Noun):
    """A wish about one component: any of `versions`. `text` is how it was asked for, `why` what it rests on."""

    text: str
    component: Component
    versions: tuple[str, ...]
    why: str = ""
    source: str = ""


class Request(Noun):
    """A stack and what is wished for; no wish at all asks for consistency.

    `complete`: `parts` are all that is there, so what is missing must be installed; else it is only not told.
    `only` limits what may be installed of a component (what a package store holds), not what may be there untold.
    `accept_unknown`: pairs that nobody publishes may come about, the fewest possible. `stopover` is a release that must
    be installed before any other HDK. `known` are answers for pairs of today's versions that the rows do not give
    (installed files).
    """

    parts: tuple[Part, ...]
    wants: tuple[Want, ...] = ()
    complete: bool = False
    only: dict[Component, tuple[str, ...]] = {}
    accept_unknown: bool = False
    stopover: str | None = None
    known: dict[tuple[Component, Component], Fit] = {}

    def __hash__(self) -> int:
        return hash((self.parts, self.wants, self.complete, self.accept_unknown, self.stopover))


class Reason(Noun):
    """One link of a proof, in words, and where it can be looked up."""

    text: str
    source: str = ""


class Forced(Noun):
    """A smallest set of reasons: `wants` that were asked for, parts that `stays`, and what rows say about pairs.

    With any one of them gone, the change would not be needed (or the contradiction not there).
    """

    wants: tuple[str, ...] = ()
    stays: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()


class Change(Noun):
    """One part that must become another; `before` None where it is not there yet."""

    component: Component
    where: str
    before: str | None
    after: str
    forced: Forced

    @property
    def name(self) -> str:
        return Part(component=self.component, where=self.where).name


class Condition(Noun):
    """A part nobody told: it must be one of these, and if it is, it can stay."""

    component: Component
    where: str
    versions: tuple[str, ...]

    @property
    def name(self) -> str:
        return Part(component=self.component, where=self.where).name


class Fitting(Noun):
    """One pair of the stack afterwards. `today`: both versions are those of today."""

    a: str
    b: str
    verdict: Fit
    why: str
    source: str
    today: bool = False


class Solution(Noun):
    """The cheapest consistent change.

    `stack` is every part afterwards, by name; `pairs` how its parts go together; `left` pairs that are wrong today
    and that no wish touches; `conflict` why nothing helps.
    """

    outcome: Outcome
    wants: tuple[str, ...]
    changes: tuple[Change, ...] = ()
    conditions: tuple[Condition, ...] = ()
    stack: dict[str, str] = {}
    pairs: tuple[Fitting, ...] = ()
    unproven: tuple[Fitting, ...] = ()
    left: tuple[Fitting, ...] = ()
    conflict: Forced = Forced()

    @property
    def verdict(self) -> Fit:
        """Incompatible where it is impossible or something wrong is left, unknown where pairs are unproven."""
        if self.outcome == "impossible" or self.left:
            return "incompatible"
        return "unknown" if self.unproven or self.outcome == "unproven" else "compatible"

    def after(self, component: Component) -> str | None:
        """What the component (outside environments) becomes; None when it is not changed."""
        return next((one.after for one in self.changes if one.component == component and not one.where), None)
