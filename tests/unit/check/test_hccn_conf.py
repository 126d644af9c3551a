from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import HostFacts, PciNpu
from ascend_provision.stack.network import NpuNetwork
from tests.unit.check.cases import Case, fails, passes, prove, unknown, warns
from tests.unit.check.test_hccn import UNREAD, a2, lonely
from tests.unit.factories import a1_host, a2_host, changed, nic


def a3(*addresses: str) -> HostFacts:
    functions = tuple(
        PciNpu(bus=f"0{n}:00.0", device="d803", subsystem_vendor="19e5", subsystem_device="3000") for n in range(2)
    )
    return changed(a2_host(), pci=functions, network=tuple(nic(n, address) for n, address in enumerate(addresses)))


CASES: list[Case] = [
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
    unknown("hccn.duplicate", "one has none", lambda: judge_host(lonely(a2_host(), conf_address=None)), "devices 5"),
    unknown("hccn.subnet", "one has none", lambda: judge_host(lonely(a2_host(), conf_address=None)), "devices 5"),
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
    fails(
        "hccn.duplicate",
        "two cards live on one address",
        lambda: judge_host(lonely(a2_host(), live_address="192.168.100.10")),
        "192.168.100.10 on devices 0, 5",
    ),
    passes("hccn.incomplete", "every key there", lambda: judge_host(a2_host()), "8 devices"),
    warns(
        "hccn.incomplete",
        "an address alone",
        lambda: judge_host(lonely(a2_host(), conf_netmask=None, conf_netdetect=None)),
        "no netmask_5, netdetect_5",
    ),
    passes(
        "hccn.incomplete",
        "a gateway is not needed on one subnet",
        lambda: judge_host(lonely(a2_host(), conf_gateway=None)),
    ),
    unknown(
        "hccn.incomplete", "netmask unread", lambda: judge_host(lonely(a2_host(), conf_netmask=UNREAD)), "permission"
    ),
    passes("hccn.gateway", "in its subnet", lambda: judge_host(a1_host()), "8 gateways"),
    warns(
        "hccn.gateway",
        "a file copied from another rack",
        lambda: judge_host(lonely(a2_host(), conf_gateway="192.168.77.1")),
        "device 5: 192.168.77.1 is not in 192.168.100.0/24",
    ),
    warns(
        "hccn.gateway",
        "its own address",
        lambda: judge_host(lonely(a2_host(), conf_gateway="192.168.100.15")),
        "device 5 is its own gateway",
    ),
    warns(
        "hccn.gateway",
        "no address at all",
        lambda: judge_host(lonely(a2_host(), conf_gateway="gw-7")),
        "gw-7 is no address",
    ),
    unknown(
        "hccn.gateway", "no netmask to judge by", lambda: judge_host(lonely(a2_host(), conf_netmask=None)), "device 5"
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_hccn_conf(case: Case) -> None:
    prove(case)


def test_a_network_that_was_never_configured_is_said_in_words() -> None:
    """A tool that reads the file stops at the missing key and names only that."""
    network = tuple(NpuNetwork(device=n, conf_address=None, live_address=None, link_up=True) for n in range(8))
    found = [f for f in judge_host(a2(*network)) if f.id == "hccn.missing"]

    assert [f.observed for f in found] == [
        "the NPU network is not configured: no address_0 to address_7 in /etc/hccn.conf"
    ]


def test_without_a_known_product_no_subnet_rule_is_applied() -> None:
    found = next(f for f in judge_host(changed(a2_host(), pci=())) if f.id == "hccn.subnet")

    assert found.verdict.value == "skip"
