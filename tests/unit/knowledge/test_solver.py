"""The solver against looking at everything, on random small matrices; and its words on published ones."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.knowledge.components import Component
from ascend_provision.knowledge.matrix import published
from ascend_provision.knowledge.pricing import dearness
from ascend_provision.knowledge.problem import Problem
from ascend_provision.knowledge.solution import Part, Request, Solution, Want
from ascend_provision.knowledge.solver import solve
from ascend_provision.knowledge.tables import Tables, tables
from tests.unit.knowledge.stacks_at_random import Rows, item, pairs_of, requests, rows

Bill = tuple[int, bool, bool, bool, int]
"""What a choice costs, as an operator counts: unpublished pairs, a reboot, CANN, packages, how many parts."""


def everything(
    request: Request, matrix: Rows, *, doubtful: bool, tolerant: bool
) -> Iterable[tuple[Bill, tuple[str, ...]]]:
    """Every choice that keeps the rules, with its bill; written without a look at how the solver does it."""
    parts = Problem(request, Tables(matrix, "")).parts
    domains = []
    for part in parts:
        wished = [set(want.versions) for want in request.wants if want.component == part.component]
        known = {*matrix.candidates(part.component), *([part.version] if part.version else []), *set().union(*wished)}
        domains.append(sorted(known.intersection(*wished)))
    for chosen in itertools.product(*domains):
        doubts = 0
        for low, high in pairs_of(parts):
            verdict = matrix.fit(item(parts[low].component, chosen[low]), item(parts[high].component, chosen[high]))
            today = (chosen[low], chosen[high]) == (parts[low].version, parts[high].version)
            if verdict == "incompatible" and not (today and tolerant):
                break
            doubts += verdict == "unknown" and not today
        else:
            if doubts and not doubtful:
                continue
            changed = [
                part for part, version in zip(parts, chosen, strict=True) if part.told and version != part.version
            ]
            levels = [dearness(part.component) for part in changed]
            yield (doubts, 0 in levels, 1 in levels, 2 in levels, len(changed)), chosen


def cheapest_bill(request: Request, matrix: Rows) -> tuple[str, Bill] | None:
    for doubtful in (False, True):
        for tolerant in (False, True) if request.wants else (False,):
            bills = [bill for bill, _ in everything(request, matrix, doubtful=doubtful, tolerant=tolerant)]
            if bills:
                word = "change" if min(bills)[4] else "nothing"
                return ("unproven" if doubtful and not request.accept_unknown else word), min(bills)
    return None


def bill_of(solution: Solution) -> Bill:
    levels = [dearness(change.component) for change in solution.changes]
    doubts = sum(pair.verdict == "unknown" and not pair.today for pair in solution.pairs)
    return doubts, 0 in levels, 1 in levels, 2 in levels, len(levels)


@given(rows(), requests())
def test_the_solver_finds_what_looking_at_everything_finds(matrix: Rows, request: Request) -> None:
    found = solve(request, Tables(matrix, ""))
    expected = cheapest_bill(request, matrix)

    if expected is None:
        assert found.outcome == "impossible"
    else:
        assert (found.outcome, bill_of(found)) == expected
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


@given(rows(), requests(), st.sampled_from(["hdk", "firmware", "cann", "torch_npu", "torch", "mindspore"]))
def test_one_more_known_part_never_makes_the_impossible_possible(
    matrix: Rows, request: Request, component: Component
) -> None:
    if any(part.component == component for part in request.parts):
        return
    more = request.model_copy(update={"parts": (*request.parts, Part(component=component, version="1.0.0"))})
    without = request.model_copy(update={"complete": False})

    if solve(without, Tables(matrix, "")).outcome == "impossible":
        told = more.model_copy(update={"complete": False})
        assert solve(told, Tables(matrix, "")).outcome == "impossible"


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
    wishes = [want("torch_npu", "2.6.0"), want("hdk", "25.2.0"), want("cann", "8.2.RC1")]
    seconds = []
    for (hdk, (firmware, cann)), wish in itertools.product(hdks.items(), wishes):
        host = [("hdk", hdk, ""), ("firmware", firmware, ""), ("cann", cann, "")]
        host += [("torch_npu", "2.1.0", "/opt/a"), ("torch", "2.1.0", "/opt/a"), ("mindspore", "2.4.0", "/opt/b")]
        parts = tuple(Part.model_validate({"component": c, "version": v, "where": where}) for c, v, where in host)
        request = Request(parts=parts, wants=(wish,), complete=True)
        solve(request, known)
        began = time.process_time()
        solve(request, known)
        seconds.append(time.process_time() - began)

    assert statistics.median(seconds) < 0.150
