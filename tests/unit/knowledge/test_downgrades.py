from __future__ import annotations

import pytest

from ascend_provision.knowledge import downgrades
from ascend_provision.stack.machine import HardwareRecord
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import HdkVersion

NEW_CLOCKS = HardwareRecord(clocks=("HUYANG024", "NA"), memory=("0x30,0x51,1600",), demand=0)
NEW_MEMORY = HardwareRecord(clocks=("NA",), memory=("0x31,0x56,1600",), demand=0)
RELEASES = {234: "23.0.0", 238: "24.1.rc3", 240: "25.3.rc1"}
DEMANDING = HardwareRecord(clocks=("NA",), memory=(), demand=236, releases=RELEASES)


@pytest.mark.parametrize(
    ("record", "chip", "release", "floor"),
    [
        (NEW_CLOCKS, "910b", "23.0.6", "23.0.7"),
        (NEW_CLOCKS, "910b", "23.0.7", ""),
        (NEW_CLOCKS, "910b", "24.1.rc2", "24.1.rc2.2"),
        (NEW_CLOCKS, "910b", "24.1.rc2.2", ""),
        (NEW_CLOCKS, "910b", "24.1.0", ""),
        (NEW_CLOCKS, "910", "22.0.4", ""),  # guarded on A2 only
        (NEW_MEMORY, "910b", "23.0.2", "23.0.3"),
        (NEW_MEMORY, "910b", "23.0.rc3", "24.0.rc1"),
        (NEW_MEMORY, "910b", "24.1.rc1", ""),
        (DEMANDING, "910b", "24.1.rc2", "24.1.rc3"),  # 236 is in 24.1.rc3 first
        (DEMANDING, "910b", "24.1.rc3", ""),
        (DEMANDING, "910_93", "24.1.rc2", "24.1.rc3"),
        (DEMANDING, "310p", "24.1.rc2", ""),  # the flash of A2 and A3 only
        (DEMANDING, "910b", "25.1.rc1", ""),  # the line of Ascend950 is neither older nor newer
    ],
)
def test_cards_refuse_what_is_below_the_floor_of_its_kind(
    record: HardwareRecord, chip: str, release: str, floor: str
) -> None:
    found = downgrades.refused(chip, HdkVersion(release), record)

    assert [f" {floor}" in remark.text for remark in found] == ([True] if floor else [])
    assert all(remark.source and f"HDK {release} is refused" in remark.text for remark in found)


@pytest.mark.parametrize(
    "record",
    [
        Unknown(unknown="not read"),
        HardwareRecord(),
        HardwareRecord(demand=Unknown(unknown="crc_error"), releases=RELEASES),
        HardwareRecord(demand=236, releases=None),
        HardwareRecord(demand=999, releases=RELEASES),  # a number the installed driver does not know
        HardwareRecord(demand=0, releases={0: "0"}),
    ],
)
def test_what_could_not_be_read_forbids_nothing(record: HardwareRecord | Unknown) -> None:
    assert downgrades.refused("910b", HdkVersion("23.0.0"), record) == ()


def test_whether_the_cards_refuse_is_unread_where_any_of_the_three_guards_is() -> None:
    assert downgrades.unread("910b", NEW_CLOCKS) == ""
    assert downgrades.unread("910b", DEMANDING) == ""
    assert "keeps no record" in downgrades.unread("910b", HardwareRecord())
    assert "keeps no record" in downgrades.unread("910_93", HardwareRecord(demand=236))
    assert downgrades.unread("910_93", HardwareRecord(demand=0)) == ""
    assert downgrades.unread("910b", HardwareRecord(demand=Unknown(unknown="crc_error"))) == "crc_error"
    assert downgrades.unread("910b", Unknown(unknown="not read")) == "not read"
    assert downgrades.unread("310p", HardwareRecord()) == ""


def test_where_the_cards_are_not_known_those_that_would_refuse_are_named() -> None:
    found = [remark.text for remark in downgrades.conditions("910b", HdkVersion("23.0.0"))]

    assert len(found) == len(downgrades.guards())
    assert downgrades.conditions("910b", HdkVersion("25.5.0")) == ()
    assert downgrades.conditions("910", HdkVersion("22.0.4")) == ()


def test_a_step_back_says_what_it_takes_and_where_that_is_published_or_that_nothing_is() -> None:
    (hdk,) = downgrades.steps_back("hdk", "24.1.0", "23.0.3")
    (cann,) = downgrades.steps_back("cann", "8.5.0", "8.3.RC1")
    (silent,) = downgrades.steps_back("cann", "8.3.RC1", "8.0.0")

    assert "firmware and driver both" in hdk.text
    assert hdk.source
    assert "only by removing it first" in cann.text
    assert "nothing is published" in silent.text
    assert silent.source == ""


@pytest.mark.parametrize(("before", "after"), [("23.0.3", "24.1.0"), ("24.1.0", "24.1.0"), ("25.5.0", "25.1.rc1")])
def test_a_step_forward_or_into_another_line_is_no_step_back(before: str, after: str) -> None:
    assert downgrades.steps_back("hdk", before, after) == ()
