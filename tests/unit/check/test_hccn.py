from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import HostFacts, NpuNetwork, PciNpu
from ascend_provision.stack.model import Unknown
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


def a3(*addresses: str) -> HostFacts:
    functions = tuple(
        PciNpu(bus=f"0{n}:00.0", device="d803", subsystem_vendor="19e5", subsystem_device="3000") for n in range(2)
    )
    return changed(a2_host(), pci=functions, network=tuple(nic(n, address) for n, address in enumerate(addresses)))


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
    passes("hccn.missing", "all there", lambda: judge_host(a2_host())),
    warns(
        "hccn.missing",
        "none at all",
        lambda: judge_host(
            a2(*(NpuNetwork(device=n, conf_address=None, live_address=None, link_up=True) for n in range(8)))
        ),
    ),
    fails(
        "hccn.missing",
        "one forgotten",
        lambda: judge_host(lonely(a2_host(), conf_address=None, live_address=None)),
        "devices 5",
    ),
    unknown("hccn.missing", "file unread", lambda: judge_host(lonely(a2_host(), conf_address=UNREAD))),
    passes("hccn.duplicate", "all different", lambda: judge_host(a2_host())),
    fails(
        "hccn.duplicate",
        "copied line",
        lambda: judge_host(lonely(a2_host(), conf_address="192.168.100.10", live_address="192.168.100.10")),
        "192.168.100.10 on devices 0, 5",
    ),
    passes("hccn.subnet", "a1 in four", lambda: judge_host(a1_host())),
    passes("hccn.subnet", "a2 in one", lambda: judge_host(a2_host()), "192.168.100.0/24"),
    warns(
        "hccn.subnet",
        "a1 all in one",
        lambda: judge_host(changed(a1_host(), network=tuple(nic(n, f"192.168.100.{n + 1}") for n in range(8)))),
        "devices 0 and 1 both in 192.168.100.0/24",
    ),
    warns(
        "hccn.subnet",
        "a1 partners apart",
        lambda: judge_host(lonely(a1_host(), conf_address="192.168.77.15")),
        "devices 1 and 5",
    ),
    warns(
        "hccn.subnet",
        "a2 one astray",
        lambda: judge_host(lonely(a2_host(), conf_address="192.168.7.15")),
        "device 5 in 192.168.7.0/24",
    ),
    warns(
        "hccn.subnet",
        "a3 dies of one npu together",
        lambda: judge_host(a3("10.0.0.1", "10.0.0.2")),
        "devices 0 and 1 both in",
    ),
    passes("hccn.subnet", "a3 dies apart", lambda: judge_host(a3("10.0.0.1", "10.0.1.1"))),
    unknown("hccn.subnet", "no netmask", lambda: judge_host(lonely(a2_host(), conf_netmask=None)), "device 5"),
    unknown(
        "hccn.subnet",
        "no address at all",
        lambda: judge_host(lonely(a2_host(), conf_address="192.168.100.999")),
        "192.168.100.999",
    ),
    passes("hccn.link", "all up", lambda: judge_host(a2_host()), "8 links"),
    warns("hccn.link", "one down", lambda: judge_host(lonely(a2_host(), link_up=False)), "devices 5"),
    unknown("hccn.link", "hung", lambda: judge_host(lonely(a2_host(), link_up=HUNG))),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_hccn(case: Case) -> None:
    prove(case)


def test_a_file_without_netmask_lines_is_not_compared_by_netmask() -> None:
    found = next(f for f in judge_host(lonely(a2_host(), conf_netmask=None)) if f.id == "hccn.conf-live")

    assert found.verdict.value == "pass"


def test_without_a_known_product_no_subnet_rule_is_applied() -> None:
    found = next(f for f in judge_host(changed(a2_host(), pci=())) if f.id == "hccn.subnet")

    assert found.verdict.value == "skip"
