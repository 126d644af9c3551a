from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import EnvFile, HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.versions import FrameworkVersion
from tests.unit.check.cases import HUNG, Case, fails, passes, prove, unknown, warns
from tests.unit.factories import a1_host, a2_host, changed, environment

A1, A2 = a1_host(level="hdk23"), a2_host(level="hdk24")
NO_PCI = changed(a2_host(level="hdk24"), pci=HUNG, chips=HUNG)
MINDSPORE = changed(A2, environments=(environment("/opt/ms", mindspore=FrameworkVersion("2.4.10")),))
OLD_TORCH_NPU = changed(A1, environments=(environment("/opt/train", torch_npu="2.1.0"),))


def sets(facts: HostFacts, **variables: str) -> tuple[Finding, ...]:
    return judge_host(changed(facts, env_files=(EnvFile(path="/etc/profile.d/train.sh", variables=variables),)))


CASES: list[Case] = [
    unknown(
        "env.limits",
        "the chip decides and is not known",
        lambda: sets(NO_PCI, HCCL_RDMA_TIMEOUT="22"),
        "HCCL_RDMA_TIMEOUT=22",
    ),
    fails("env.limits", "a timeout of A1 on A2", lambda: sets(A2, HCCL_RDMA_TIMEOUT="22"), "HCCL_RDMA_TIMEOUT=22"),
    passes("env.limits", "the same on A1", lambda: sets(A1, HCCL_RDMA_TIMEOUT="22")),
    fails("env.limits", "a traffic class between two", lambda: sets(A2, HCCL_RDMA_TC="130")),
    fails("env.limits", "a port that leaves no room", lambda: sets(A2, HCCL_IF_BASE_PORT="65530")),
    passes("env.limits", "what the shell works out", lambda: sets(A2, HCCL_BUFFSIZE="${HCCL_BUFFSIZE:-1048576}")),
    fails("env.values", "a third level of the task queue", lambda: sets(A2, TASK_QUEUE_ENABLE="3"), "=3"),
    fails("env.values", "a unit behind the number", lambda: sets(A2, HCCL_BUFFSIZE="200M"), "200M"),
    warns("env.values", "a mode of another chip", lambda: sets(A2, HCCL_OP_EXPANSION_MODE="AICPU_CacheDisable")),
    passes("env.values", "level 2", lambda: sets(A2, TASK_QUEUE_ENABLE="2")),
    fails(
        "env.timeouts",
        "peers waited for longer than operators",
        lambda: sets(A2, HCCL_CONNECT_TIMEOUT="1800", HCCL_EXEC_TIMEOUT="1800"),
        "HCCL_CONNECT_TIMEOUT=1800, HCCL_EXEC_TIMEOUT=1800",
    ),
    fails(
        "env.timeouts",
        "A1 rounds 130 down to 68",
        lambda: sets(A1, HCCL_CONNECT_TIMEOUT="120", HCCL_EXEC_TIMEOUT="130"),
        "(really 68 s)",
    ),
    passes(
        "env.timeouts",
        "A2 takes 130 as it is",
        lambda: sets(A2, HCCL_CONNECT_TIMEOUT="120", HCCL_EXEC_TIMEOUT="130"),
    ),
    warns(
        "env.timeouts",
        "HCCL waits longer than torch_npu by default",
        lambda: sets(A2, HCCL_EXEC_TIMEOUT="3600"),
        "HCCL_EVENT_TIMEOUT not set (1868 s)",
    ),
    passes(
        "env.timeouts",
        "no torch_npu that would give up",
        lambda: sets(MINDSPORE, HCCL_EXEC_TIMEOUT="3600"),
    ),
    passes(
        "env.timeouts",
        "all three raised",
        lambda: sets(A2, HCCL_CONNECT_TIMEOUT="1200", HCCL_EXEC_TIMEOUT="3600", HCCL_EVENT_TIMEOUT="3700"),
    ),
    warns("env.timeouts", "for ever is longer than any", lambda: sets(A2, HCCL_EXEC_TIMEOUT="0"), "EXEC_TIMEOUT=0"),
    warns(
        "env.timeouts",
        "1500 s for peers, and AIV gives operators 1091",
        lambda: sets(A2, HCCL_CONNECT_TIMEOUT="1500", HCCL_OP_EXPANSION_MODE="AIV"),
        "HCCL_EXEC_TIMEOUT not set (1091 s)",
    ),
    unknown(
        "env.timeouts",
        "the chip that rounds is not known",
        lambda: sets(NO_PCI, HCCL_CONNECT_TIMEOUT="120", HCCL_EXEC_TIMEOUT="130"),
    ),
    fails(
        "env.clash",
        "both ways inside the server",
        lambda: sets(A2, HCCL_INTRA_PCIE_ENABLE="1", HCCL_INTRA_ROCE_ENABLE="1"),
        "HCCL_INTRA_PCIE_ENABLE=1 with HCCL_INTRA_ROCE_ENABLE=1",
    ),
    warns("env.clash", "a queue that is off", lambda: sets(A2, ASCEND_LAUNCH_BLOCKING="1", TASK_QUEUE_ENABLE="2")),
    passes("env.clash", "one of two ways", lambda: sets(A2, HCCL_INTRA_PCIE_ENABLE="0", HCCL_INTRA_ROCE_ENABLE="1")),
    warns(
        "env.support", "no expansion mode on A1", lambda: sets(A1, HCCL_OP_EXPANSION_MODE="AIV"), "EXPANSION_MODE=AIV"
    ),
    warns(
        "env.support",
        "newer than the torch_npu",
        lambda: sets(OLD_TORCH_NPU, STREAMS_PER_DEVICE="8"),
        "STREAMS_PER_DEVICE beside torch_npu 2.1.0",
    ),
    unknown("env.support", "the chip is not known", lambda: sets(NO_PCI, HCCL_DETERMINISTIC="true")),
    passes("env.support", "deterministic on A2", lambda: sets(A2, HCCL_DETERMINISTIC="true")),
    passes("env.visible-devices", "four of eight", lambda: sets(A2, ASCEND_RT_VISIBLE_DEVICES="0,1,2,7")),
    fails(
        "env.visible-devices",
        "the ninth of eight",
        lambda: sets(A2, ASCEND_RT_VISIBLE_DEVICES="0,8"),
        "ASCEND_RT_VISIBLE_DEVICES=0,8",
    ),
    fails("env.visible-devices", "not rising", lambda: sets(A2, ASCEND_RT_VISIBLE_DEVICES="1,0")),
    fails("env.visible-devices", "a blank", lambda: sets(A2, ASCEND_RT_VISIBLE_DEVICES="0, 1")),
    fails("env.visible-devices", "a range", lambda: sets(A2, ASCEND_RT_VISIBLE_DEVICES="0-3")),
    unknown(
        "env.visible-devices",
        "the cards do not answer",
        lambda: sets(changed(A2, chips=HUNG), ASCEND_RT_VISIBLE_DEVICES="0,1"),
    ),
    passes("env.interface", "every eth", lambda: sets(A2, HCCL_SOCKET_IFNAME="eth")),
    passes("env.interface", "exactly eth0", lambda: sets(A2, HCCL_SOCKET_IFNAME="=eth0")),
    passes("env.interface", "everything but docker", lambda: sets(A2, HCCL_SOCKET_IFNAME="^docker")),
    fails(
        "env.interface",
        "a name of another host",
        lambda: sets(A2, HCCL_SOCKET_IFNAME="enp189s0f0"),
        "HCCL_SOCKET_IFNAME=enp189s0f0",
    ),
    fails("env.interface", "eth exactly, which is only a beginning", lambda: sets(A2, HCCL_SOCKET_IFNAME="=eth")),
    fails("env.interface", "nothing is left", lambda: sets(A2, HCCL_SOCKET_IFNAME="^eth,docker,bond")),
    unknown("env.interface", "not looked at", lambda: sets(changed(A2, interfaces=HUNG), HCCL_SOCKET_IFNAME="eth")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_env_lint(case: Case) -> None:
    prove(case)


def test_a_buffer_in_bytes_is_told_as_what_it_asks_for() -> None:
    (finding,) = [f for f in sets(A2, HCCL_BUFFSIZE="1048576") if f.id == "env.limits"]

    assert (finding.verdict.value, finding.expected) == ("fail", "1 to 2048 MB")
    assert finding.evidence == "2 x 1048576 MB = 2048 GB for each communicator"
