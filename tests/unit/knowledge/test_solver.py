"""The solver against looking at everything, on random small matrices; and its words on published ones."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Iterator, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_provision.knowledge.answers import Fit
from ascend_provision.knowledge.components import Component
from ascend_provision.knowledge.matrix import published
from ascend_provision.knowledge.pricing import dearness
from ascend_provision.knowledge.problem import completed
from ascend_provision.knowledge.solution import Part, Request, Solution, Want
from ascend_provision.knowledge.solver import solve
from ascend_provision.knowledge.tables import Tables, tables
from tests.unit.knowledge.stacks_at_random import Rows, choices, pairs_of, requests, rows, verdict

Bill = tuple[int, ...]
"""What a choice costs, as an operator counts: see `paid`, after the number of unpublished pairs."""


def universe(request: Request, matrix: Rows, part: Part) -> list[str]:
    """Every version the part may have, oldest first, whatever is wished."""
    at_hand = request.only.get(part.component)
    limit = at_hand if part.told else None
    wished = [version for want in request.wants if want.component == part.component for version in want.versions]
    offered = [*matrix.candidates(part.component), *(at_hand or ()), *wished] if limit is None else [*limit]
    return sorted({*offered, *([part.version] if part.version else [])})


def paid(request: Request, matrix: Rows, parts: Sequence[Part], chosen: Sequence[str | None]) -> Bill:
    """The reboot of a stopover, a reboot, CANN, packages, how many parts, and the steps of HDK, CANN and packages.

    A part is None where nobody told what is there and nobody says what comes.
    """
    dear, steps, count = [False] * 4, [0] * 3, 0
    for part, version in zip(parts, chosen, strict=True):
        if not part.told or version is None or version == part.version:
            continue
        level, there = dearness(part.component), universe(request, matrix, part)
        now = part.version
        distance = len(there) - 1 - there.index(version) if now is None else there.index(version) - there.index(now)
        steps[level] += 2 * abs(distance) + (now is not None and distance < 0)
        dear[level + 1] = True
        dear[0] |= part.component == "hdk" and request.stopover not in (None, version)
        count += 1
    return (*dear, count, *steps)


def everything(
    request: Request, matrix: Rows, *, doubtful: bool, tolerant: bool
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Every choice that keeps the rules, with its unpublished pairs; written without a look at how the solver does."""
    parts = completed(request, Tables(matrix, ""))
    domains = []
    for part in parts:
        wished = [set(want.versions) for want in request.wants if want.component == part.component]
        own = [part.version] if part.fixed else universe(request, matrix, part)
        domains.append([version for version in own if all(version in versions for versions in wished)])

    def fit(low: int, one: str, high: int, other: str) -> Fit:
        found = verdict(request, matrix, (parts[low], one), (parts[high], other), tolerant=tolerant)
        return "incompatible" if found == "unknown" and not doubtful else found

    return choices(domains, pairs_of(parts), fit)


def cheapest_bill(request: Request, matrix: Rows) -> tuple[str, Bill] | None:
    parts = completed(request, Tables(matrix, ""))
    for doubtful in (False, True):
        for tolerant in (False, True) if request.wants else (False,):
            choices = everything(request, matrix, doubtful=doubtful, tolerant=tolerant)
            bills = [(doubts, *paid(request, matrix, parts, chosen)) for doubts, chosen in choices]
            if bills:
                word = "change" if min(bills)[5] else "nothing"
                return ("unproven" if doubtful and not request.accept_unknown else word), min(bills)
    return None


def bill_of(solution: Solution, request: Request, matrix: Rows) -> Bill:
    parts = completed(request, Tables(matrix, ""))
    doubts = sum(pair.verdict == "unknown" and not pair.today for pair in solution.pairs)
    return (doubts, *paid(request, matrix, parts, [solution.stack.get(part.name) for part in parts]))


@given(rows(), requests())
def test_the_solver_finds_what_looking_at_everything_finds(matrix: Rows, request: Request) -> None:
    found = solve(request, Tables(matrix, ""))
    expected = cheapest_bill(request, matrix)

    if expected is None:
        assert found.outcome == "impossible"
    else:
        assert (found.outcome, bill_of(found, request, matrix)) == expected
    assert found == solve(request, Tables(matrix, ""))


@given(rows(), requests())
def test_every_wish_is_met_and_nothing_published_as_wrong_comes_about(matrix: Rows, request: Request) -> None:
    found = solve(request, Tables(matrix, ""))
    if found.outcome == "impossible":
        return

    for change in found.changes:
        for want in request.wants:
            assert want.component != change.component or change.after in want.versions
    assert all(pair.today for pair in found.pairs if pair.verdict == "incompatible")
    assert set(found.left) == {pair for pair in found.pairs if pair.verdict == "incompatible"}
    for condition in found.conditions:
        assert condition.versions


@settings(max_examples=200)
@given(rows("incompatible"), requests(), st.data())
def test_one_more_fact_never_turns_incompatible_into_ok(matrix: Rows, request: Request, data: st.DataObject) -> None:
    """A part that nobody told may be anything; told what it is, it can only be in the way."""
    known = Tables(matrix, "")
    parts = completed(request.model_copy(update={"complete": False}), known)
    asked = data.draw(st.sampled_from(parts))
    others = tuple(part for part in parts if part != asked)
    untold = Part(component=asked.component, where=asked.where, told=False)
    version = data.draw(st.sampled_from(matrix.candidates(asked.component)))
    told = Part(component=asked.component, where=asked.where, version=version, fixed=data.draw(st.booleans()))
    files = {pair: fit for pair, fit in request.known.items() if asked.component not in pair}
    without = request.model_copy(update={"parts": (*others, untold), "known": files, "complete": False})
    before = solve(without, known)
    after = solve(without.model_copy(update={"parts": (*others, told)}), known)

    assert before.verdict != "incompatible" or after.verdict != "compatible"
    assert before.outcome != "impossible" or after.verdict == "incompatible"


@given(rows(), requests(), st.data())
def test_one_more_statement_never_makes_the_impossible_possible(
    matrix: Rows, request: Request, data: st.DataObject
) -> None:
    if solve(request, Tables(matrix, "")).outcome != "impossible":
        return
    silent = sorted((pair for pair, verdict in matrix.cells.items() if verdict == "unknown"), key=str)
    if not silent:
        return
    pair = data.draw(st.sampled_from(silent))
    said = data.draw(st.sampled_from(["compatible", "incompatible"]))

    assert solve(request, Tables(Rows({**matrix.cells, pair: said}, matrix.listed), "")).outcome == "impossible"


@given(rows(), requests())
def test_telling_the_parts_in_another_order_changes_nothing(matrix: Rows, request: Request) -> None:
    turned = request.model_copy(update={"parts": request.parts[::-1]})

    assert solve(turned, Tables(matrix, "")) == solve(request, Tables(matrix, ""))


def ask(chip: str, *wants: Want, complete: bool = True, **installed: str) -> Solution:
    parts = tuple(Part.model_validate({"component": name, "version": version}) for name, version in installed.items())
    return solve(Request(parts=parts, wants=wants, complete=complete), tables(published(), chip))


def want(component: Component, version: str) -> Want:
    return Want(text=f"{component}={version}", component=component, versions=(version,))


def test_hdk_24_1_0_brings_its_firmware_and_the_cann_that_goes_with_it() -> None:
    found = ask("910b", want("hdk", "24.1.0"), hdk="23.0.3", firmware="7.1.0.5.220", cann="7.0.0")

    assert {change.component: change.after for change in found.changes} == {
        "hdk": "24.1.0",
        "firmware": "7.5.0.3.220",
        "cann": "8.0.0",
    }


def test_a_mindspore_is_changed_rather_than_cann_and_by_the_smallest_step() -> None:
    found = ask("910b", cann="8.2.RC1", mindspore="2.7.1")

    assert [(change.component, change.after) for change in found.changes] == [("mindspore", "2.7.0")]


def test_a_part_nobody_told_is_a_condition_not_a_change() -> None:
    found = ask("910b", want("torch_npu", "2.6.0"), complete=False, cann="8.2.RC1")
    conditions = {condition.component: condition.versions for condition in found.conditions}

    assert found.outcome == "nothing"
    assert conditions["torch"] == ("2.6.0",)
    assert "25.2.0" in conditions["hdk"]
    assert "23.0.3" not in conditions["hdk"]


def test_two_wishes_that_no_row_joins_are_a_contradiction_with_its_row() -> None:
    found = ask("910b", want("mindspore", "2.7.1"), want("cann", "8.2.RC1"), cann="8.2.RC1")

    assert found.outcome == "impossible"
    assert found.conflict.wants == ("mindspore=2.7.1", "cann=8.2.RC1")
    assert [reason.text for reason in found.conflict.reasons] == [
        "MindSpore 2.7.1 is published for CANN 8.3.RC1, not for 8.2.RC1"
    ]


def test_a_version_that_no_row_names_is_unproven_and_every_such_pair_is_named() -> None:
    found = ask("910b", want("torch_npu", "2.6.0.post9"), cann="8.2.RC1", torch_npu="2.6.0", torch="2.6.0")

    assert found.outcome == "unproven"
    assert {(pair.a, pair.b) for pair in found.unproven} >= {("CANN 8.2.RC1", "torch_npu 2.6.0.post9")}


def test_a_pair_that_nobody_publishes_stays_as_long_as_it_is_todays() -> None:
    found = ask("910", hdk="23.0.rc1", cann="8.0.0")

    assert found.outcome == "nothing"
    assert [(pair.a, pair.b) for pair in found.unproven] == [("HDK 23.0.rc1", "CANN 8.0.0")]


def test_a_host_with_two_environments_is_solved_within_its_budget_of_processor_time() -> None:
    """50 ms is the promise (median, on an idle machine); three times that leaves room for a busy one."""
    known = tables(published(), "910b")
    hdks = {
        "23.0.3": ("7.1.0.5.220", "7.0.0"),
        "24.1.rc2": ("7.3.0.1.231", "8.0.RC3"),
        "24.1.0": ("7.5.0.3.220", "8.0.0"),
    }
    wishes = [want("torch_npu", "2.6.0"), want("hdk", "25.2.0"), want("cann", "8.2.RC1"), want("vllm_ascend", "0.9.1")]
    seconds = []
    for (hdk, (firmware, cann)), wish in itertools.product(hdks.items(), wishes):
        host = [("hdk", hdk, ""), ("firmware", firmware, ""), ("cann", cann, "")]
        host += [("torch_npu", "2.1.0", "/opt/a"), ("torch", "2.1.0", "/opt/a"), ("mindspore", "2.4.0", "/opt/b")]
        parts = tuple(Part.model_validate({"component": c, "version": v, "where": where}) for c, v, where in host)
        request = Request(parts=parts, wants=(wish,), complete=True)
        solve.__wrapped__(request, known)
        began = time.process_time()
        solve.__wrapped__(request, known)
        seconds.append(time.process_time() - began)

    assert statistics.median(seconds) < 0.150
