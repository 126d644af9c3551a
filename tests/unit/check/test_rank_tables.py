from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import EnvFile, HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.network import RankDevice, RankServer, RankTable
from tests.unit.check.cases import Case, fails, passes, prove, skips, unknown, warns
from tests.unit.factories import a1_host, a2_host, changed, chip

MOUNTED = "/etc/hccl_rootinfo.json"
MINE = "/root/hccl_8p.json"
UNREAD = Unknown(unknown="rank.tables: timed out after 10 s")


def device(rank: int, **changes: str | None) -> RankDevice:
    """The device of that rank on an A2 host of the factories."""
    usual = RankDevice(device_id=str(rank), rank_id=str(rank), device_ip=f"192.168.100.{10 + rank}")
    return usual.model_copy(update=changes)


def table(*devices: RankDevice, path: str = MOUNTED, **changes: object) -> RankTable:
    ranks = devices or tuple(device(n) for n in range(8))
    whole = RankTable(
        path=path, version="1.0", status="completed", count="1", servers=(RankServer(server_id="s", devices=ranks),)
    )
    return whole.model_copy(update=changes)


def a2(*tables: RankTable, **changes: object) -> HostFacts:
    return changed(a2_host(), rank_tables=tables, **changes)


def a3(*tables: RankTable) -> HostFacts:
    pci = [npu.model_copy(update={"device": "d803"}) for npu in pci_of(a2_host())]
    return changed(a2_host(), rank_tables=tables, pci=tuple(pci))


def a5(*tables: RankTable) -> HostFacts:
    """No PCI ids of the newest generation are listed: it is known by what npu-smi prints."""
    return changed(a2_host(), rank_tables=tables, pci=(), chips=(chip(0, "950PR", "C1"),))


def pci_of(facts: HostFacts) -> tuple:
    assert not isinstance(facts.pci, Unknown)
    return facts.pci


def named(path: str) -> dict[str, object]:
    return {"env_files": (EnvFile(path="/etc/profile.d/job.sh", variables={"RANK_TABLE_FILE": path}),)}


def with_super_devices() -> tuple[RankDevice, ...]:
    return tuple(device(n, super_device_id=str(n)) for n in range(8))


CASES: list[Case] = [
    skips("ranktable.form", "none, as most hosts have", lambda: judge_host(a2_host())),
    passes("ranktable.form", "whole", lambda: judge_host(a2(table()))),
    fails(
        "ranktable.form",
        "device 1 twice",
        lambda: judge_host(a2(table(device(0), device(1), device(2, device_id="1")))),
        "device_id 1 stands twice",
    ),
    passes(
        "ranktable.form",
        "device 1 of two servers is two devices",
        lambda: judge_host(
            a2(
                table(
                    count="2",
                    servers=(
                        RankServer(server_id="a", devices=(device(1),)),
                        RankServer(server_id="b", devices=(device(1, rank_id="9", device_ip="10.9.9.9"),)),
                    ),
                )
            )
        ),
    ),
    fails(
        "ranktable.form",
        "one rank for two devices",
        lambda: judge_host(a2(table(device(0), device(1, rank_id="0")))),
        "rank_id 0 stands twice",
    ),
    fails(
        "ranktable.form",
        "a copied address",
        lambda: judge_host(a2(table(device(0), device(1, device_ip="192.168.100.10")))),
        "device_ip 192.168.100.10 stands twice",
    ),
    fails(
        "ranktable.form",
        "a server was taken out",
        lambda: judge_host(a2(table(count="2"))),
        "it says 2 servers and lists 1",
    ),
    fails(
        "ranktable.form",
        "still being written",
        lambda: judge_host(a2(table(status="initializing"))),
        "its status is initializing",
    ),
    fails(
        "ranktable.form",
        "cut in the middle, and a profile names it",
        lambda: judge_host(a2(RankTable(path=MINE, problem="no whole JSON document"), **named(MINE))),
        "no whole JSON document",
    ),
    warns(
        "ranktable.form",
        "device 1 twice in a file nobody names",
        lambda: judge_host(a2(table(device(1), device(1, rank_id="2", device_ip="10.1.1.1"), path=MINE))),
        MINE,
    ),
    unknown("ranktable.form", "not read", lambda: judge_host(changed(a2_host(), rank_tables=UNREAD))),
    unknown(
        "ranktable.form",
        "thousands of ranks",
        lambda: judge_host(a2(RankTable(path=MOUNTED, problem="too long to be read from here"))),
        "too long",
    ),
    passes("ranktable.version", "1.0 on A2", lambda: judge_host(a2(table())), "1.0"),
    passes("ranktable.version", "1.0 on A3 without super-pods", lambda: judge_host(a3(table()))),
    passes(
        "ranktable.version",
        "1.2 on A3 with every id in the super-pod",
        lambda: judge_host(a3(table(*with_super_devices(), version="1.2"))),
    ),
    fails(
        "ranktable.version",
        "1.2 without the ids in the super-pod",
        lambda: judge_host(a3(table(version="1.2"))),
        "no super_device_id for ranks 0, 1",
    ),
    warns("ranktable.version", "1.2 on A2", lambda: judge_host(a2(table(version="1.2"))), "version 1.2"),
    fails(
        "ranktable.version",
        "a file of an A2 fleet on 950PR",
        lambda: judge_host(a5(table())),
        "version 1.0",
    ),
    passes("ranktable.version", "2.0 on 950PR", lambda: judge_host(a5(table(version="2.0")))),
    skips(
        "ranktable.version",
        "a chip nobody listed",
        lambda: judge_host(a2(table(), pci=(), chips=(chip(0, "31X", "C1"),))),
    ),
    passes("ranktable.addresses", "as on the cards", lambda: judge_host(a2(table()))),
    fails(
        "ranktable.addresses",
        "one stale address",
        lambda: judge_host(a2(table(*(device(n) for n in range(7)), device(7, device_ip="192.168.100.99")))),
        "device 7 has 192.168.100.17, the table says 192.168.100.99",
    ),
    fails(
        "ranktable.addresses",
        "two devices exchanged",
        lambda: judge_host(a2(table(device(0, device_ip="192.168.100.11"), device(1, device_ip="192.168.100.10")))),
        "device 0 has 192.168.100.10, the table says 192.168.100.11",
    ),
    fails(
        "ranktable.addresses",
        "of another cluster",
        lambda: judge_host(a2(table(device(0, device_ip="10.9.0.1")))),
        "none of which is an NPU of this host",
    ),
    skips(
        "ranktable.addresses",
        "of another cluster and nobody names it",
        lambda: judge_host(a2(table(device(0, device_ip="10.9.0.1"), path=MINE))),
    ),
    warns(
        "ranktable.addresses",
        "stale and nobody names it",
        lambda: judge_host(a2(table(device(0), device(1, device_ip="10.9.0.1"), path=MINE))),
        "the table says 10.9.0.1",
    ),
    unknown(
        "ranktable.addresses",
        "the cards were not asked",
        lambda: judge_host(a2(table(), network=Unknown(unknown="hccn.conf: not readable"))),
    ),
    skips("ranktable.addresses", "no NPU network here", lambda: judge_host(a2(table(), network=()))),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_rank_tables(case: Case) -> None:
    prove(case)


def told(facts: HostFacts) -> list[Finding]:
    return [f for f in judge_host(facts) if f.id.startswith("ranktable.") and f.verdict.value != "skip"]


def test_a_file_of_that_name_that_is_no_rank_table_is_nobodys_business() -> None:
    """hccl.json is a name that other programs use too."""
    assert told(a2(RankTable(path="/home/one/hccl.json", problem="JSON without server_list or rank_list"))) == []


def test_a_table_of_another_server_beside_this_one_is_not_compared_with_this_host() -> None:
    servers = (
        RankServer(server_id="here", devices=tuple(device(n) for n in range(8))),
        RankServer(server_id="there", devices=(device(0, rank_id="8", device_ip="192.168.100.50"),)),
    )

    assert {f.verdict.value for f in told(a2(table(servers=servers, count="2")))} == {"pass"}


def test_a1_hosts_read_form_1_0() -> None:
    ranks = tuple(device(n, device_ip=f"192.168.{100 + n % 4}.{10 + n}") for n in range(8))

    assert {f.verdict.value for f in told(changed(a1_host(), rank_tables=(table(*ranks),)))} == {"pass"}
