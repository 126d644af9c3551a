from __future__ import annotations

from typing import Any

import pytest

from ascend_provision.check import judge_fleet
from ascend_provision.stack.facts import EnvFile, HostFacts, KernelFacts, OsFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import HUNG, Case, fails, passes, prove, warns
from tests.unit.check.test_fleet import a1s, alone, judged
from tests.unit.factories import a1_host, a2_host, bare_host, cann, changed, chip, environment, with_driver

PROFILE = "/etc/profile.d/npu.sh"


def with_env(facts: HostFacts, path: str = PROFILE, **variables: str) -> HostFacts:
    return changed(facts, env_files=(EnvFile(path=path, variables=variables),))


def setting(*values: str | None, name: str = "HCCL_BUFFSIZE") -> list[HostFacts]:
    """Hosts whose profile sets the variable so; None does not set it."""
    return [
        with_env(host, **({} if value is None else {name: value}))
        for host, value in zip(a1s(len(values)), values, strict=True)
    ]


def switched(*switches: Any) -> list[HostFacts]:
    """Hosts whose NPUs all have the TLS switch so."""
    hosts = []
    for host, switch in zip(a1s(len(switches)), switches, strict=True):
        assert not isinstance(host.network, Unknown)
        hosts.append(changed(host, network=tuple(nic.model_copy(update={"tls": switch}) for nic in host.network)))
    return hosts


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
    passes("fleet.environment", "one size everywhere", lambda: judge_fleet(setting("200", "200", "200"))),
    fails(
        "fleet.environment",
        "another buffer on one host",
        lambda: judge_fleet(setting("200", "200", "400")),
        "A1 HCCL_BUFFSIZE: 400 on a1-03",
    ),
    fails(
        "fleet.environment",
        "set on one side only",
        lambda: judge_fleet(setting("1", None, None, name="HCCL_INTRA_ROCE_ENABLE")),
        "A1 HCCL_INTRA_ROCE_ENABLE: 1 on a1-01",
    ),
    warns(
        "fleet.environment",
        "a longer wait on one host",
        lambda: judge_fleet(setting("900", "120", "900", name="HCCL_CONNECT_TIMEOUT")),
        "A1 HCCL_CONNECT_TIMEOUT: 120 on a1-02",
    ),
    passes(
        "fleet.environment",
        "each host its own interface and table",
        lambda: judge_fleet(
            [
                with_env(host, HCCL_IF_IP=f"10.0.0.{n}", RANK_TABLE_FILE=f"/etc/ranks-{n}.json")
                for n, host in enumerate(a1s(3))
            ]
        ),
    ),
    warns(
        "fleet.environment",
        "a rank table on some hosts only",
        lambda: judge_fleet(setting("/etc/ranks.json", None, None, name="RANK_TABLE_FILE")),
        "A1 RANK_TABLE_FILE: set on a1-01",
    ),
    passes(
        "fleet.environment",
        "what a user sets in his own home",
        lambda: judge_fleet(
            [
                with_env(a1s(2)[0], "/home/one/.bashrc", HCCL_BUFFSIZE="800"),
                with_env(a1s(2)[1], HCCL_CONNECT_TIMEOUT_="1"),
            ]
        ),
    ),
    passes("fleet.tls", "off everywhere", lambda: judge_fleet(a1s(3)), "disabled on 3 hosts"),
    fails(
        "fleet.tls", "on for one host", lambda: judge_fleet(switched(False, False, True)), "A1 TLS: enabled on a1-03"
    ),
    passes(
        "fleet.tls",
        "a host that was not asked is no odd one",
        lambda: judge_fleet(switched(True, True, HUNG)),
        "enabled on 2 hosts",
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


def test_a_setting_that_one_of_two_hosts_has_is_what_the_other_lacks() -> None:
    found = of(judge_fleet(setting("200", None)), "fleet.environment")

    assert [(f.observed, f.expected) for f in found] == [("A1 HCCL_BUFFSIZE: not set on a1-02", "200 (1 host)")]


def test_two_families_are_compared_apart() -> None:
    hosts = [*setting("200", "200"), with_env(alone(a2_host("a2-01"), 8), HCCL_BUFFSIZE="400")]

    assert {f.verdict.value for f in of(judge_fleet(hosts), "fleet.environment")} == {"pass"}


def test_what_could_not_be_read_on_all_but_one_host_is_not_called_alike() -> None:
    dark = Unknown(unknown="the probe was cut")
    hosts = [a1s(2)[0], changed(a1s(2)[1], env_files=dark, network=dark, chips=dark, arch=dark, environments=dark)]
    found = judge_fleet(hosts)

    for key in ("fleet.environment", "fleet.tls", "fleet.chips", "fleet.system", "fleet.frameworks"):
        assert of(found, key) == [], key
