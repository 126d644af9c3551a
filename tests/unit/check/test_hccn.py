from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import HostFacts, PciNpu
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.network import NpuNetwork
from tests.unit.check.cases import HUNG, Case, fails, passes, prove, skips, unknown, warns
from tests.unit.factories import a1_host, a2_host, bare_host, changed, nic

UNREAD = Unknown(unknown="/etc/hccn.conf: permission denied")


def a2(*network: NpuNetwork) -> HostFacts:
    return changed(a2_host(), network=network)


def lonely(facts: HostFacts, **changes: object) -> HostFacts:
    """The host with fields of NPU 5's network changed."""
    assert not isinstance(facts.network, Unknown)
    network = [n.model_copy(update=changes) if n.device == 5 else n for n in facts.network]
    return changed(facts, network=tuple(network))


def duo() -> HostFacts:
    functions = tuple(
        PciNpu(bus=f"0{n}:00.0", device="d500", subsystem_vendor="0200", subsystem_device="0110") for n in range(2)
    )
    return changed(a1_host(), pci=functions, network=())


CASES: list[Case] = [
    passes("hccn.conf-live", "as in the file", lambda: judge_host(a2_host())),
    fails(
        "hccn.conf-live",
        "an installer dropped the addresses",
        lambda: judge_host(lonely(a2_host(), live_address=None)),
        "device 5 has no address",
    ),
    fails(
        "hccn.conf-live",
        "another address",
        lambda: judge_host(lonely(a2_host(), live_address="192.168.100.99")),
        "192.168.100.99",
    ),
    fails(
        "hccn.conf-live",
        "another netmask",
        lambda: judge_host(lonely(a2_host(), live_netmask="255.255.0.0")),
        "255.255.0.0",
    ),
    unknown(
        "hccn.conf-live",
        "hccn_tool hung",
        lambda: judge_host(lonely(a2_host(), live_address=HUNG)),
        "devices 5: npu-smi hung",
    ),
    unknown("hccn.conf-live", "nothing could be read", lambda: judge_host(changed(a2_host(), network=UNREAD))),
    skips("hccn.conf-live", "a card without a port", lambda: judge_host(duo()), "no network port"),
    skips("hccn.conf-live", "a bare host", lambda: judge_host(bare_host(network=(nic(0, "192.168.100.1"),)))),
    passes("hccn.link", "all up", lambda: judge_host(a2_host()), "8 links"),
    warns("hccn.link", "one down", lambda: judge_host(lonely(a2_host(), link_up=False)), "devices 5"),
    unknown("hccn.link", "hung", lambda: judge_host(lonely(a2_host(), link_up=HUNG))),
    passes("hccn.health", "all reach their gateway", lambda: judge_host(a2_host()), "Success on 8 devices"),
    warns(
        "hccn.health",
        "no address to detect",
        lambda: judge_host(lonely(a2_host(), health="Init", live_netdetect=None)),
        "device 5 Init (no address to detect)",
    ),
    warns(
        "hccn.health",
        "the gateway does not answer",
        lambda: judge_host(lonely(a2_host(), health="Receive timeout")),
        "device 5 Receive timeout (detecting 192.168.100.1)",
    ),
    passes(
        "hccn.health",
        "a card without a link is told once",
        lambda: judge_host(lonely(a2_host(), link_up=False, health="Fault")),
        "Success on 7 devices",
    ),
    unknown("hccn.health", "hung", lambda: judge_host(lonely(a2_host(), health=HUNG))),
    unknown(
        "hccn.health",
        "a state nobody listed",
        lambda: judge_host(lonely(a2_host(), health="Resting")),
        "device 5 Resting",
    ),
    passes("hccn.tls", "off everywhere", lambda: judge_host(a2_host()), "off for 8 devices"),
    passes(
        "hccn.tls",
        "on everywhere",
        lambda: judge_host(a2(*(nic(n, f"10.0.0.{n + 1}").model_copy(update={"tls": True}) for n in range(8)))),
        "on for 8 devices",
    ),
    fails("hccn.tls", "one card on", lambda: judge_host(lonely(a2_host(), tls=True)), "TLS is on for devices 5"),
    unknown("hccn.tls", "one card unread", lambda: judge_host(lonely(a2_host(), tls=HUNG))),
    skips(
        "hccn.tls",
        "a generation without the switch",
        lambda: judge_host(a2(nic(0, "10.0.0.1").model_copy(update={"tls": None}))),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_hccn(case: Case) -> None:
    prove(case)


def test_a_file_without_netmask_lines_is_not_compared_by_netmask() -> None:
    found = next(f for f in judge_host(lonely(a2_host(), conf_netmask=None)) if f.id == "hccn.conf-live")

    assert found.verdict.value == "pass"
