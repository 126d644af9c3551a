"""Firmware that cannot be left in one jump."""

from __future__ import annotations

import pytest

from ascend_provision.knowledge import stopovers
from ascend_provision.stack.versions import FirmwareVersion, HdkVersion


@pytest.mark.parametrize("row", stopovers.known(), ids=lambda row: f"{row.chip}-{row.firmware}")
def test_every_row_meets_its_own_example(row: stopovers.Stopover) -> None:
    assert stopovers.before(row.chip, row.example) == row.first


def test_a_910b_with_firmware_x_11_needs_the_23_0_rc1_stop() -> None:
    assert stopovers.before("910b", FirmwareVersion("1.11.0.1.220")) == HdkVersion("23.0.rc1")


@pytest.mark.parametrize(
    ("chip", "version"), [("910b", "7.1.0.5.220"), ("910b", "1.1.11.0.220"), ("910b", "11.0"), ("910", "1.11.0.1.220")]
)
def test_other_firmware_and_other_chips_go_straight(chip: str, version: str) -> None:
    assert stopovers.before(chip, FirmwareVersion(version)) is None
