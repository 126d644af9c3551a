"""A host as if a wish were installed on it, and the least change that would make the whole consistent."""

from __future__ import annotations

from typing import Any

from ascend_provision.check import finding
from ascend_provision.check.reading import product, several, suites
from ascend_provision.knowledge import host_parts, installed_lists, shipped_lists, what_if, wishes
from ascend_provision.knowledge.matrix import Matrix
from ascend_provision.knowledge.solution import Request, Solution
from ascend_provision.knowledge.tables import tables
from ascend_provision.knowledge.wishes import Wish
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.facts import CannInstall, HostFacts, PythonEnv
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import CannVersion, FrameworkVersion

_FRAMEWORKS = ("torch", "torch_npu", "mindspore")
_KEY = "pairing.least-change"
_MET = "verify.wish"


def as_if(facts: HostFacts, wish: Wish) -> HostFacts:
    """The facts with the versions of the wish in place and running; lists of the files they replace are gone.

    A framework replaces the one of every environment that has it. A feature is no version: it changes nothing here.
    Raises `UsageError` for a stack or driver that was never published for the host's chip.
    """
    installed = {name: version for name, version in wish.versions.items() if name in wishes.INSTALLED}
    found = product(facts)
    target = wishes.resolve(
        wish.model_copy(update={"versions": installed, "features": ()}), found.chip if found else None
    )
    changes: dict[str, Any] = {"install_log": None, "boards": ()} if target.driver or target.firmware else {}
    if target.driver is not None:
        gone = {"inner": None, "accepts_cann": None, "accepts_firmware": None, "package": None}
        driver = {"file": target.driver, "running": target.driver, "tool": target.driver, **gone}
        changes["driver"] = facts.driver.model_copy(update=driver)
    if target.firmware is not None:
        firmware = {"file": target.firmware, "flash": (target.firmware,), "pending": False, "accepts_driver": None}
        changes["firmware"] = facts.firmware.model_copy(update=firmware)
    if target.cann is not None:
        here = () if isinstance(facts.cann, Unknown) else facts.cann
        if not suites(facts):  # a host for containers: their CANN is in the images
            parts = {"toolkit": None, "kernels": found.chip if found else None}
            here = tuple(
                CannInstall(part=part, version=target.cann, root="", chip=chip) for part, chip in parts.items()
            )
        changes |= {"cann": tuple(_moved(one, target.cann, facts) for one in here), "cann_parts": ()}
    if not isinstance(facts.environments, Unknown):
        changes["environments"] = tuple(_imagined(env, wish) for env in facts.environments)
    return facts.model_copy(update=changes)


def _moved(install: CannInstall, version: CannVersion, facts: HostFacts) -> CannInstall:
    """The part as that release brings it, with the lists that its files were seen to have.

    Those that nobody can look up may allow a driver, and forbid none.
    """
    seen, driver = shipped_lists.recorded({"cann": str(version)}, ""), host_parts.lists(facts)
    answer = installed_lists.cann_driver(seen.cann_inner, seen.cann_accepts, driver.driver_inner, driver.driver_accepts)
    told = seen.public or answer.verdict == "compatible"
    lists = {"inner": seen.cann_inner if told else None, "accepts_driver": seen.cann_accepts if told else None}
    return install.model_copy(update={"version": version, **lists})


def _imagined(env: PythonEnv, wish: Wish) -> PythonEnv:
    told = {name: version for name, version in wish.versions.items() if name in _FRAMEWORKS}
    here: dict[str, Any] = {
        name: FrameworkVersion(version) for name, version in told.items() if getattr(env, name) is not None
    }
    return env.model_copy(update=here)


def least_change(facts: HostFacts, wish: Wish, matrix: Matrix | None = None) -> Finding:
    """What the host needs beside the wish, as the solver finds it."""
    return _least(_KEY, facts, wish, matrix)


def fulfilled(facts: HostFacts, wish: Wish, matrix: Matrix | None = None) -> Finding:
    """Whether the host has what was wished for already; raises `UsageError` as `least_change`."""
    return _least(_MET, facts, wish, matrix)


def _least(key: str, facts: HostFacts, wish: Wish, matrix: Matrix | None) -> Finding:
    found = product(facts)
    if found is None:
        why = "no known Ascend NPU was found on the PCI bus"
        return finding.unknown(key, facts.host, facts.pci if isinstance(facts.pci, Unknown) else why)
    matrix = matrix or Matrix.published()
    known, parts = tables(matrix, found.chip), host_parts.parts(facts)
    request = Request(
        parts=parts,
        wants=wishes.wants(wish, known, parts, found.chip),
        complete=True,
        stopover=host_parts.stopover(facts),
        known=host_parts.known(facts, matrix),
    )
    answer = what_if.answer(request, known, found.chip)
    return _judged(key, facts.host, answer.solution, answer.order)


def meaningless(facts: HostFacts, error: UsageError) -> Finding:
    """The wish means nothing on this host: it was never published for its chip."""
    return finding.unknown(_KEY, facts.host, Unknown(unknown=error.what, settle=error.next_action))


def _judged(key: str, host: str, found: Solution, order: tuple[str, ...]) -> Finding:
    wished = ", ".join(found.wants)
    if found.outcome == "impossible":
        reasons = found.conflict.reasons
        why = "; ".join(reason.text for reason in reasons)
        source = reasons[-1].source if reasons else ""
        return finding.fail(key, host, f"{wished}: nothing published allows it: {why}", source=source)
    if found.outcome == "unproven":
        pairs = several([f"{pair.a} with {pair.b}" for pair in found.unproven])
        if not pairs:
            return finding.unknown(key, host, f"{wished}: rests on parts of the host that were not read")
        return finding.unknown(key, host, f"{wished}: rests on versions nobody publishes together: {pairs}")
    if not found.changes:
        return finding.ok(key, host, f"{wished}: so already")
    reasons = tuple(reason for change in found.changes for reason in change.forced.reasons)
    changes = ", ".join(f"{change.name} {change.before or 'none'} -> {change.after}" for change in found.changes)
    lacking = finding.fail if key == _MET else finding.warn
    return lacking(
        key,
        host,
        changes,
        expected=wished,
        evidence="; ".join(dict.fromkeys(reason.text for reason in reasons)),
        source="; ".join(dict.fromkeys(reason.source for reason in reasons if reason.source)),
        action="; then ".join(order),
    )
