from __future__ import annotations

from typing import Any

import pytest

from ascend_provision.check import judge_fleet
from ascend_provision.stack.facts import EnvFile, HostFacts
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.network import RankDevice, RankServer, RankTable
from tests.unit.check.cases import HUNG, Case, fails, passes, prove, warns
from tests.unit.check.test_family_alike import of
from tests.unit.check.test_fleet import a1s, alone
from tests.unit.factories import a2_host, changed

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


def ranked(*names: str, servers: int = 2) -> list[HostFacts]:
    """Hosts with a table of so many servers; the name stands in the servers' ids."""
    return [
        changed(
            host,
            rank_tables=(
                RankTable(
                    path="/etc/ranks.json",
                    version="1.0",
                    servers=tuple(
                        RankServer(server_id=f"{name}{n}", devices=(RankDevice(device_id="0", rank_id=str(n)),))
                        for n in range(servers)
                    ),
                ),
            ),
        )
        for host, name in zip(a1s(len(names)), names, strict=True)
    ]


CASES: list[Case] = [
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
    passes("fleet.rank-tables", "one text", lambda: judge_fleet(ranked("a", "a", "a")), "/etc/ranks.json"),
    fails(
        "fleet.rank-tables",
        "an old copy on one host",
        lambda: judge_fleet(ranked("a", "a", "b")),
        "A1 /etc/ranks.json: text 2 on a1-03",
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
    passes(
        "fleet.environment",
        "what one service is given",
        lambda: judge_fleet(
            [with_env(a1s(2)[0], "/etc/systemd/system/serve.service", HCCL_BUFFSIZE="800"), with_env(a1s(2)[1])]
        ),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_family_settings(case: Case) -> None:
    prove(case)


def test_a_setting_that_one_of_two_hosts_has_may_be_lacking_on_the_other_or_too_much_on_this() -> None:
    """The one that is set may be the mistake (bytes for megabytes): nobody is told to copy it."""
    (only,) = of(judge_fleet(setting("200", None)), "fleet.environment")

    assert only.observed == "A1 HCCL_BUFFSIZE: 200 on a1-01; not set on a1-02"
    assert only.expected == "one value on all hosts (no majority tells which)"


def test_two_families_are_compared_apart() -> None:
    hosts = [*setting("200", "200"), with_env(alone(a2_host("a2-01"), 8), HCCL_BUFFSIZE="400")]

    assert {f.verdict.value for f in of(judge_fleet(hosts), "fleet.environment")} == {"pass"}


def test_each_host_may_have_a_table_of_itself_alone() -> None:
    assert of(judge_fleet(ranked("a", "b", "c", servers=1)), "fleet.rank-tables") == []
