from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import EnvFile, Holder, HostFacts
from ascend_provision.stack.machine import Listener, Process
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import CannVersion
from tests.unit.check.cases import Case, passes, prove, skips, unknown, warns
from tests.unit.factories import a1_host, bare_host, cann, changed

UNREAD = Unknown(unknown="the probe was cut")
OTHER = Process(pid=77, name="redis-server", state="S", ppid=1, unit="redis.service")
WORKER = Process(pid=4242, name="python", state="S", ppid=1, container="fae8" * 16)
JOB = Holder(pid=4242, uid=1007, user="alice", command="python", devices=("/dev/davinci0",))
MOVED = EnvFile(path="/etc/profile.d/npu.sh", variables={"HCCL_IF_BASE_PORT": "50000"})
BASELESS = EnvFile(path="/etc/profile.d/npu.sh", variables={"HCCL_IF_BASE_PORT": "$BASE"})
NEWER = cann("a1-hdk22").model_copy(update={"version": CannVersion("8.2.RC1")})
DEFAULT: dict[str, object] = {"ephemeral_ports": (32768, 60999), "reserved_ports": ()}
ANOTHERS: dict[str, object] = {"ephemeral_ports": (32768, 60999), "reserved_ports": ((8080, 8080),)}


def host(*listeners: Listener, **changes: object) -> HostFacts:
    return changed(a1_host(), **{"listeners": listeners, **changes})


def at(port: int, process: Process | None = OTHER) -> Listener:
    return Listener(port=port, uid=1007, process=process)


CASES: list[Case] = [
    passes("ports.hccl", "free", lambda: judge_host(host()), "60000-60015 free"),
    unknown("ports.hccl", "environment files unread", lambda: judge_host(host(env_files=Unknown(unknown="hung")))),
    unknown("ports.hccl", "a base that is no port", lambda: judge_host(host(env_files=(BASELESS,))), "$BASE"),
    passes(
        "ports.hccl",
        "the job on the cards has them",
        lambda: judge_host(host(at(60000, WORKER), holders=(JOB,))),
        "job",
    ),
    warns(
        "ports.hccl",
        "a second job",
        lambda: judge_host(host(at(60000, WORKER))),
        "60000 by pid 4242 python in container",
    ),
    warns(
        "ports.hccl", "a service", lambda: judge_host(host(at(60003))), "60003 by pid 77 redis-server of redis.service"
    ),
    warns("ports.hccl", "nobody knows whose", lambda: judge_host(host(at(60000, None))), "60000 by uid 1007"),
    passes("ports.hccl", "just above the old range", lambda: judge_host(host(at(60016)))),
    warns("ports.hccl", "inside the new range", lambda: judge_host(host(at(60016), cann=(NEWER,))), "60016"),
    passes("ports.hccl", "moved away by a variable", lambda: judge_host(host(at(60000), env_files=(MOVED,))), "50000"),
    warns(
        "ports.hccl", "taken where it was moved to", lambda: judge_host(host(at(50001), env_files=(MOVED,))), "50001"
    ),
    unknown(
        "ports.hccl",
        "taken, and nobody can tell who is on the cards",
        lambda: judge_host(host(at(60000, None), holders=UNREAD)),
    ),
    unknown("ports.hccl", "not looked at", lambda: judge_host(host(listeners=UNREAD))),
    unknown("ports.hccl", "nobody knows which CANN", lambda: judge_host(host(cann=UNREAD))),
    skips("ports.hccl", "no CANN", lambda: judge_host(bare_host())),
    passes("ports.reserved", "reserved", lambda: judge_host(host())),
    passes(
        "ports.reserved",
        "out of the range",
        lambda: judge_host(host(ephemeral_ports=(32768, 59999), reserved_ports=())),
    ),
    skips("ports.reserved", "the kernel's default", lambda: judge_host(host(**DEFAULT)), "as the kernel comes"),
    warns(
        "ports.reserved",
        "the default, and a service got one of them",
        lambda: judge_host(host(at(60003), **DEFAULT)),
        "16 of 60000-60015",
    ),
    skips(
        "ports.reserved",
        "the default, and a second job has them from the first on",
        lambda: judge_host(host(at(60000, WORKER), at(60001, WORKER), **DEFAULT)),
    ),
    skips(
        "ports.reserved",
        "the default, and the job on the cards has them",
        lambda: judge_host(host(at(60001, WORKER), holders=(JOB,), **DEFAULT)),
    ),
    warns(
        "ports.reserved",
        "reserved for the older range only",
        lambda: judge_host(host(reserved_ports=((60000, 60015),), cann=(NEWER,))),
        "16 of 60000-60031",
    ),
    skips("ports.reserved", "somebody else's ports are reserved", lambda: judge_host(host(**ANOTHERS))),
    unknown(
        "ports.reserved",
        "the default, and nobody knows who listens",
        lambda: judge_host(host(listeners=UNREAD, **DEFAULT)),
    ),
    unknown("ports.reserved", "not read", lambda: judge_host(host(reserved_ports=UNREAD))),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_ports(case: Case) -> None:
    prove(case)
