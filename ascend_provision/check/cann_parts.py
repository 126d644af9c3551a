"""The parts of CANN against each other and the chip: kernels (ops), NNAL, and what each part's own file asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ascend_provision.check import finding
from ascend_provision.check.answered import answered
from ascend_provision.check.reading import product, several
from ascend_provision.knowledge import required_packages
from ascend_provision.knowledge.components import Component
from ascend_provision.knowledge.explanation import table_first
from ascend_provision.knowledge.matrix import Matrix, published
from ascend_provision.stack.facts import KERNEL_PARTS, CannInstall, HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import CannPart


def judge(facts: HostFacts, toolkit: CannInstall, matrix: Matrix | None = None) -> Iterator[Finding]:
    """What lies beside this toolkit, and the parts of every installed CANN among themselves."""
    installs = () if isinstance(facts.cann, Unknown) else facts.cann
    for part in (item for item in installs if item.part in KERNEL_PARTS | {"nnal"}):
        yield _toolkit(facts, part, toolkit, matrix or published())
    yield from _chip(facts, [item for item in installs if item.part in KERNEL_PARTS], toolkit)
    yield _demands(facts)


def _toolkit(facts: HostFacts, part: CannInstall, toolkit: CannInstall, matrix: Matrix) -> Finding:
    """By the tables first; where they do not decide, by what the parts' own files accept."""
    component: Component = "nnal" if part.part == "nnal" else "kernels"
    answer = matrix.judge((component, str(part.version)), ("cann", str(toolkit.version)))
    if part.part in KERNEL_PARTS and not isinstance(facts.cann_parts, Unknown):
        kernels = [one for one in facts.cann_parts if one.root == part.root and _is_kernel(one)]
        others = [one for one in facts.cann_parts if one.root == toolkit.root and not _is_kernel(one)]
        files = required_packages.between(kernels, others)
        answer = answer if files is None else table_first(answer, files)
    observed, expected = f"{part.part} {part.version} in {part.root}", str(toolkit.version)
    return answered("pairing.kernels-toolkit", facts.host, answer, observed, expected)


def _is_kernel(part: CannPart) -> bool:
    """`opp_kernel`, or from 8.5 on `ops_math`, `ops_nn` …"""
    return part.name == "opp_kernel" or part.name.startswith("ops")


def _chip(facts: HostFacts, kernels: Sequence[CannInstall], toolkit: CannInstall) -> Iterator[Finding]:
    key, host, found = "pairing.kernels-chip", facts.host, product(facts)
    if not kernels and found is not None:
        yield finding.warn(key, host, f"no kernels beside {toolkit.part} {toolkit.version}", expected=found.chip)
    for part in kernels:
        if part.chip is None or found is None:
            yield finding.unknown(key, host, f"{part.part} {part.version}: the chip is not named")
        elif part.chip.lower() in found.package_tokens:
            yield finding.ok(key, host, part.chip, expected=found.chip)
        else:
            yield finding.fail(key, host, part.chip, expected=found.chip, evidence=part.root)


def _demands(facts: HostFacts) -> Finding:
    """Each CANN's parts among themselves: by their own files, and by the numbers recorded for releases."""
    key, host = "pairing.cann-parts", facts.host
    if isinstance(facts.cann_parts, Unknown):
        return finding.unknown(key, host, facts.cann_parts)
    unmet, unread, foreign, met = [], [], [], 0
    for root in dict.fromkeys(part.root for part in facts.cann_parts):
        parts = [part for part in facts.cann_parts if part.root == root]
        found = list(required_packages.demands(parts, parts))
        unmet += [f"{demand} in {root}" for demand in found if demand.met is False]
        unread += [f"{demand.asks.name} asks for {demand.required}" for demand in found if demand.met is None]
        met += sum(demand.met is True for demand in found)
        releases = {str(release) for part in parts if (release := required_packages.release(part))}
        if len(releases) > 1:
            foreign.append(f"{root} has parts of CANN {' and '.join(sorted(releases))}")
    if unmet:
        return finding.warn(key, host, several(unmet, 3, "; "), expected="all parts of one release")
    if foreign:
        evidence = f"the parts' own files accept each other (demands met: {met})" if met else ""
        return finding.warn(key, host, several(foreign, 3), expected="all parts of one release", evidence=evidence)
    if unread:
        return finding.unknown(key, host, f"not understood: {several(unread, 3)}")
    if not met:
        return finding.skip(key, host, "the parts' files ask nothing of each other")
    return finding.ok(key, host, f"demands met: {met}")
