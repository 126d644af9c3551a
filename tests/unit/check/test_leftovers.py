from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.knowledge import leftovers
from ascend_provision.stack.facts import HostFacts, Leftover
from ascend_provision.stack.machine import InstallRecord
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import Case, passes, prove, unknown, warns
from tests.unit.factories import INSTALLED_KEYS, a1_host, bare_host, changed, with_driver


def left(kind: str, path: str, facts: HostFacts | None = None) -> HostFacts:
    return changed(facts or bare_host(), leftovers=(Leftover(kind=kind, path=path),))


def recorded(facts: HostFacts, *keys: str, aicpu: bool = False) -> HostFacts:
    return changed(facts, install_record=InstallRecord(user="alice", group="users", keys=keys, aicpu=aicpu))


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
    passes("leftovers.record", "it agrees", lambda: judge_host(a1_host()), "what is on disk"),
    passes("leftovers.record", "a bare host without one", lambda: judge_host(bare_host())),
    warns(
        "leftovers.record",
        "it outlives the packages",
        lambda: judge_host(recorded(bare_host(), "UserName", "UserGroup", aicpu=True)),
        "nothing is installed, yet it is there with UserName=alice and opp/aicpu is still there",
    ),
    warns(
        "leftovers.record",
        "a driver whose directory was deleted",
        lambda: judge_host(recorded(with_driver(a1_host(), file=None), *INSTALLED_KEYS)),
        "it names driver, which is not there",
    ),
    warns(
        "leftovers.record",
        "a driver it does not know",
        lambda: judge_host(recorded(a1_host(), "UserName", "UserGroup", "Firmware_Install_Type")),
        "it does not name driver 22.0.4",
    ),
    warns("leftovers.record", "somebody removed it", lambda: judge_host(changed(a1_host(), install_record=None))),
    unknown(
        "leftovers.record",
        "not readable",
        lambda: judge_host(changed(a1_host(), install_record=Unknown(unknown="cut"))),
    ),
    unknown(
        "leftovers.record",
        "nobody knows of a driver",
        lambda: judge_host(with_driver(a1_host(), file=Unknown(unknown="cut"))),
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
