"""The least that must change so that a stack is consistent and a wish comes true, with proofs. Exact, deterministic.

Consistent: every pair that rows speak of is published as compatible. A pair that nobody publishes is allowed only
where it is today's own pair, or where the caller accepts it; then as few as possible, and every one is named.
"""

from __future__ import annotations

import functools

from ascend_provision.knowledge import forced
from ascend_provision.knowledge.problem import Problem
from ascend_provision.knowledge.search import Choice, possible
from ascend_provision.knowledge.solution import Change, Condition, Fitting, Outcome, Request, Solution
from ascend_provision.knowledge.tables import Tables


@functools.lru_cache(maxsize=256)
def solve(request: Request, tables: Tables) -> Solution:
    """The cheapest consistent change; without one, what it would rest on, or the smallest contradiction.

    Hosts that ask the same share the answer.
    """
    problem = Problem(request, tables)
    for doubtful in (False, True):
        for tolerant in (False, True) if request.wants else (False,):
            problem.tolerate(tolerant)
            choice = problem.best(doubtful=doubtful)
            if choice is not None:
                return _solution(problem, choice, doubtful=doubtful)
    return Solution(outcome="impossible", wants=_wishes(request), conflict=forced.conflict(problem))


def _solution(problem: Problem, choice: Choice, *, doubtful: bool) -> Solution:
    request = problem.request
    changed = [at for at, part in enumerate(problem.parts) if part.told and choice.values[at] != problem.now[at]]
    pairs = tuple(_fitting(problem, choice, low, high) for low, high in sorted(problem.network.pairs))
    told = [problem.parts[low].told and problem.parts[high].told for low, high in sorted(problem.network.pairs)]
    wrong = tuple(pair for pair in pairs if pair.verdict == "incompatible")
    unproven = tuple(pair for pair, known in zip(pairs, told, strict=True) if pair.verdict == "unknown" and known)
    outcome: Outcome = "change" if changed else "nothing"
    if doubtful and not request.accept_unknown:
        outcome = "unproven"
    return Solution(
        outcome=outcome,
        wants=_wishes(request),
        changes=tuple(_change(problem, choice, at, doubtful=doubtful) for at in changed),
        conditions=tuple(_conditions(problem, choice, doubtful=doubtful)),
        stack={
            part.name: problem.versions[at][choice.values[at]] for at, part in enumerate(problem.parts) if part.told
        },
        pairs=pairs,
        unproven=unproven,
        left=wrong,
    )


def _wishes(request: Request) -> tuple[str, ...]:
    return tuple(dict.fromkeys(want.text for want in request.wants)) or ("consistent",)


def _change(problem: Problem, choice: Choice, at: int, *, doubtful: bool) -> Change:
    part = problem.parts[at]
    return Change(
        component=part.component,
        where=part.where,
        before=part.version,
        after=problem.versions[at][choice.values[at]],
        forced=forced.change(problem, choice, at, doubtful=doubtful),
    )


def _conditions(problem: Problem, choice: Choice, *, doubtful: bool) -> list[Condition]:
    """For each part nobody told: every version that fits what was told, whatever the other untold parts are."""
    fixed = problem.domains(problem.request.wants)
    for at, part in enumerate(problem.parts):
        if part.told:
            fixed[at] = 1 << choice.values[at]
    found = []
    for at, part in enumerate(problem.parts):
        if part.told:
            continue
        fits = []
        for n, version in enumerate(problem.versions[at]):
            trial = [1 << n if other == at else domain for other, domain in enumerate(fixed)]
            if fixed[at] >> n & 1 and possible(problem.network, trial, doubtful=doubtful):
                fits.append(version)
        found.append(Condition(component=part.component, where=part.where, versions=tuple(fits)))
    return found


def _fitting(problem: Problem, choice: Choice, low: int, high: int) -> Fitting:
    a, b = problem.item(low, choice.values[low]), problem.item(high, choice.values[high])
    answer = problem.tables.judge(a, b)
    today = choice.values[low] == problem.now[low] and choice.values[high] == problem.now[high]
    verdict = problem.as_it_is(low, high) if today else answer.verdict
    names = [f"{problem.parts[at].name} {problem.versions[at][choice.values[at]]}" for at in (low, high)]
    return Fitting.model_validate(
        {"a": names[0], "b": names[1], "verdict": verdict, "why": answer.why, "source": answer.source, "today": today}
    )
