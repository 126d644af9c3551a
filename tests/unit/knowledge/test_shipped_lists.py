from __future__ import annotations

import pytest

from ascend_provision.knowledge import installed_lists, shipped_lists
from ascend_provision.stack.versions import CannVersion, InnerVersion


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
def test_a_toolkit_is_known_by_its_inner_version_and_accepts_some_driver_branch(row: shipped_lists.Toolkit) -> None:
    assert shipped_lists.cann_of(row.inner) == row.cann
    if row.accepts_driver:
        assert installed_lists.branch_listed(str(row.inner), row.accepts_driver) is not None


def test_another_build_of_a_branch_is_the_only_release_of_that_branch_or_nobody_knows() -> None:
    assert shipped_lists.cann_of(InnerVersion("V100R001C25SPC001B999")) == CannVersion("8.5.0")
    assert shipped_lists.cann_of(InnerVersion("V100R001C10B999")) is None
    assert shipped_lists.cann_of(InnerVersion("V100R001C99B001")) is None


def test_a_list_of_another_chip_is_not_used() -> None:
    assert shipped_lists.recorded({"hdk": "23.0.0"}, "310b").accepts_firmware
    assert shipped_lists.recorded({"hdk": "23.0.0"}, "910b").accepts_firmware is None


def test_lists_nobody_can_look_up_are_told_from_public_ones() -> None:
    assert shipped_lists.recorded({"hdk": "23.0.7", "firmware": "7.1.0.11.220"}, "910b").public
    assert not shipped_lists.recorded({"hdk": "24.1.rc3", "firmware": "7.5.0.1.129"}, "910b").public
