from __future__ import annotations

import pytest

from ascend_provision.knowledge import installed_lists, shipped_lists


@pytest.mark.parametrize("row", shipped_lists.drivers(), ids=lambda row: f"{row.hdk}")
def test_a_recorded_driver_is_found_by_its_version(row: shipped_lists.Driver) -> None:
    found = shipped_lists.recorded({"hdk": str(row.hdk)}, row.chips[0] if row.chips else "910b")

    assert (found.driver_inner, found.driver_accepts) == (str(row.inner), row.accepts_cann)
    assert found.accepts_firmware == row.accepts_firmware
    assert found.recorded


@pytest.mark.parametrize("row", shipped_lists.firmware(), ids=lambda row: f"{row.firmware}")
def test_a_recorded_firmware_list_can_be_read_as_the_vendors_tool_reads_it(row: shipped_lists.Firmware) -> None:
    assert installed_lists.pairs(row.accepts_driver)
    assert shipped_lists.recorded({"firmware": str(row.firmware)}, "910b").accepts_driver == row.accepts_driver


@pytest.mark.parametrize("row", shipped_lists.toolkits(), ids=lambda row: f"{row.inner}")
def test_a_toolkit_accepts_some_driver_branch(row: shipped_lists.Toolkit) -> None:
    if row.accepts_driver:
        assert installed_lists.branch_listed(str(row.inner), row.accepts_driver) is not None


def test_a_list_of_another_chip_is_not_used() -> None:
    assert shipped_lists.recorded({"hdk": "23.0.0"}, "310b").accepts_firmware
    assert shipped_lists.recorded({"hdk": "23.0.0"}, "910b").accepts_firmware is None


def test_lists_nobody_can_look_up_are_told_from_public_ones() -> None:
    assert shipped_lists.recorded({"hdk": "23.0.7", "firmware": "7.1.0.11.220"}, "910b").public
    assert not shipped_lists.recorded({"hdk": "24.1.rc3", "firmware": "7.5.0.1.129"}, "910b").public
