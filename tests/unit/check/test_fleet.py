from __future__ import annotations

import pytest

from ascend_provision.check import judge_fleet
from ascend_provision.stack.facts import HostFacts, User
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import HUNG, Case, fails, passes, prove, warns
from tests.unit.factories import a1_host, a2_host, bare_host, changed, nic, with_driver

UNREAD = Unknown(unknown="cut")


def a1s(count: int = 4) -> list[HostFacts]:
    return [alone(a1_host(f"a1-0{n}"), n) for n in range(1, count + 1)]


def alone(facts: HostFacts, n: int) -> HostFacts:
    """The host with NPU addresses of its own."""
    return changed(facts, network=tuple(nic(d, f"10.{n}.{d % 4}.{d + 1}") for d in range(8)))


def judged(*hosts: HostFacts) -> tuple[Finding, ...]:
    return judge_fleet(hosts)


def user(uid: int) -> tuple[User, ...]:
    return (User(name="HwHiAiUser", uid=uid, gid=uid),)


CASES: list[Case] = [
    passes("fleet.versions", "all alike", lambda: judge_fleet(a1s()), "A1: 4 hosts"),
    warns(
        "fleet.versions",
        "one stayed behind",
        lambda: judged(*a1s(3), alone(a1_host("a1-09", "hdk23"), 9)),
        "23.0.3 on a1-09",
    ),
    passes(
        "fleet.versions",
        "two families may differ",
        lambda: judged(*a1s(2), alone(a2_host("a2-01"), 8), alone(a2_host("a2-02"), 9)),
        "A2: 2 hosts",
    ),
    passes(
        "fleet.versions",
        "an unread host is no odd one",
        lambda: judged(*a1s(2), alone(with_driver(a1_host("x"), running=HUNG), 9)),
    ),
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


def test_the_odd_one_out_is_named_and_not_the_ninety_nine() -> None:
    fleet = [alone(a1_host(f"a1-{n:02}"), n) for n in range(99)]

    found = [f for f in judge_fleet([*fleet, alone(a1_host("old", "hdk23"), 200)]) if f.id == "fleet.versions"]
    assert [f.observed for f in found] == [
        "A1 driver: 23.0.3 on old",
        "A1 firmware: 7.1.0.5.220 on old",
        "A1 CANN: 7.0.0 on old",
    ]
    assert {f.expected for f in found} == {"22.0.4 (99 hosts)", "1.84.15.1.310 (99 hosts)", "6.0.1 (99 hosts)"}


def test_a_bare_host_among_installed_ones_is_odd() -> None:
    found = judged(*a1s(2), bare_host("new"))

    assert "A1 driver: none on new" in [f.observed for f in found]


def test_of_two_hosts_the_one_without_driver_is_the_odd_one() -> None:
    found = next(f for f in judged(*a1s(1), bare_host("new")) if f.id == "fleet.versions")

    assert (found.observed, found.expected) == ("A1 driver: none on new", "22.0.4 (1 host)")


def test_one_host_is_no_fleet() -> None:
    assert judge_fleet(a1s(1)) == ()
    assert judge_fleet([]) == ()


def test_hosts_that_could_not_be_read_do_not_break_the_comparison() -> None:
    blind = changed(a1_host("blind"), network=UNREAD, users=UNREAD, hostname=UNREAD, cann=UNREAD, pci=UNREAD)

    assert {f.verdict.value for f in judged(*a1s(2), blind)} == {"pass"}


def test_the_order_of_the_hosts_does_not_matter() -> None:
    fleet = [*a1s(3), alone(a1_host("odd", "hdk23"), 9)]

    assert judge_fleet(fleet) == judge_fleet(fleet[::-1])
