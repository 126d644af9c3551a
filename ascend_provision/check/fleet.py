"""Differences between hosts: the odd ones out by name, not every host."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ascend_provision.check import finding
from ascend_provision.check.reading import product, several, suites
from ascend_provision.knowledge import prerequisites
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown

FLEET = ""
"""The host name of a finding about several hosts."""


def judge(fleet: Sequence[HostFacts]) -> Iterator[Finding]:
    """Nothing to compare with fewer than two hosts."""
    if len(fleet) < 2:
        return
    yield from _versions(fleet)
    yield _account(fleet)
    yield _addresses(fleet)
    yield _hostnames(fleet)


def _versions(fleet: Sequence[HostFacts]) -> Iterator[Finding]:
    families: dict[str, list[HostFacts]] = defaultdict(list)
    for facts in fleet:
        found = product(facts)
        if found:
            families[found.family].append(facts)
    for family, hosts in sorted(families.items()):
        if len(hosts) > 1:
            yield from _family(family, hosts)


def _family(family: str, hosts: list[HostFacts]) -> Iterator[Finding]:
    differing = False
    for component, read in (("driver", _driver), ("firmware", _firmware), ("CANN", _cann)):
        by_value: dict[str, list[str]] = defaultdict(list)
        for facts in hosts:
            value = read(facts)
            if value is not None:
                by_value[value].append(facts.host)
        if len(by_value) > 1:
            differing = True
            usual, odd = _odd(by_value)
            yield finding.warn(
                "fleet.versions",
                FLEET,
                f"{family} {component}: {odd}",
                expected=f"{usual} ({_hosts(by_value[usual])})",
            )
    if not differing:
        yield finding.ok("fleet.versions", FLEET, f"{family}: {_hosts([facts.host for facts in hosts])} alike")


def _odd(by_value: dict[str, list[str]]) -> tuple[str, str]:
    """The most common value (of equals an installed one, the last in order), and the others with their hosts."""
    usual = max(by_value, key=lambda value: (len(by_value[value]), value != "none", value))
    odd = [f"{value} on {several(sorted(by_value[value]))}" for value in sorted(by_value) if value != usual]
    return usual, "; ".join(odd)


def _hosts(names: list[str]) -> str:
    return f"{len(names)} host" + ("" if len(names) == 1 else "s")


def _driver(facts: HostFacts) -> str | None:
    running = facts.driver.running
    return None if isinstance(running, Unknown) else str(running or "none")


def _firmware(facts: HostFacts) -> str | None:
    flash = facts.firmware.flash
    return None if isinstance(flash, Unknown) else ", ".join(map(str, flash)) or "none"


def _cann(facts: HostFacts) -> str | None:
    if isinstance(facts.cann, Unknown):
        return None
    return ", ".join(sorted({str(item.version) for item in suites(facts)})) or "none"


def _account(fleet: Sequence[HostFacts]) -> Finding:
    name = prerequisites.account().name
    ids: dict[str, list[str]] = defaultdict(list)
    for facts in fleet:
        if not isinstance(facts.users, Unknown):
            for user in facts.users:
                if user.name == name:
                    ids[f"{user.uid}:{user.gid}"].append(facts.host)
    if len(ids) > 1:
        usual, odd = _odd(ids)
        return finding.fail("fleet.account", FLEET, f"{name} is {odd}", expected=f"{usual} ({_hosts(ids[usual])})")
    return finding.ok("fleet.account", FLEET, f"{name} {', '.join(ids) or 'on no host'}")


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
    return _unique("fleet.addresses", "NPU addresses", owners)


def _hostnames(fleet: Sequence[HostFacts]) -> Finding:
    owners: dict[str, list[str]] = defaultdict(list)
    for facts in fleet:
        if isinstance(facts.hostname, str) and facts.hostname:
            owners[facts.hostname].append(facts.host)
    return _unique("fleet.hostnames", "host names", owners)


def _unique(key: str, what: str, owners: dict[str, list[str]]) -> Finding:
    twice = [f"{value} on {several(sorted(hosts))}" for value, hosts in sorted(owners.items()) if len(hosts) > 1]
    if twice:
        return finding.fail(key, FLEET, several(twice, 4, "; "), expected=f"different {what}")
    return finding.ok(key, FLEET, f"{len(owners)} different {what}")
