"""/etc/hccn.conf by itself: complete, without duplicates, in the subnets that the product needs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from ipaddress import IPv4Interface, ip_interface

from ascend_provision.check import finding
from ascend_provision.check.reading import several
from ascend_provision.knowledge.products import NicRule
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.network import NpuNetwork


def judge(host: str, network: tuple[NpuNetwork, ...], rule: NicRule | None) -> Iterator[Finding]:
    """The file alone: complete, without duplicates, in the product's subnets."""
    blind = next((nic.conf_address for nic in network if isinstance(nic.conf_address, Unknown)), None)
    if blind is not None:
        yield finding.unknown("hccn.missing", host, blind)
        return
    conf = {nic.device: nic.conf_address for nic in network if isinstance(nic.conf_address, str)}
    without = [str(nic.device) for nic in network if nic.device not in conf]
    if not conf:
        lines = "address_0" if len(without) == 1 else f"address_{without[0]} to address_{without[-1]}"
        yield finding.warn(
            "hccn.missing",
            host,
            f"the NPU network is not configured: no {lines} in /etc/hccn.conf",
            expected="an address per NPU for multi-host jobs",
        )
        return
    if without:
        yield finding.fail("hccn.missing", host, f"no address for devices {', '.join(without)}", expected="all or none")
    else:
        yield finding.ok("hccn.missing", host, f"{len(conf)} addresses")
    owners: dict[str, list[int]] = defaultdict(list)
    for nic in network:
        for address in dict.fromkeys((nic.conf_address, nic.live_address)):
            if isinstance(address, str):
                owners[address].append(nic.device)
    twice = [f"{address} on devices {', '.join(map(str, ids))}" for address, ids in owners.items() if len(ids) > 1]
    if twice:
        yield finding.fail("hccn.duplicate", host, several(twice), expected="one device per address")
    elif without:
        yield finding.unknown("hccn.duplicate", host, f"no address for devices {', '.join(without)}")
    else:
        yield finding.ok("hccn.duplicate", host, f"{len(conf)} different addresses")
    yield _subnet(host, network, rule)
    yield _incomplete(host, network)
    yield _gateway(host, network)


def _subnet(host: str, network: tuple[NpuNetwork, ...], rule: NicRule | None) -> Finding:
    key = "hccn.subnet"
    if rule is None:
        return finding.skip(key, host, "the product is not known, so no rule applies")
    nets: dict[int, str] = {}
    for nic in network:
        if not isinstance(nic.conf_address, str):
            continue
        if not isinstance(nic.conf_netmask, str):
            return finding.unknown(key, host, f"device {nic.device} has an address without a netmask")
        interface = _interface(nic.conf_address, nic.conf_netmask)
        if interface is None:
            return finding.unknown(key, host, f"{nic.conf_address}/{nic.conf_netmask} is no address and netmask")
        nets[nic.device] = str(interface.network)
    wrong, expected = _RULES[rule](nets)
    if wrong:
        return finding.warn(key, host, several(wrong, 4), expected=expected)
    if without := [str(nic.device) for nic in network if nic.device not in nets]:
        return finding.unknown(key, host, f"no address for devices {', '.join(without)}", expected=expected)
    return finding.ok(key, host, ", ".join(sorted(set(nets.values()))), expected=expected)


def _interface(address: str, netmask: str) -> IPv4Interface | None:
    try:
        found = ip_interface(f"{address}/{netmask}")
    except ValueError:
        return None
    return found if isinstance(found, IPv4Interface) else None


def _incomplete(host: str, network: tuple[NpuNetwork, ...]) -> Finding:
    key = "hccn.incomplete"
    blind = next((nic.conf_netmask for nic in network if isinstance(nic.conf_netmask, Unknown)), None)
    if blind is not None:
        return finding.unknown(key, host, blind)
    addressed = [nic for nic in network if nic.conf_address]
    lacking = [f"netmask_{nic.device}" for nic in addressed if not nic.conf_netmask]
    lacking += [f"netdetect_{nic.device}" for nic in addressed if not nic.conf_netdetect]
    if lacking:
        return finding.warn(
            key,
            host,
            f"no {several(lacking)} in /etc/hccn.conf",
            expected="netmask_N and netdetect_N for each address_N",
        )
    return finding.ok(key, host, f"{len(addressed)} devices")


def _gateway(host: str, network: tuple[NpuNetwork, ...]) -> Finding:
    key = "hccn.gateway"
    wrong, seen = [], 0
    for nic in network:
        if not isinstance(nic.conf_gateway, str) or not nic.conf_gateway or not isinstance(nic.conf_address, str):
            continue
        mask = nic.conf_netmask
        own = _interface(nic.conf_address, mask) if isinstance(mask, str) else None
        if own is None:
            return finding.unknown(key, host, f"device {nic.device} has a gateway, and no address with a netmask")
        gateway = _interface(nic.conf_gateway, str(mask))
        seen += 1
        if gateway is None:
            wrong.append(f"device {nic.device}: {nic.conf_gateway} is no address")
        elif gateway.ip == own.ip:
            wrong.append(f"device {nic.device} is its own gateway ({own.ip})")
        elif gateway.ip not in own.network:
            wrong.append(f"device {nic.device}: {gateway.ip} is not in {own.network}")
    if wrong:
        return finding.warn(key, host, several(wrong, 4), expected="a gateway in the subnet of the address")
    return finding.ok(key, host, f"{seen} gateways") if seen else finding.skip(key, host, "no gateway is set")


def _one_subnet(nets: dict[int, str]) -> tuple[list[str], str]:
    usual = Counter(nets.values()).most_common(1)[0][0]
    wrong = [f"device {device} in {net}" for device, net in sorted(nets.items()) if net != usual]
    return wrong, f"one subnet for all NPUs (most are in {usual})" if wrong else "one subnet for all NPUs"


def _four_subnets(nets: dict[int, str]) -> tuple[list[str], str]:
    wrong = []
    for device, net in sorted(nets.items()):
        partner = device + 4
        if partner in nets and nets[partner] != net:
            wrong.append(f"devices {device} and {partner} in {net} and {nets[partner]}")
        wrong += [
            f"devices {device} and {other} both in {net}"
            for other, its in sorted(nets.items())
            if device < other and other % 4 != device % 4 and its == net
        ]
    return wrong, "NPU n and n+4 in one subnet, the others in different ones"


def _dies_differ(nets: dict[int, str]) -> tuple[list[str], str]:
    wrong = [
        f"devices {device} and {device + 1} both in {net}"
        for device, net in sorted(nets.items())
        if device % 2 == 0 and nets.get(device + 1) == net
    ]
    return wrong, "the two dies of an NPU in different subnets"


_RULES: dict[NicRule, Callable[[dict[int, str]], tuple[list[str], str]]] = {
    "one-subnet": _one_subnet,
    "four-subnets": _four_subnets,
    "dies-differ": _dies_differ,
    "none": lambda _nets: ([], ""),
}
