"""The solver's answer for a reader: what changes and why, in which order, and what runs afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ascend_provision.knowledge import downgrades, releases, rows
from ascend_provision.knowledge.answers import Fit, Remark
from ascend_provision.knowledge.components import Component, Item, title
from ascend_provision.knowledge.explanation import overall
from ascend_provision.knowledge.pricing import CANN, HDK, dearness
from ascend_provision.knowledge.solution import Change, Part, Request, Solution
from ascend_provision.knowledge.solver import solve
from ascend_provision.knowledge.tables import Tables
from ascend_provision.stack.model import Noun
from ascend_provision.stack.versions import HdkVersion

FRAMEWORKS: tuple[Component, ...] = ("torch_npu", "mindspore", "vllm_ascend", "mindie", "mindformers")
_FIRST: tuple[Component, ...] = ("python", "torch", "torch_npu", "triton_ascend", "vllm", "vllm_ascend", "mindspore")
"""Packages in the order they are installed: what another one imports comes before it."""


class Runs(Noun):
    """A framework on the stack afterwards: does it go with everything it stands on?"""

    name: str
    version: str
    verdict: Fit


class WhatIf(Noun):
    """`order` are the steps in words, `order_source` where the order is published; `published` names, for the CANN
    afterwards, the versions of each framework that rows have with it; `remarks` is what steps back take."""

    schema_version: Literal[1] = 1
    solution: Solution
    order: tuple[str, ...] = ()
    order_source: str = ""
    runs: tuple[Runs, ...] = ()
    published: dict[str, tuple[str, ...]] = {}
    remarks: tuple[Remark, ...] = ()


def answer(request: Request, tables: Tables, chip: str) -> WhatIf:
    """Solve and say what follows."""
    solution = solve(request, tables)
    cann = solution.stack.get(title("cann"))
    return WhatIf(
        solution=solution,
        order=order(solution, request, chip),
        order_source=rows.sources()["install-order"].where if solution.changes else "",
        runs=_runs(solution, request),
        published=published_for(tables, cann) if cann else {},
        remarks=tuple(_back(solution, chip)),
    )


def _back(solution: Solution, chip: str) -> Iterator[Remark]:
    """What is published about the steps back among the changes."""
    for change in solution.changes:
        if change.component in ("hdk", "cann") and change.before is not None:
            back = downgrades.steps_back(change.component, change.before, change.after)
            yield from back
            if back and change.component == "hdk":
                yield from downgrades.conditions(chip, HdkVersion(change.after))


def order(solution: Solution, request: Request, chip: str) -> tuple[str, ...]:
    """The steps of a change: a stopover, driver, firmware, restart, toolkit, kernels, NNAL, packages."""
    changes = {(change.component, change.where): change for change in solution.changes}
    steps: list[str] = []
    hdk = [changes[name, ""] for name in HDK if (name, "") in changes]
    if hdk and request.stopover and hdk[0].after != request.stopover:
        firmware = releases.firmware_of(HdkVersion(request.stopover), chip)
        beside = f" with firmware {firmware}" if firmware else ""
        steps.append(f"HDK {request.stopover}{beside} first, and restart: the installer demands this stopover")
    steps += [_moved(change) for change in hdk]
    if hdk:
        steps.append("restart: only then the new firmware runs")
    steps += _cann(changes, request)
    packages = [change for change in solution.changes if dearness(change.component) == 2]
    packages.sort(key=lambda change: (change.where, _rank(change.component)))
    steps += [f"{_moved(change)} (yours: environments belong to their users)" for change in packages]
    return tuple(steps)


def _cann(changes: dict[tuple[Component, str], Change], request: Request) -> list[str]:
    toolkit = changes.get(("cann", ""))
    if toolkit is None:
        return [_moved(changes[name, ""]) for name in CANN if (name, "") in changes]
    there = {part.component for part in request.parts}
    steps = [f"CANN toolkit {toolkit.before or 'none'} -> {toolkit.after}, the old kernels and toolkit removed before"]
    steps.append(f"CANN kernels (ops) of the chip, {toolkit.after}")
    return steps + ([f"NNAL {toolkit.after}"] if "nnal" in there else [])


def _moved(change: Change) -> str:
    return f"{change.name} {change.before or 'none'} -> {change.after}"


def _rank(component: Component) -> tuple[int, str]:
    return (_FIRST.index(component) if component in _FIRST else len(_FIRST), component)


def _runs(solution: Solution, request: Request) -> tuple[Runs, ...]:
    """Every framework of the stack afterwards with the verdict over all its pairs."""
    places = {(part.component, part.where) for part in request.parts if part.component in FRAMEWORKS}
    places |= {(change.component, change.where) for change in solution.changes if change.component in FRAMEWORKS}
    found = []
    for component, where in sorted(places):
        name = Part(component=component, where=where).name
        version = solution.stack.get(name)
        if version is not None:
            mine = f"{name} {version}"
            verdict = overall(pair.verdict for pair in solution.pairs if mine in (pair.a, pair.b))
            found.append(Runs(name=name, version=version, verdict=verdict))
    return tuple(found)


def published_for(tables: Tables, cann: str) -> dict[str, tuple[str, ...]]:
    """The versions of each framework that are published with this CANN."""
    found = {}
    for component in FRAMEWORKS:
        versions = tables.candidates(component)
        if versions and tables.related(component, "cann"):
            good, _ = tables.masks(Item(component="cann", version=cann), component, versions)
            found[title(component)] = tuple(version for n, version in enumerate(versions) if good >> n & 1)
    return {name: versions for name, versions in found.items() if versions}
