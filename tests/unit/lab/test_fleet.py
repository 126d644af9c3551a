"""Names and numbers of hosts that are added to a fleet."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from ascend_provision.lab import fleet
from ascend_provision.lab.dressing import AscendDresser, Order
from ascend_provision.lab.errors import LabError
from ascend_provision.lab.places import FleetPlace
from ascend_provision.lab.spec import HostStatus

ORDER = Order(nodes=2, profile="atlas-800-9000", stack="bare")
OLD = HostStatus(
    name="a1-2",
    index=5,
    ip="10.77.1.5",
    profile="atlas-800-9000",
    stack="bare",
    python="system",
    state="on",
    pid=1,
    boots=1,
    cut=False,
)


def specs(order: Order, old: list[HostStatus]) -> list[tuple[str, int]]:
    made = fleet._specs(order, AscendDresser(), old, ["/image"], "/sys")
    return [(spec.name, spec.index) for spec in made]


def test_hosts_are_named_after_their_chips_family() -> None:
    assert specs(ORDER, []) == [("a1-1", 1), ("a1-2", 2)]
    assert specs(dataclasses.replace(ORDER, profile="atlas-800t-a2"), [OLD]) == [("a2-1", 6), ("a2-2", 7)]


def test_a_taken_name_is_left_out_and_no_number_is_given_twice() -> None:
    assert specs(ORDER, [OLD]) == [("a1-1", 6), ("a1-3", 7)]


def test_a_prefix_can_be_given() -> None:
    assert specs(dataclasses.replace(ORDER, prefix="rack7-node"), []) == [("rack7-node-1", 1), ("rack7-node-2", 2)]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"nodes": 0}, "at least one host"),
        ({"profile": "dgx-h100"}, "'dgx-h100' is not published"),
        ({"stack": "hdk25"}, "'hdk25' of profile 'atlas-800-9000' is not published"),
        ({"prefix": "a b"}, "'a b'"),
    ],
    ids=["no nodes", "unknown profile", "unpublished stack", "bad prefix"],
)
def test_a_bad_order_is_refused_before_anything_is_started(tmp_path: Path, change: dict[str, Any], what: str) -> None:
    with pytest.raises(LabError) as refused:
        fleet.bring_up(FleetPlace("x", tmp_path / "x"), dataclasses.replace(ORDER, **change), AscendDresser(), print)

    assert what in refused.value.what
    assert refused.value.exit == 4
    assert not (tmp_path / "x").exists()
