"""Why a change is forced, or why nothing helps: a smallest set of wishes, parts that stay, and judged pairs.

A proof is irreducible: with any one of its parts gone, the change would not be needed. Its words follow the pairs
from what is wished or stays towards the part in question.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ascend_provision.knowledge.components import title
from ascend_provision.knowledge.problem import Problem
from ascend_provision.knowledge.search import Choice, Pair, irreducible, possible
from ascend_provision.knowledge.solution import Forced, Reason, Want

_NAMED = 4
"""Versions named in one sentence before the rest is only counted."""


class Assumption(NamedTuple):
    """One thing a proof may rest on; exactly one of the three is there."""

    stays: int | None = None
    pair: Pair | None = None
    want: Want | None = None


def change(problem: Problem, choice: Choice, part: int, *, doubtful: bool) -> Forced:
    """Why `part` cannot stay as it is, given what does stay in this choice.

    Such a proof exists where every pair is published and no stopover is due: a choice that kept this part too would
    have been cheaper.
    """
    stays = [at for at, value in enumerate(choice.values) if at != part and value == problem.now[at]]
    if problem.now[part] is None:
        return Forced(wants=_texts(problem.request.wants))
    return _told(problem, proof(problem, stays, part, doubtful=doubtful), part, doubtful=doubtful)


def conflict(problem: Problem) -> Forced:
    """Why no choice satisfies every wish."""
    stays = [at for at, part in enumerate(problem.parts) if part.fixed]
    return _told(problem, proof(problem, stays, None, doubtful=True), None, doubtful=True)


def proof(problem: Problem, stays: Sequence[int], held: int | None, *, doubtful: bool) -> tuple[Assumption, ...] | None:
    """A smallest set of assumptions that rules every choice out; None when even all of them rule nothing out.

    `stays` are the parts that may be assumed to stay; `held` is kept as it is throughout: that is what cannot be.
    """
    assumptions = (
        *(Assumption(stays=at) for at in reversed(stays)),
        *(Assumption(pair=pair) for pair in sorted(problem.network.pairs, reverse=True)),
        *(Assumption(want=want) for want in problem.request.wants),
    )

    def refuted(some: Sequence[Assumption]) -> bool:
        pairs = frozenset(one.pair for one in some if one.pair is not None)
        return not possible(problem.network, _domains(problem, some, held), doubtful=doubtful, pairs=pairs)

    general = tuple(one for one in assumptions if one.stays is None)
    if refuted(general):
        return irreducible(general, refuted)
    return irreducible(assumptions, refuted) if refuted(assumptions) else None


def _told(problem: Problem, found: Sequence[Assumption] | None, held: int | None, *, doubtful: bool) -> Forced:
    if found is None:
        text = "as it is, more pairs would be of versions that nobody publishes together"
        if not doubtful:
            text = f"it could stay with another HDK, but any other than {problem.request.stopover} needs a restart more"
        return Forced(reasons=(Reason(text=text),))
    stays = [problem.parts[one.stays] for one in found if one.stays is not None]
    return Forced(
        wants=_texts([one.want for one in found if one.want is not None]),
        stays=tuple(f"{part.name} {part.version}" for part in stays),
        reasons=tuple(_words(problem, found, held, doubtful=doubtful)),
    )


def _domains(problem: Problem, some: Sequence[Assumption], held: int | None) -> list[int]:
    domains = problem.unlimited([one.want for one in some if one.want is not None])
    for at in [one.stays for one in some if one.stays is not None] + ([] if held is None else [held]):
        domains[at] &= problem.staying(at)
    return domains


def _texts(wants: Sequence[Want]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(want.text for want in wants))


def _words(problem: Problem, found: Sequence[Assumption], held: int | None, *, doubtful: bool) -> list[Reason]:
    """One sentence a wish with a reason of its own, then one a pair, in the order in which they strike versions."""
    said = [Reason(text=one.want.why, source=one.want.source) for one in found if one.want is not None and one.want.why]
    domains = _domains(problem, found, held)
    left = [one.pair for one in found if one.pair is not None]
    while left:
        pair = min(left, key=lambda pair: (min(domains[at].bit_count() for at in pair if at != held), pair))
        left.remove(pair)
        source, other = sorted(pair, key=lambda at: (at == held, domains[at].bit_count(), at))
        good = problem.network.reach(source, domains[source], other, doubtful=doubtful)
        said.append(_sentence(problem, (source, domains[source]), (other, domains[other]), good))
        domains[other] &= good
    return said


def _sentence(problem: Problem, one: tuple[int, int], other: tuple[int, int], good: int) -> Reason:
    """What the rows say about the versions left of two parts."""
    (at, mine), (to, theirs) = one, other
    if mine.bit_count() == 1 and theirs.bit_count() == 1:
        answer = problem.tables.judge(
            problem.item(at, mine.bit_length() - 1), problem.item(to, theirs.bit_length() - 1)
        )
        return Reason(text=answer.why, source=answer.source)
    name, partner = title(problem.parts[at].component), title(problem.parts[to].component)
    listed = _list(problem, at, mine)
    if not good & theirs:
        text = f"no row has {name} {listed} with {partner} {_list(problem, to, theirs)}"
        text += f"; it goes with {partner} {_list(problem, to, good)}" if good and mine.bit_count() == 1 else ""
        back = problem.network.reach(to, theirs, at, doubtful=False) if theirs.bit_count() == 1 else 0
        text += f"; {partner} {_list(problem, to, theirs)} goes with {name} {_list(problem, at, back)}" if back else ""
        return Reason(text=text, source=_cited(problem, to, theirs, at, back) or _cited(problem, at, mine, to, good))
    return Reason(
        text=f"{name} {listed} is published with {partner} {_list(problem, to, good)}",
        source=_cited(problem, at, mine, to, good),
    )


def _list(problem: Problem, at: int, values: int) -> str:
    texts = [version for n, version in enumerate(problem.versions[at]) if values >> n & 1]
    if len(texts) <= _NAMED:
        return " or ".join(texts) or "none"
    return f"{', '.join(texts[:2])} … {texts[-1]} ({len(texts)} releases)"


def _cited(problem: Problem, at: int, mine: int, to: int, good: int) -> str:
    """Where the first of these pairs is published."""
    if not mine or not good:
        return ""
    for value in range(mine.bit_length()):
        if mine >> value & 1:
            item = problem.item(at, value)
            for theirs in range(good.bit_length()):
                if good >> theirs & 1:
                    answer = problem.tables.judge(item, problem.item(to, theirs))
                    if answer.verdict == "compatible":
                        return answer.source
    return ""
