from __future__ import annotations

import json
from typing import Any

import pytest

from ascend_provision.evidence import rank_tables
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.network import RankDevice, RankServer, RankTable

A2 = {
    "version": "1.0",
    "server_count": "1",
    "server_list": [
        {"server_id": "10.0.0.7", "host_nic_ip": "reserve",
         "device": [{"device_id": "0", "device_ip": "10.20.0.2", "rank_id": "0"},
                    {"device_id": "1", "device_ip": "10.20.0.3", "rank_id": "1"}]}],
    "status": "completed",
}  # fmt: skip
A3 = {
    "version": "1.2",
    "server_count": "1",
    "server_list": [{"server_id": "node-0", "host_ip": "10.0.0.7",
                     "device": [{"device_id": "0", "super_device_id": "0", "device_ip": "10.30.0.2", "rank_id": "0"}]}],
    "super_pod_list": [{"super_pod_id": "0", "server_list": [{"server_id": "node-0"}]}],
    "status": "completed",
}  # fmt: skip
A5 = {"version": "2.0", "rank_count": 2, "rank_list": [{"rank_id": 0, "device_id": 0}, {"rank_id": 1, "device_id": 1}]}


def read(*entries: tuple[str, str]) -> tuple[RankTable, ...] | Unknown:
    text = "".join(f"F {path}\n {content}\n" for path, content in entries)
    return rank_tables.parse(Evidence(name="rank.tables", status=0, text=text)).facts


def one(document: Any) -> RankTable:
    found = read(("/root/hccl.json", json.dumps(document)))
    assert not isinstance(found, Unknown)
    return found[0]


def test_form_1_0_has_servers_with_their_devices() -> None:
    devices = (
        RankDevice(device_id="0", rank_id="0", device_ip="10.20.0.2"),
        RankDevice(device_id="1", rank_id="1", device_ip="10.20.0.3"),
    )

    assert one(A2) == RankTable(
        path="/root/hccl.json",
        version="1.0",
        status="completed",
        count="1",
        servers=(RankServer(server_id="10.0.0.7", devices=devices),),
    )


def test_form_1_2_of_a_super_pod_adds_an_id_within_it() -> None:
    assert one(A3).servers[0].devices[0].super_device_id == "0"


def test_form_2_0_is_one_list_of_ranks_with_numbers_for_texts() -> None:
    found = one(A5)

    assert (found.version, found.count) == ("2.0", "2")
    assert [(device.rank_id, device.device_id) for device in found.servers[0].devices] == [("0", "0"), ("1", "1")]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('{"server_list": [', "no whole JSON document"),
        ("{" * 5000, "no whole JSON document"),
        ("[1, 2]", "JSON, and no rank table"),
        ('{"version": "1.0"}', "JSON without server_list, rank_list or group_list"),
    ],
)
def test_what_is_no_rank_table_says_why(content: str, problem: str) -> None:
    assert read(("/etc/hccl.json", content)) == (RankTable(path="/etc/hccl.json", problem=problem),)


def test_a_table_too_long_to_send_is_named() -> None:
    found = rank_tables.parse(Evidence(name="rank.tables", status=0, text="C /etc/hccl.json\n")).facts

    assert found == (RankTable(path="/etc/hccl.json", problem="too long to be read from here"),)


def test_values_of_the_wrong_kind_are_missing_values() -> None:
    found = one({"version": True, "server_list": ["x", {"device": {"0": {}}}, {"device": [None, {"rank_id": []}]}]})

    assert found.version is None
    assert [server.devices for server in found.servers] == [(), (RankDevice(),)]


def test_a_host_without_any_has_none_and_one_that_was_not_read_is_unknown() -> None:
    assert rank_tables.parse(Evidence(name="rank.tables", status=0)).facts == ()
    assert rank_tables.parse(Evidence(name="rank.tables", note="not found")).facts == ()
    assert isinstance(rank_tables.parse(Evidence(name="rank.tables", note="timed out after 10 s")).facts, Unknown)


def test_the_old_form_of_groups_gives_its_servers_and_the_rank_of_an_instance_of_one_device() -> None:
    old = {
        "status": "completed",
        "group_count": "1",
        "group_list": [
            {"group_name": "worker", "device_count": "3", "instance_count": "3", "instance_list": [
                {"pod_name": "a", "server_id": "10.0.0.7", "rank_id": "4",
                 "devices": [{"device_id": "0", "device_ip": "10.20.0.2"}]},
                {"pod_name": "b", "server_id": "10.0.0.7", "devices": [{"device_id": "1", "device_ip": "10.20.0.3"}]},
                {"pod_name": "c", "server_id": "10.0.0.8", "devices": [{"device_id": "0", "device_ip": "10.20.0.4"}]},
                "torn"]},
            7,
        ],
    }  # fmt: skip
    text = f"F /root/hccl.json\n {json.dumps(old)}\n"
    facts = rank_tables.parse(Evidence(name="rank.tables", text=text, status=0)).facts

    assert not isinstance(facts, Unknown)
    assert facts[0].problem == ""
    assert facts[0].servers == (
        RankServer(
            server_id="10.0.0.7",
            devices=(
                RankDevice(device_id="0", device_ip="10.20.0.2", rank_id="4"),
                RankDevice(device_id="1", device_ip="10.20.0.3"),
            ),
        ),
        RankServer(server_id="10.0.0.8", devices=(RankDevice(device_id="0", device_ip="10.20.0.4"),)),
    )
