"""What a host is made of, on the wire and in the network."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.lab.spec import NETWORK, DeviceNode, HostSpec


def spec(index: int = 1) -> HostSpec:
    return HostSpec(
        name="a1-1",
        index=index,
        profile="atlas-800-9000",
        stack="hdk22",
        python="system",
        init="systemd",
        lowers=("/cache/layers/x", "/cache/images/y"),
        devices=(DeviceNode(name="davinci0", mode=0o600),),
        sysfs="/run/x",
        disk_mb=20480,
    )


def test_a_spec_survives_the_wire() -> None:
    assert HostSpec.from_json(json.loads(json.dumps(spec().to_json()))) == spec()


@given(st.integers(min_value=1, max_value=NETWORK.num_addresses - 512), st.integers(min_value=1, max_value=60000))
def test_two_hosts_never_share_an_address_a_mac_or_a_link(one: int, other: int) -> None:
    a, b = spec(one), spec(other)

    assert (a.ip == b.ip) == (a.mac == b.mac) == (a.link == b.link) == (one == other)


def test_a_hosts_address_is_past_the_controllers() -> None:
    assert spec(1).ip == "10.77.1.1"
    assert spec(1).mac == "02:fe:0a:4d:01:01"


def test_a_link_name_fits_the_kernels_fifteen_letters() -> None:
    assert len(spec(NETWORK.num_addresses).link) <= 15
