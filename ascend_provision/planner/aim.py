"""What a wish means on one host: the driver, firmware and CANN to install, and what its users must do themselves.

Versions that were named are taken as they are, and what does not match them afterwards is said. For a framework or a
feature the solver finds the least change, first among the packages at hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from ascend_provision.knowledge import host_parts, releases, wishes
from ascend_provision.knowledge.components import Component, Item
from ascend_provision.knowledge.matrix import Matrix
from ascend_provision.knowledge.pricing import dearness
from ascend_provision.knowledge.solution import Change, Forced, Request, Solution
from ascend_provision.knowledge.solver import solve
from ascend_provision.knowledge.tables import tables
from ascend_provision.knowledge.wishes import Wish
from ascend_provision.planner.profile import toolkit
from ascend_provision.planner.refusals import Reason
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.model import Noun
from ascend_provision.stack.packages import Package
from ascend_provision.stack.target import Target
from ascend_provision.stack.versions import CannVersion, FirmwareVersion, HdkVersion


class Aim(Noun):
    """`notes` say why, and what is left to the users; `mismatches` what will not match; `refused` why nothing is done.

    `cann_stays` is said of a CANN that stays on a driver it is not published with: its collective test means nothing.
    """

    target: Target = Target()
    notes: tuple[str, ...] = ()
    mismatches: tuple[str, ...] = ()
    refused: tuple[Reason, ...] = ()
    cann_stays: bool = False


def take(facts: HostFacts, wish: Wish, store: Sequence[Package], matrix: Matrix, chip: str) -> Aim:
    """The aim for a host of that chip; raises `UsageError` when the wish was never published for the chip."""
    if wish.direct:
        target = wishes.resolve(wish, chip)
        return _staying(Aim(target=target), facts, wish, matrix, chip)
    request = _request(facts, wish, matrix, chip)
    known = tables(matrix, chip)
    found = solve(request.model_copy(update={"only": _at_hand(store, chip, str(facts.arch))}), known)
    if found.outcome in ("nothing", "change"):
        return _aim(found)
    return Aim(refused=_refused(solve(request, known), wish))


def _request(facts: HostFacts, wish: Wish, matrix: Matrix, chip: str) -> Request:
    parts = host_parts.parts(facts)
    return Request(
        parts=parts,
        wants=wishes.wants(wish, tables(matrix, chip), parts, chip),
        complete=True,
        stopover=host_parts.stopover(facts),
        known=host_parts.known(facts, matrix),
    )


def _at_hand(store: Sequence[Package], chip: str, arch: str) -> dict[Component, tuple[str, ...]]:
    """The versions that packages for this machine would give; a CANN only with its kernels."""
    here = [one for one in store if one.chip in {None, chip} and one.arch in {None, arch}]
    drivers = [releases.reported(one.driver_version, chip) for one in here if one.component == "driver"]
    firmware = [
        one.firmware_version
        if one.firmware_version and one.firmware_version in _published(chip)
        else releases.firmware_for_package(one.driver_version, chip) or one.firmware_version
        for one in here
        if one.component == "firmware"
    ]
    kernels = {one.cann_version for one in here if one.component == "kernels"}
    cann = [one.cann_version for one in here if one.component == "toolkit" and one.cann_version in kernels]
    versions: dict[Component, Sequence[object]] = {
        "hdk": drivers,
        "firmware": firmware,
        "cann": cann,
        "kernels": cann,
    }
    return {name: tuple(dict.fromkeys(str(one) for one in found if one)) for name, found in versions.items()}


def _published(chip: str) -> set[FirmwareVersion]:
    return {firmware for row in releases.known() if chip in row.chips for firmware in row.firmware}


def _aim(found: Solution) -> Aim:
    driver, firmware, cann = found.after("hdk"), found.after("firmware"), found.after("cann")
    target = Target(
        driver=HdkVersion(driver) if driver else None,
        firmware=FirmwareVersion(firmware) if firmware else None,
        cann=CannVersion(cann) if cann else None,
    )
    notes = [_because(change) for change in _ours(found)]
    notes += _left_to_users(found)
    notes += [f"nobody publishes {pair.a} with {pair.b}: {pair.why}" for pair in found.unproven]
    return Aim(
        target=target,
        notes=tuple(notes),
        mismatches=tuple(f"{pair.a} with {pair.b}: {pair.why}" for pair in found.left),
    )


def _ours(found: Solution) -> list[Change]:
    """What ascend-provision installs; kernels come with their CANN."""
    return [one for one in found.changes if dearness(one.component) < 2 and one.component != "kernels"]


def _because(change: Change) -> str:
    return f"{change.name} {change.before or 'none'} -> {change.after}: {_reason(change.forced)}"


def _reason(forced: Forced) -> str:
    said = [reason.text for reason in forced.reasons]
    if forced.stays:
        said.append(f"and {', '.join(forced.stays)} stays")
    return "; ".join(said) or f"asked for by {', '.join(forced.wants)}"


def _left_to_users(found: Solution) -> list[str]:
    """One sentence an environment: what its users install, in the order of the solution."""
    places: dict[str, list[Change]] = {}
    for change in found.changes:
        if dearness(change.component) == 2:
            places.setdefault(change.where, []).append(change)
    return [
        f"yours to do afterwards in {where}: "
        + ", ".join(f"{change.component} {change.before or 'none'} -> {change.after}" for change in changes)
        for where, changes in places.items()
    ]


def _refused(found: Solution, wish: Wish) -> tuple[Reason, ...]:
    """Why the packages at hand do not do, given what would do if every published release were."""
    if found.outcome in ("nothing", "change"):
        ours = _ours(found)
        versions = ", ".join(f"{change.name} {change.after}" for change in ours)
        return (
            Reason(
                why=f"`{wish.text}` needs {versions}, and the package store has nothing that would do; "
                + "; ".join(_because(change) for change in ours),
                lift=f"put the packages of {versions} into the store",
            ),
        )
    if found.outcome == "unproven":
        pairs = "; ".join(f"{pair.a} with {pair.b}" for pair in found.unproven)
        return (
            Reason(
                why=f"`{wish.text}` can only be had with versions that nobody publishes together: {pairs}",
                lift="name the versions to install (`--to driver=…,cann=…`), or add a row of your own with `--matrix`",
            ),
        )
    wants = " and ".join(found.conflict.wants) or wish.text
    return (
        Reason(
            why=f"`{wants}` cannot be had: {_reason(found.conflict)}",
            lift=f"ask for less; what is published: `ascend-provision matrix show {next(iter(wish.versions), 'cann')}`",
        ),
    )


def _staying(aim: Aim, facts: HostFacts, wish: Wish, matrix: Matrix, chip: str) -> Aim:
    """A CANN that nobody asked to change is judged on the driver that comes."""
    driver, cann = aim.target.driver, toolkit(facts.cann)
    if driver is None or aim.target.cann is not None or cann is None or driver == facts.driver.file:
        return aim
    answer = matrix.judge(Item(component="cann", version=str(cann)), Item(component="hdk", version=str(driver)), chip)
    if answer.verdict == "compatible":
        return aim
    follow = solve(_request(facts, wish, matrix, chip), tables(matrix, chip))
    after = follow.after("cann") if follow.outcome == "change" else None
    least = f"; CANN {after} must follow: `--to {wish.text},cann={after}`" if after else ""
    said = f"CANN {cann} stays and is not published with HDK {driver}: {answer.why}{least}"
    if answer.verdict == "unknown":
        notes = (*aim.notes, f"{said}; whether it works, the HCCL smoke test tells", *_left_to_users(follow))
        return aim.model_copy(update={"notes": notes})
    return aim.model_copy(
        update={
            "mismatches": (*aim.mismatches, said),
            "notes": (*aim.notes, *_left_to_users(follow), "the HCCL smoke test is left out: CANN does not match"),
            "cann_stays": True,
        }
    )
