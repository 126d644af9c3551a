from __future__ import annotations

import pytest

from ascend_provision.evidence import hardware_record
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import HardwareRecord
from ascend_provision.stack.model import Unknown

FLASH = """{
\t{"device_id":0, "driver":235, "firmware":235}
\t{"device_id":1, "driver":238, "firmware":235}
}
"""
MAP = "# number of the flash, first release that has it\n234,23.0.0\n238,24.1.rc3\n\n240,25.3.rc1\n"


def said(name: str, text: str | None) -> Evidence:
    """A file as the probe brings it; None: it is not there."""
    return Evidence(name=name, note="not found") if text is None else Evidence(name=name, status=0, text=text)


def read(
    flash: str | None = None, clocks: str | None = None, memory: str | None = None, releases: str | None = None
) -> HardwareRecord:
    found = hardware_record.parse(
        said("flash.demand", flash), said("clock.makers", clocks), said("hbm.makers", memory), said("m", releases)
    )
    assert not isinstance(found, Unknown)
    return found


def test_the_highest_demand_of_all_chips_counts_and_the_map_says_which_release_that_is() -> None:
    found = read(FLASH, "0:HUYANG024\n1:NA\n", "0:0x31,0x56,1600\n1:0x31,0x56,1600\n", MAP)

    assert found == HardwareRecord(
        demand=238,
        clocks=("HUYANG024", "NA"),
        memory=("0x31,0x56,1600",),
        releases={234: "23.0.0", 238: "24.1.rc3", 240: "25.3.rc1"},
    )
    assert HardwareRecord.model_validate_json(found.model_dump_json()) == found


def test_a_driver_that_writes_nothing_down_demands_nothing_that_is_known() -> None:
    assert read() == HardwareRecord()


def test_a_card_that_told_no_maker_has_an_empty_one() -> None:
    assert read(clocks="0:\n1:ABC\n").clocks == ("", "ABC")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('\t{"device_id":0, "driver":crc_error}\n', "crc_error"),
        ("Unknown argument\n", "no demand"),
        ("", "no demand"),
        (FLASH.replace('"driver":238', '"dri'), "device_id"),
    ],
)
def test_a_flash_that_could_not_tell_is_unknown(text: str, why: str) -> None:
    found = read(text).demand

    assert isinstance(found, Unknown)
    assert why in found.unknown


def test_torn_files_are_unknown_each_on_its_own() -> None:
    found = read(FLASH, "HUYANG024\n", "0:0x31;0x56\n", "234\n")

    assert found.demand == 238
    assert isinstance(found.clocks, Unknown)
    assert isinstance(found.memory, Unknown)
    assert isinstance(found.releases, Unknown)


def test_a_file_that_was_cut_is_unknown() -> None:
    cut = Evidence(name="hbm.makers", status=0, text="0:0x31", truncated=True)
    gone = said("x", None)

    found = hardware_record.parse(gone, cut, cut, cut)
    assert isinstance(found, HardwareRecord)
    assert found.demand is None
    assert all(isinstance(value, Unknown) for value in (found.clocks, found.memory, found.releases))
    assert isinstance(hardware_record.parse(cut, cut, cut, cut), Unknown)
    assert hardware_record.parse(gone, gone, gone, gone) == HardwareRecord()
