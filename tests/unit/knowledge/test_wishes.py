"""Wishes as operators type them."""

from __future__ import annotations

import pytest

from ascend_provision.knowledge.matrix import published
from ascend_provision.knowledge.solution import Part
from ascend_provision.knowledge.tables import Tables, tables
from ascend_provision.knowledge.wishes import parse, resolve, wants
from ascend_provision.stack.errors import UsageError
from tests.unit.knowledge.stacks_at_random import Rows


def test_a_driver_brings_the_firmware_that_was_published_with_it() -> None:
    target = resolve(parse("driver=23.0.3, cann=7.0.0"), "910")

    assert (str(target.driver), str(target.firmware), str(target.cann)) == ("23.0.3", "7.1.0.5.220", "7.0.0")


def test_one_release_has_another_firmware_on_another_chip() -> None:
    assert str(resolve(parse("hdk=24.1.0"), "910").firmware) == "7.5.0.2.220"
    assert str(resolve(parse("hdk=24.1.0"), "910b").firmware) == "7.5.0.3.220"


def test_a_version_overrides_that_of_the_stack_it_stands_beside() -> None:
    target = resolve(parse("hdk23,cann=8.0.0"), "910")

    assert (target.name, str(target.driver), str(target.cann)) == ("hdk23", "23.0.3", "8.0.0")


@pytest.mark.parametrize(
    ("text", "direct"), [("hdk23", True), ("torch-npu=2.6.0", False), ("expandable_segments", False)]
)
def test_what_names_a_framework_or_a_feature_has_to_be_worked_out(text: str, direct: bool) -> None:
    assert parse(text).direct is direct


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("drivr=23.0.3", "`drivr=23.0.3` is not one of"),
        ("driver=banana", "'banana' is not a HDK version"),
        ("hdk99", "there is no stack `hdk99`"),
        ("hdk=23.0.3,driver=23.0.3", "names driver twice"),
        ("hdk22,hdk23", "there is no stack `hdk23`"),
    ],
)
def test_a_wish_that_cannot_be_read_names_its_part(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse(text)


def test_a_stack_unknown_for_the_chip_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match="`hdk22` is not published for chip 910b") as caught:
        resolve(parse("hdk22"), "910b")

    assert "hdk23" in caught.value.next_action


def test_a_release_that_only_has_patches_in_the_rows_means_those() -> None:
    listed = Tables(Rows({}, {"hdk": ("24.1.0", "25.0.rc1.1", "25.0.rc1.3")}), "910b")
    (want,) = wants(parse("hdk=25.0.rc1"), listed, (), "910b")

    assert want.versions == ("25.0.rc1.1", "25.0.rc1.3")


def test_a_feature_asks_torch_npu_only_where_there_is_one() -> None:
    known = tables(published(), "910")
    alone = wants(parse("expandable_segments"), known, (Part(component="hdk", version="22.0.4"),), "910")
    parts = (Part(component="torch_npu", version="1.11.0", where="/opt/a"),)
    beside = {want.component: want.versions for want in wants(parse("expandable_segments"), known, parts, "910")}

    assert [want.component for want in alone] == ["hdk"]
    assert "23.0.0" in alone[0].versions
    assert "22.0.4" not in alone[0].versions
    assert "2.1.0" in beside["torch_npu"]
    assert "1.11.0" not in beside["torch_npu"]
