from __future__ import annotations

import pytest

from ascend_provision.knowledge import feature_floors, feature_needs
from ascend_provision.knowledge.matrix import published
from ascend_provision.knowledge.solution import Part
from ascend_provision.knowledge.tables import tables
from ascend_provision.stack.errors import UsageError


def test_every_feature_can_be_wished_for_and_says_where_it_is_published() -> None:
    parts = (
        Part(component="torch_npu", version="2.6.0"),
        Part(component="torch", version="2.6.0"),
        Part(component="mindspore", version="2.6.0"),
        Part(component="mindie", version="2.1.RC1"),
    )
    for name in feature_floors.names():
        floor = feature_floors.floor(name)
        chip = floor.chips[0] if floor and floor.chips else "910b"
        found = feature_needs.wants(name, tables(published(), chip), parts)

        assert found, name
        for want in found:
            assert want.why
            assert want.source


def test_a_feature_asks_each_part_it_needs_and_only_parts_that_are_there() -> None:
    found = {want.component: want for want in feature_needs.wants("mc2", tables(published(), "910b"), ())}

    assert set(found) == {"hdk", "cann"}
    assert "8.0.RC1" not in found["cann"].versions
    assert "8.0.RC2" in found["cann"].versions


def test_a_feature_of_other_chips_is_refused_with_the_chip() -> None:
    with pytest.raises(UsageError, match="`vllm-kv-pool-fabric-memory` is not published for 910b"):
        feature_needs.wants("vllm-kv-pool-fabric-memory", tables(published(), "910b"), ())


def test_an_installed_version_that_no_row_names_can_have_the_feature() -> None:
    parts = (Part(component="hdk", version="25.5.9"),)
    (want,) = feature_needs.wants("expandable_segments", tables(published(), "910b"), parts)

    assert "25.5.9" in want.versions


def test_a_feature_nobody_listed_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="there is no feature `warp`") as caught:
        feature_needs.wants("warp", tables(published(), "910b"), ())

    assert "expandable_segments" in caught.value.next_action
