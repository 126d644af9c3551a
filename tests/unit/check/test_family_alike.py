from __future__ import annotations

from typing import Any

import pytest

from ascend_provision.check import judge_fleet
from ascend_provision.stack.facts import HostFacts, KernelFacts, OsFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import HUNG, Case, passes, prove, warns
from tests.unit.check.test_fleet import a1s, alone, judged
from tests.unit.factories import a1_host, a2_host, bare_host, cann, changed, chip, environment, with_driver

PROFILE = "/etc/profile.d/npu.sh"


def odd(**changes: Any) -> list[HostFacts]:
    """Three hosts alike and one with these facts."""
    return [*a1s(3), changed(alone(a1_host("odd"), 9), **changes)]


def kernel(release: str) -> KernelFacts:
    return KernelFacts(running=release, next_boot=release, headers=True)


def system(version: str) -> OsFacts:
    return OsFacts(id="debian", version_id=version, pretty_name=f"Debian {version}", os_release_is_link=True)


CASES: list[Case] = [
    passes("fleet.versions", "all alike", lambda: judge_fleet(a1s(4)), "A1: 4 hosts"),
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
    warns(
        "fleet.versions",
        "kernels of another release under one toolkit",
        lambda: judge_fleet(
            odd(cann=(cann("a1-hdk22"), cann("a1-hdk23", "kernels", chip="910"), cann("a1-hdk23", "nnal")))
        ),
        "A1 kernels: 7.0.0 for 910 on odd",
    ),
    passes("fleet.frameworks", "the same in /opt/train", lambda: judge_fleet(a1s(4)), "A1: 4 hosts"),
    warns(
        "fleet.frameworks",
        "torch_npu was updated on one",
        lambda: judge_fleet(odd(environments=(environment("/opt/train", torch="2.1.0", torch_npu="2.1.0"),))),
        "A1 frameworks in /opt/train: torch 2.1.0, torch_npu 2.1.0 on odd",
    ),
    passes(
        "fleet.frameworks",
        "a personal environment of one host is no difference",
        lambda: judge_fleet(
            [
                changed(
                    h, environments=(*envs(h), environment("/home/one/venv", torch="2.4.0", torch_npu="2.4.0.post2"))
                )
                if h.host == "a1-01"
                else h
                for h in a1s(3)
            ]
        ),
    ),
    passes("fleet.chips", "all alike", lambda: judge_fleet(a1s(4))),
    warns(
        "fleet.chips",
        "another model of the family",
        lambda: judge_fleet(odd(chips=tuple(chip(n, "910ProB", f"{n}1") for n in range(8)))),
        "A1 chips: 8 x 910ProB on odd",
    ),
    warns(
        "fleet.chips",
        "one chip fewer",
        lambda: judge_fleet(odd(chips=tuple(chip(n, "910A", f"{n}1") for n in range(7)))),
        "7 x 910A on odd",
    ),
    passes("fleet.system", "all alike", lambda: judge_fleet(a1s(4)), "A1 x86_64"),
    warns(
        "fleet.system",
        "an automatic update",
        lambda: judge_fleet(odd(kernel=kernel("5.10.0-33-amd64"))),
        "A1 x86_64 kernel: 5.10.0-33-amd64 on odd",
    ),
    warns(
        "fleet.system", "another release", lambda: judge_fleet(odd(os=system("12"))), "A1 x86_64 OS: debian 12 on odd"
    ),
    passes(
        "fleet.system",
        "another architecture has another kernel",
        lambda: judge_fleet(
            [*a1s(3), changed(alone(a1_host("arm"), 9), arch="aarch64", kernel=kernel("5.10.0-arm64"))]
        ),
    ),
]


def envs(facts: HostFacts) -> Any:
    return facts.environments


@pytest.mark.parametrize("case", CASES, ids=str)
def test_family_alike(case: Case) -> None:
    prove(case)


def of(findings: tuple[Finding, ...], key: str) -> list[Finding]:
    return [finding for finding in findings if finding.id == key]


def test_the_odd_one_out_is_named_and_not_the_ninety_nine() -> None:
    fleet = [alone(a1_host(f"a1-{n:02}"), n) for n in range(99)]

    found = [f for f in judge_fleet([*fleet, alone(a1_host("old", "hdk23"), 200)]) if f.id == "fleet.versions"]
    assert [f.observed for f in found] == [
        "A1 driver: 23.0.3 on old",
        "A1 firmware: 7.1.0.5.220 on old",
        "A1 CANN: 7.0.0 on old",
        "A1 kernels: 7.0.0 for 910 on old",
    ]
    assert {f.expected for f in found} == {
        "22.0.4 (99 hosts)",
        "1.84.15.1.310 (99 hosts)",
        "6.0.1 (99 hosts)",
        "6.0.1 for 910 (99 hosts)",
    }


def test_a_bare_host_among_installed_ones_is_odd() -> None:
    found = judged(*a1s(2), bare_host("new"))

    assert "A1 driver: none on new" in [f.observed for f in found]


def test_of_two_hosts_the_one_without_driver_is_the_odd_one() -> None:
    found = next(f for f in judged(*a1s(1), bare_host("new")) if f.id == "fleet.versions")

    assert (found.observed, found.expected) == ("A1 driver: none on new", "22.0.4 (1 host)")


def test_two_hosts_with_two_drivers_are_a_tie_and_both_are_named() -> None:
    found = of(judged(*a1s(1), alone(a1_host("new", "hdk23"), 9)), "fleet.versions")

    assert found[0].observed == "A1 driver: 22.0.4 on a1-01; 23.0.3 on new"
    assert found[0].expected == "one value on all hosts (no majority tells which)"


def test_what_could_not_be_read_on_all_but_one_host_is_not_called_alike() -> None:
    dark = Unknown(unknown="the probe was cut")
    hosts = [a1s(2)[0], changed(a1s(2)[1], env_files=dark, network=dark, chips=dark, arch=dark, environments=dark)]
    found = judge_fleet(hosts)

    for key in ("fleet.environment", "fleet.tls", "fleet.chips", "fleet.system", "fleet.frameworks"):
        assert of(found, key) == [], key
