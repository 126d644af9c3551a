from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.knowledge import leftovers
from ascend_provision.stack.facts import HostFacts, Leftover
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import Case, passes, prove, unknown, warns
from tests.unit.factories import a1_host, bare_host, changed


def left(kind: str, path: str, facts: HostFacts | None = None) -> HostFacts:
    return changed(facts or bare_host(), leftovers=(Leftover(kind=kind, path=path),))


CASES: list[Case] = [
    passes("leftovers.removable", "clean", lambda: judge_host(a1_host())),
    warns(
        "leftovers.removable",
        "a module tree after a failed build",
        lambda: judge_host(left("dkms-tree", "/var/lib/dkms/davinci_ascend")),
        "/var/lib/dkms/davinci_ascend",
    ),
    passes(
        "leftovers.removable",
        "a driver's own module tree is none",
        lambda: judge_host(left("dkms-tree", "/var/lib/dkms/davinci_ascend", a1_host())),
    ),
    unknown(
        "leftovers.removable", "not looked", lambda: judge_host(changed(a1_host(), leftovers=Unknown(unknown="cut")))
    ),
    warns("leftovers.yours", "an old nnae", lambda: judge_host(left("orphan-cann", "/usr/local/Ascend/nnae/6.0.1"))),
    warns(
        "leftovers.yours", "of a kind nobody listed", lambda: judge_host(left("notes", "/root/notes")), "/root/notes"
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_leftovers(case: Case) -> None:
    prove(case)


@pytest.mark.parametrize("row", leftovers.known(), ids=lambda row: row.kind)
def test_every_kind_is_reported_on_a_host_that_has_nothing_installed(row: leftovers.Kind) -> None:
    given = [f for f in judge_host(left(row.kind, row.example)) if f.id.startswith("leftovers.")]

    said = {f.id for f in given if f.verdict.value == "warn"}
    assert said == {"remove": {"leftovers.removable"}, "report": {"leftovers.yours"}, "archive": set()}[row.action]
