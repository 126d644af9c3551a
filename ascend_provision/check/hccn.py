"""The NPUs' own network: does what runs agree with /etc/hccn.conf, and does the file make sense for the product?"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from ipaddress import IPv4Interface, ip_interface

from ascend_provision.check import finding
from ascend_provision.check.reading import no_driver, product, several
from ascend_provision.knowledge.products import NicRule
from ascend_provision.stack.facts import HostFacts, NpuNetwork
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown


def judge(facts: HostFacts) -> Iterator[Finding]:
    """Nothing for products without a NIC of their own, nothing live without a driver."""
    found = product(facts)
    if found is not None and found.nic == "none":
        yield finding.skip("hccn.conf-live", facts.host, f"{found.title} has no network port of its own")
        return
    if isinstance(facts.network, Unknown):
        yield finding.unknown("hccn.conf-live", facts.host, facts.network)
        return
    if not facts.network:
        yield finding.skip("hccn.conf-live", facts.host, "no NPU network is configured and none could be asked")
        return
    if no_driver(facts):
        yield finding.skip("hccn.conf-live", facts.host, "no driver is installed to ask the NPUs")
    else:
        yield _conf_live(facts.host, facts.network)
        yield _link(facts.host, facts.network)
    yield from _conf(facts.host, facts.network, found.nic if found else None)


def _conf_live(host: str, network: tuple[NpuNetwork, ...]) -> Finding:
    key = "hccn.conf-live"
    wrong, blind = [], []
    for nic in network:
        conf, live = nic.conf_address, nic.live_address
        if isinstance(conf, Unknown) or isinstance(live, Unknown):
            blind.append(nic)
        elif conf != live:
            wrong.append(f"device {nic.device} has {live or 'no address'}, file says {conf or 'nothing'}")
        elif _both(nic.conf_netmask, nic.live_netmask) and nic.conf_netmask != nic.live_netmask:
            wrong.append(f"device {nic.device} has netmask {nic.live_netmask}, file says {nic.conf_netmask}")
    if wrong:
        return finding.fail(key, host, several(wrong, 4), expected="the addresses of /etc/hccn.conf")
    if blind:
        reason = _first_unknown(blind[0])
        devices = ", ".join(str(nic.device) for nic in blind)
        return finding.unknown(key, host, Unknown(unknown=f"devices {devices}: {reason.unknown}", settle=reason.settle))
    return finding.ok(key, host, f"{len(network)} NPUs as in the file")


def _both(left: str | Unknown | None, right: str | Unknown | None) -> bool:
    return isinstance(left, str) and isinstance(right, str)


def _first_unknown(nic: NpuNetwork) -> Unknown:
    return next(value for value in (nic.conf_address, nic.live_address) if isinstance(value, Unknown))


def _link(host: str, network: tuple[NpuNetwork, ...]) -> Finding:
    key = "hccn.link"
    down = [str(nic.device) for nic in network if nic.link_up is False]
    blind = [nic.link_up for nic in network if isinstance(nic.link_up, Unknown)]
    if down:
        return finding.warn(key, host, f"link down on devices {', '.join(down)}", expected="UP on all devices")
    if blind:
        return finding.unknown(key, host, blind[0])
    up = sum(nic.link_up is True for nic in network)
    return finding.ok(key, host, f"{up} links up") if up else finding.skip(key, host, "hccn_tool reports no links")


def _conf(host: str, network: tuple[NpuNetwork, ...], rule: NicRule | None) -> Iterator[Finding]:
    """The file alone: complete, without duplicates, in the product's subnets."""
    blind = next((nic.conf_address for nic in network if isinstance(nic.conf_address, Unknown)), None)
    if blind is not None:
        yield finding.unknown("hccn.missing", host, blind)
        return
    conf = {nic.device: nic.conf_address for nic in network if isinstance(nic.conf_address, str)}
    without = [str(nic.device) for nic in network if nic.device not in conf]
    if not conf:
        yield finding.warn(
            "hccn.missing", host, "no NPU has an address", expected="an address per NPU for multi-host jobs"
        )
        return
    if without:
        yield finding.fail("hccn.missing", host, f"no address for devices {', '.join(without)}", expected="all or none")
    else:
        yield finding.ok("hccn.missing", host, f"{len(conf)} addresses")
    owners: dict[str, list[int]] = defaultdict(list)
    for device, address in conf.items():
        owners[address].append(device)
    twice = [f"{address} on devices {', '.join(map(str, ids))}" for address, ids in owners.items() if len(ids) > 1]
    if twice:
        yield finding.fail("hccn.duplicate", host, several(twice), expected="one device per address")
    else:
        yield finding.ok("hccn.duplicate", host, f"{len(conf)} different addresses")
    yield _subnet(host, network, rule)


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
    return finding.ok(key, host, ", ".join(sorted(set(nets.values()))), expected=expected)


def _interface(address: str, netmask: str) -> IPv4Interface | None:
    try:
        found = ip_interface(f"{address}/{netmask}")
    except ValueError:
        return None
    return found if isinstance(found, IPv4Interface) else None


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
