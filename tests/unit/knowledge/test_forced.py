"""Proofs are true and irreducible, on random matrices; their words follow the rows, on the published one."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given

from ascend_provision.knowledge import forced
from ascend_provision.knowledge.answers import Fit
from ascend_provision.knowledge.forced import Assumption
from ascend_provision.knowledge.matrix import published
from ascend_provision.knowledge.problem import Problem
from ascend_provision.knowledge.search import Choice, cheapest
from ascend_provision.knowledge.solution import Change, Part, Request, Want
from ascend_provision.knowledge.solver import solve
from ascend_provision.knowledge.tables import Tables, tables
from tests.unit.knowledge.stacks_at_random import VERSIONS, Rows, choices, item, requests, rows, verdict


def ruled_out(problem: Problem, matrix: Rows, some: Sequence[Assumption], held: int | None, *, doubtful: bool) -> bool:
    """No choice of versions agrees with these assumptions; found by trying all of them."""
    domains = []
    for at, part in enumerate(problem.parts):
        domain = set(problem.versions[at])
        for one in some:
            if one.want is not None and one.want.component == part.component:
                domain &= set(one.want.versions)
            if one.stays == at:
                domain &= {part.version or ""}
        domains.append(sorted(domain & {part.version or ""} if at == held else domain))

    def fit(low: int, one: str, high: int, other: str) -> Fit:
        low_part, high_part = (problem.parts[low], one), (problem.parts[high], other)
        found = verdict(problem.request, matrix, low_part, high_part, tolerant=problem.tolerant)
        return "incompatible" if found == "unknown" and not doubtful else found

    return next(choices(domains, [one.pair for one in some if one.pair is not None], fit), None) is None


@given(rows(), requests())
def test_a_change_is_forced_and_with_any_reason_gone_it_would_not_be(matrix: Rows, request: Request) -> None:
    problem = Problem(request, Tables(matrix, ""))
    choice = problem.best(doubtful=False)
    if choice is None:
        return
    for part, version in enumerate(choice.values):
        if not problem.parts[part].told or version == problem.now[part] or problem.now[part] is None:
            continue
        stays = [at for at, value in enumerate(choice.values) if at != part and value == problem.now[at]]
        found = forced.proof(problem, stays, part, doubtful=False)

        if found is None:
            assert_another_reboot_is_saved(problem, choice, [*stays, part])
            continue
        assert ruled_out(problem, matrix, found, part, doubtful=False)
        for one in found:
            rest = [other for other in found if other is not one]
            assert not ruled_out(problem, matrix, rest, part, doubtful=False)


def assert_another_reboot_is_saved(problem: Problem, choice: Choice, kept: Sequence[int]) -> None:
    """These parts could stay, but only with an HDK behind the stopover."""
    domains = problem.domains(problem.request.wants)
    for at in kept:
        domains[at] &= problem.staying(at)
    other = cheapest(problem.network, domains, doubtful=False)

    assert problem.request.stopover is not None
    assert other is not None
    assert other.price.once > choice.price.once


@given(rows(), requests())
def test_a_contradiction_holds_and_nothing_less_does(matrix: Rows, request: Request) -> None:
    problem = Problem(request, Tables(matrix, ""), tolerant=True)
    if problem.best(doubtful=True) is not None:
        return
    kept = [at for at, part in enumerate(problem.parts) if part.fixed]
    found = forced.proof(problem, kept, None, doubtful=True)

    assert found is not None
    assert ruled_out(problem, matrix, found, None, doubtful=True)
    for one in found:
        assert not ruled_out(problem, matrix, [other for other in found if other is not one], None, doubtful=True)


def changes(chip: str, wish: Want, **installed: str) -> dict[str, Change]:
    parts = tuple(Part.model_validate({"component": name, "version": version}) for name, version in installed.items())
    found = solve(Request(parts=parts, wants=(wish,), complete=True), tables(published(), chip))
    return {change.component: change for change in found.changes}


def test_an_hdk_is_forced_over_the_cann_that_the_framework_wants() -> None:
    wish = Want(text="torch_npu=2.6.0", component="torch_npu", versions=("2.6.0",))
    found = changes("910b", wish, hdk="23.0.3", firmware="7.1.0.5.220", cann="7.0.0", torch_npu="2.1.0", torch="2.1.0")
    first, second = found["hdk"].forced.reasons

    assert found["hdk"].forced.wants == ("torch_npu=2.6.0",)
    assert first.text.startswith("torch_npu 2.6.0 is published with CANN ")
    assert second.text.startswith("no row has CANN ")
    assert "with HDK 23.0.3; HDK 23.0.3 goes with CANN 7.0.0, 7.0.1" in second.text
    assert first.source
    assert second.source


def test_a_cann_is_forced_by_one_row_that_is_cited() -> None:
    wish = Want(text="mindspore=2.7.1", component="mindspore", versions=("2.7.1",))
    found = changes("910b", wish, cann="8.2.RC1", hdk="25.3.rc1", mindspore="2.7.1")

    assert found["cann"].after == "8.3.RC1"
    assert [reason.text for reason in found["cann"].forced.reasons] == [
        "MindSpore 2.7.1 is published for CANN 8.3.RC1, not for 8.2.RC1"
    ]


def test_an_hdk_that_could_stay_but_for_another_restart_says_so() -> None:
    """The installer demands 1.1.0 first, so an HDK that would spare the firmware costs two restarts."""
    fits: dict[tuple[str, str], Fit] = {
        ("1.0.0", "1.0.0"): "incompatible",
        ("1.1.0", "1.1.0"): "compatible",
        ("1.2.0", "1.0.0"): "compatible",
    }
    cells = {frozenset({item("hdk", hdk), item("firmware", firmware)}): fit for (hdk, firmware), fit in fits.items()}
    rows_here = Rows(cells, {"hdk": VERSIONS[:3], "firmware": VERSIONS[:2]})
    parts = (Part(component="hdk", version="1.0.0"), Part(component="firmware", version="1.0.0"))
    found = solve(Request(parts=parts, stopover="1.1.0"), Tables(rows_here, ""))
    firmware = next(change for change in found.changes if change.component == "firmware")

    assert [reason.text for reason in firmware.forced.reasons] == [
        "it could stay with another HDK, but any other than 1.1.0 needs a restart more"
    ]
