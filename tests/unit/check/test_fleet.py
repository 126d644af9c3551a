from __future__ import annotations

import pytest

from ascend_provision.check import judge_fleet
from ascend_provision.stack.facts import HostFacts, User
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import HUNG, Case, fails, passes, prove, unknown
from tests.unit.factories import a1_host, a2_host, changed, nic, with_driver

UNREAD = Unknown(unknown="cut")


def a1s(count: int = 4) -> list[HostFacts]:
    return [alone(a1_host(f"a1-0{n}"), n) for n in range(1, count + 1)]


def alone(facts: HostFacts, n: int) -> HostFacts:
    """The host with NPU addresses of its own."""
    return changed(facts, network=tuple(nic(d, f"10.{n}.{d % 4}.{d + 1}") for d in range(8)))


def a2s(count: int = 2) -> list[HostFacts]:
    return [alone(a2_host(f"a2-0{n}"), 20 + n) for n in range(1, count + 1)]


def pod(name: str, *hosts: HostFacts) -> list[HostFacts]:
    """The hosts, of that super-pod as the inventory says."""
    return [changed(host, super_pod=name) for host in hosts]


def judged(*hosts: HostFacts) -> tuple[Finding, ...]:
    return judge_fleet(hosts)


def user(uid: int) -> tuple[User, ...]:
    return (User(name="HwHiAiUser", uid=uid, gid=uid),)


CASES: list[Case] = [
    passes("fleet.account", "same ids", lambda: judge_fleet(a1s())),
    fails(
        "fleet.account",
        "another uid",
        lambda: judged(*a1s(3), changed(alone(a1_host("odd"), 9), users=user(1001))),
        "1001:1001 on odd",
    ),
    passes("fleet.addresses", "all different", lambda: judge_fleet(a1s())),
    fails(
        "fleet.addresses",
        "a cloned hccn.conf",
        lambda: judged(a1_host("one"), a1_host("two")),
        "192.168.100.10 on one, two",
    ),
    fails(
        "fleet.super-pod",
        "two drivers in one",
        lambda: judged(*pod("7", *a1s(2)), *pod("7", alone(a1_host("odd", "hdk23"), 9)), *pod("8", *a2s())),
        "super-pod 7 driver: 23.0.3 on odd",
    ),
    passes("fleet.super-pod", "one driver each", lambda: judged(*pod("7", *a1s(2)), *pod("8", *a2s())), "super-pod 7"),
    passes(
        "fleet.super-pod",
        "two super-pods may differ",
        lambda: judged(*pod("7", *a1s(2)), *pod("8", *(alone(a1_host(f"n{n}", "hdk23"), n) for n in (8, 9)))),
        "super-pod 8",
    ),
    unknown(
        "fleet.super-pod",
        "one host unread",
        lambda: judged(*pod("7", *a1s(2), alone(with_driver(a1_host("dark"), running=HUNG), 9))),
        "super-pod 7: the driver of dark",
    ),
    passes("fleet.hostnames", "all different", lambda: judge_fleet(a1s())),
    fails(
        "fleet.hostnames",
        "a cloned image",
        lambda: judged(*(changed(host, hostname="localhost") for host in a1s(2))),
        "localhost on a1-01, a1-02",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_fleet(case: Case) -> None:
    prove(case)


def test_one_host_is_no_fleet() -> None:
    assert judge_fleet(a1s(1)) == ()
    assert judge_fleet([]) == ()


def test_hosts_that_could_not_be_read_do_not_break_the_comparison() -> None:
    blind = changed(a1_host("blind"), network=UNREAD, users=UNREAD, hostname=UNREAD, cann=UNREAD, pci=UNREAD)

    assert {f.verdict.value for f in judged(*a1s(2), blind)} == {"pass", "unknown"}


def test_the_order_of_the_hosts_does_not_matter() -> None:
    fleet = [*a1s(3), alone(a1_host("odd", "hdk23"), 9)]

    assert judge_fleet(fleet) == judge_fleet(fleet[::-1])


def test_of_three_pairs_of_ids_there_is_no_majority_and_that_is_said() -> None:
    hosts = [changed(host, users=user(1000 + n)) for n, host in enumerate(a1s(3))]
    found = next(f for f in judge_fleet(hosts) if f.id == "fleet.account")

    assert found.observed == "HwHiAiUser is 1000:1000 on a1-01; 1001:1001 on a1-02; 1002:1002 on a1-03"
    assert "no majority" in found.expected


def test_without_a_word_of_the_inventory_nothing_is_said_about_super_pods() -> None:
    assert not [f for f in judge_fleet(a1s(2)) if f.id == "fleet.super-pod"]


@pytest.mark.parametrize(
    ("key", "fact"), [("fleet.account", "users"), ("fleet.addresses", "network"), ("fleet.hostnames", "hostname")]
)
def test_a_host_that_was_not_read_agrees_with_nobody(key: str, fact: str) -> None:
    other = changed(a1_host("a1-02"), hostname="a1-02", network=())
    found = {finding.id: finding for finding in judge_fleet((changed(a1_host(), **{fact: HUNG}), other))}

    assert found[key].verdict.value == "unknown"
    assert "a1-01" in found[key].observed
