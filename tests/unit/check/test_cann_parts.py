from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.surroundings import CannPart
from ascend_provision.stack.versions import CannVersion
from tests.unit.check.cases import HUNG, Case, fails, passes, prove, skips, unknown, warns
from tests.unit.factories import a1_host, cann, cann_part, cann_parts, changed

HOST = a1_host(level="hdk24")
PARTS = cann_parts("a1-hdk24")


def parts(*found: CannPart) -> HostFacts:
    return changed(HOST, cann_parts=found)


def with_kernels(facts: HostFacts, *, chip: str | None = "910", level: str = "a1-hdk22") -> HostFacts:
    return changed(facts, cann=(cann("a1-hdk22"), cann(level, "kernels", chip=chip)))


def beside(kernels: str, toolkit: str, *found: CannPart) -> HostFacts:
    """Kernels and a toolkit of two releases, each in its own directory."""
    new = cann("a1-hdk24").model_copy(update={"version": CannVersion(toolkit), "root": _root(toolkit)})
    old = new.model_copy(
        update={"part": "kernels", "version": CannVersion(kernels), "root": _root(kernels), "chip": "910"}
    )
    return changed(HOST, cann=(old, new), cann_parts=found)


def _root(release: str) -> str:
    return f"/usr/local/Ascend/ascend-toolkit/{release}"


OLD_COMPILER = PARTS[0].model_copy(update={"number": "7.5.0.1.129"})
KERNELS_80 = cann_part("opp_kernel", "7.6.0.1.220", {"toolkit": "7.6"}, cann="8.0.0")
TOOLKIT_82 = cann_part("toolkit", "8.2.0.0.201", {"opp_kernel": ">=7.6, <=8.2"}, cann="8.2.RC1")
TOOLKIT_86 = cann_part("toolkit", "8.6.0.1.200", {"opp_kernel": ">=8.5, <=8.6"}, cann="8.6.0")

CASES: list[Case] = [
    passes("pairing.cann-parts", "all of one release", lambda: judge_host(HOST), "demands met: 6"),
    warns(
        "pairing.cann-parts",
        "the compiler of an older release",
        lambda: judge_host(parts(OLD_COMPILER, *PARTS[1:])),
        "opp_kernel asks for compiler 7.6, which is 7.5.0.1.129 (CANN 8.0.RC3) in /usr",
    ),
    warns(
        "pairing.cann-parts",
        "the files accept what the record knows as another release",
        lambda: judge_host(
            parts(cann_part("compiler", "7.6.0.2.220"), cann_part("toolkit", "7.6.0.1.220", {"compiler": "7.6"}))
        ),
        "/usr/local/Ascend/ascend-toolkit/8.0.0 has parts of CANN 8.0.0 and 8.0.1",
    ),
    passes(
        "pairing.cann-parts",
        "two releases in two directories",
        lambda: judge_host(parts(*PARTS, cann_part("compiler", "8.2.0.0.201", cann="8.2.RC1"), TOOLKIT_82)),
    ),
    skips(
        "pairing.cann-parts", "files that ask for nothing", lambda: judge_host(parts(cann_part("opp", "7.6.0.1.220")))
    ),
    unknown(
        "pairing.cann-parts",
        "a demand of a new form",
        lambda: judge_host(parts(cann_part("opp", "9.9.0", {"toolkit": "^9"}), cann_part("toolkit", "9.9.0"))),
        "opp asks for ^9",
    ),
    unknown("pairing.cann-parts", "could not be read", lambda: judge_host(changed(HOST, cann_parts=HUNG))),
    passes("pairing.kernels-toolkit", "same version", lambda: judge_host(a1_host())),
    fails(
        "pairing.kernels-toolkit",
        "old kernels under a new toolkit",
        lambda: judge_host(with_kernels(a1_host(), level="a1-hdk23")),
        "kernels 7.0.0",
    ),
    fails(
        "pairing.kernels-toolkit",
        "nnal of another release",
        lambda: judge_host(changed(a1_host(level="hdk24"), cann=(cann("a1-hdk24"), cann("a1-hdk23", "nnal")))),
        "nnal 7.0.0",
    ),
    passes("pairing.kernels-chip", "kernels for 910", lambda: judge_host(a1_host())),
    fails(
        "pairing.kernels-chip",
        "910b kernels on a card that prints 910B",
        lambda: judge_host(with_kernels(a1_host(), chip="910b")),
        "910b",
    ),
    warns(
        "pairing.kernels-chip",
        "the toolkit alone",
        lambda: judge_host(changed(a1_host(), cann=(cann("a1-hdk22"),))),
        "no kernels beside toolkit 6.0.1",
    ),
    unknown("pairing.kernels-chip", "no chip named", lambda: judge_host(with_kernels(a1_host(), chip=None))),
    fails(
        "pairing.kernels-toolkit",
        "the table forbids what the files accept",
        lambda: judge_host(beside("8.0.0", "8.2.RC1", KERNELS_80.model_copy(update={"requires": {}}), TOOLKIT_82)),
        "kernels 8.0.0 in /usr/local/Ascend/ascend-toolkit/8.0.0",
    ),
    passes(
        "pairing.kernels-toolkit",
        "from 8.5 on a neighbour that the files accept",
        lambda: judge_host(
            beside(
                "8.5.0", "8.6.0", cann_part("opp_kernel", "8.5.0.2.220", {"toolkit": ">=8.5"}, cann="8.5.0"), TOOLKIT_86
            )
        ),
    ),
    fails(
        "pairing.kernels-toolkit",
        "from 8.5 on a neighbour that the files refuse",
        lambda: judge_host(
            beside(
                "8.5.0", "8.6.0", cann_part("opp_kernel", "8.5.0.2.220", {"toolkit": "8.5"}, cann="8.5.0"), TOOLKIT_86
            )
        ),
    ),
    unknown(
        "pairing.kernels-toolkit", "from 8.5 on a neighbour without files", lambda: judge_host(beside("8.5.0", "8.6.0"))
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_cann_parts(case: Case) -> None:
    prove(case)


def test_where_files_and_table_disagree_the_finding_says_so() -> None:
    host = beside("8.0.0", "8.2.RC1", KERNELS_80.model_copy(update={"requires": {}}), TOOLKIT_82)

    found = next(finding for finding in judge_host(host) if finding.id == "pairing.kernels-toolkit")
    assert "the installed lists disagree: the installed parts' own files accept each other" in found.evidence
