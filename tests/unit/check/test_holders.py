from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import BootFacts, CardProcess, Container, Holder, HostFacts, HostRecord, Service
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import HUNG, Case, fails, passes, prove, skips, unknown, warns
from tests.unit.factories import NOW, a1_host, a2_host, bare_host, changed

JOB = Holder(pid=4242, uid=1007, user="alice", command="python", devices=("/dev/davinci0", "/dev/davinci1"))
GHOST = CardProcess(npu_id=3, chip_id=0, pid=999, name="", memory_mb=30_000)
HELD = (Service(unit="npu-exporter.service", active=False, enabled=True, held=True),)


def host(**changes: object) -> HostFacts:
    return changed(a1_host(), **changes)


def run(expires: float | None) -> HostRecord:
    return HostRecord(lease_run="r1", lease_expires_at=expires)


CASES: list[Case] = [
    passes("holders.processes", "nobody", lambda: judge_host(host())),
    passes(
        "holders.processes", "a job", lambda: judge_host(host(holders=(JOB,))), "pid 4242 python (alice) on davinci0"
    ),
    unknown("holders.processes", "not looked at", lambda: judge_host(host(holders=Unknown(unknown="no /proc")))),
    passes("holders.unexplained", "no process named", lambda: judge_host(host())),
    passes(
        "holders.unexplained",
        "seen on both sides",
        lambda: judge_host(
            host(
                holders=(JOB,), card_processes=(CardProcess(npu_id=0, chip_id=0, pid=4242, name="python", memory_mb=1),)
            )
        ),
    ),
    warns(
        "holders.unexplained",
        "a zombie",
        lambda: judge_host(host(card_processes=(GHOST,))),
        "pid 999 (no name) on NPU 3",
    ),
    unknown("holders.unexplained", "hung", lambda: judge_host(changed(a2_host(), card_processes=HUNG))),
    skips("holders.unexplained", "hdk 22 prints no table", lambda: judge_host(host(card_processes=HUNG)), "HDK 22.0.4"),
    unknown(
        "holders.unexplained",
        "the host could not be looked at",
        lambda: judge_host(host(card_processes=(GHOST,), holders=Unknown(unknown="no /proc"))),
    ),
    skips("holders.unexplained", "a bare host", lambda: judge_host(bare_host(card_processes=HUNG))),
    fails("holders.held-back", "a run that died", lambda: judge_host(host(services=HELD, record=run(NOW - 1)))),
    fails("holders.held-back", "no run at all", lambda: judge_host(host(services=HELD)), "npu-exporter.service"),
    fails(
        "holders.held-back",
        "the hold files of a run that died",
        lambda: judge_host(
            host(record=HostRecord(holding=True, held_units=("vllm.service",), held_containers=("8f3a",)))
        ),
        "vllm.service, container 8f3a",
    ),
    unknown(
        "holders.held-back",
        "no clock",
        lambda: judge_host(
            host(services=HELD, record=run(NOW), boot=BootFacts(boot_id="b", booted_at=0, now=Unknown(unknown="cut")))
        ),
    ),
    skips(
        "holders.held-back", "a run at work", lambda: judge_host(host(services=HELD, record=run(NOW + 60))), "run r1"
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_holders(case: Case) -> None:
    prove(case)


def test_a_held_container_is_named() -> None:
    box = Container(id="8f3a", name="serving", running=False, restart="always", devices=(), held=True)

    found = next(f for f in judge_host(host(containers=(box,))) if f.id == "holders.held-back")
    assert found.observed == "container serving"


def test_nothing_is_said_about_held_services_that_nobody_could_read() -> None:
    given = {f.id for f in judge_host(host(record=Unknown(unknown="permission denied")))}

    assert "holders.held-back" not in given
