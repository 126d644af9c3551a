"""Differences between hosts: the odd ones out by name, not every host."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from ascend_provision.check import family_alike, finding, majority
from ascend_provision.check.majority import FLEET
from ascend_provision.check.reading import product, several
from ascend_provision.knowledge import prerequisites
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown


def judge(fleet: Sequence[HostFacts]) -> Iterator[Finding]:
    """Nothing to compare with fewer than two hosts."""
    if len(fleet) < 2:
        return
    families: dict[str, list[HostFacts]] = defaultdict(list)
    for facts in fleet:
        if found := product(facts):
            families[found.family].append(facts)
    for family, members in sorted(families.items()):
        if len(members) > 1:
            yield from family_alike.judge(family, members)
    yield from _super_pods(fleet)
    yield _account(fleet)
    yield _addresses(fleet)
    yield _hostnames(fleet)


def _super_pods(fleet: Sequence[HostFacts]) -> Iterator[Finding]:
    """Only for hosts whose inventory says to which super-pod they belong."""
    key = "fleet.super-pod"
    pods: dict[str, list[HostFacts]] = defaultdict(list)
    for facts in fleet:
        if facts.super_pod:
            pods[facts.super_pod].append(facts)
    for pod, members in sorted(pods.items()):
        if len(members) < 2:
            continue
        values = majority.by_value(members, family_alike.driver)
        if split := majority.split(values):
            yield finding.fail(key, FLEET, f"super-pod {pod} driver: {split.odd}", expected=split.expected)
        elif len(next(iter(values.values()), [])) < len(members):
            unread = [facts.host for facts in members if family_alike.driver(facts) is None]
            yield finding.unknown(key, FLEET, f"super-pod {pod}: the driver of {several(sorted(unread))} was not read")
        else:
            yield finding.ok(key, FLEET, f"super-pod {pod}: driver {next(iter(values))} on {len(members)} hosts")


def _unread(key: str, fleet: Sequence[HostFacts], what: str, read: Callable[[HostFacts], object]) -> Finding | None:
    """Hosts that could not be read differ from nobody, and agree with nobody either."""
    hosts = sorted(facts.host for facts in fleet if isinstance(read(facts), Unknown))
    return finding.unknown(key, FLEET, f"{what} of {several(hosts)} were not read") if hosts else None


def _account(fleet: Sequence[HostFacts]) -> Finding:
    name = prerequisites.account().name

    def ids(facts: HostFacts) -> str | None:
        users = () if isinstance(facts.users, Unknown) else facts.users
        return next((f"{user.uid}:{user.gid}" for user in users if user.name == name), None)

    values = majority.by_value(fleet, ids)
    if split := majority.split(values):
        return finding.fail("fleet.account", FLEET, f"{name} is {split.odd}", expected=split.expected)
    return _unread("fleet.account", fleet, "the accounts", lambda facts: facts.users) or finding.ok(
        "fleet.account", FLEET, f"{name} {', '.join(values) or 'on no host'}"
    )


def _addresses(fleet: Sequence[HostFacts]) -> Finding:
    owners: dict[str, list[str]] = defaultdict(list)
    for facts in fleet:
        if isinstance(facts.network, Unknown):
            continue
        used = {
            address
            for nic in facts.network
            for address in (nic.conf_address, nic.live_address)
            if isinstance(address, str) and address
        }
        for address in used:
            owners[address].append(facts.host)
    unread = _unread("fleet.addresses", fleet, "the NPU addresses", lambda facts: facts.network)
    return _unique("fleet.addresses", "NPU addresses", owners, unread)


def _hostnames(fleet: Sequence[HostFacts]) -> Finding:
    owners: dict[str, list[str]] = defaultdict(list)
    for facts in fleet:
        if isinstance(facts.hostname, str) and facts.hostname:
            owners[facts.hostname].append(facts.host)
    unread = _unread("fleet.hostnames", fleet, "the host names", lambda facts: facts.hostname)
    return _unique("fleet.hostnames", "host names", owners, unread)


def _unique(key: str, what: str, owners: dict[str, list[str]], unread: Finding | None) -> Finding:
    twice = [f"{value} on {several(sorted(hosts))}" for value, hosts in sorted(owners.items()) if len(hosts) > 1]
    if twice:
        return finding.fail(key, FLEET, several(twice, 4, "; "), expected=f"different {what}")
    return unread or finding.ok(key, FLEET, f"{len(owners)} different {what}")
