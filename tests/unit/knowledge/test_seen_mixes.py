from __future__ import annotations

import pytest

from ascend_provision.knowledge import seen_mixes
from ascend_provision.knowledge.matrix import published
from ascend_provision.stack.versions import FirmwareVersion, HdkVersion


@pytest.mark.parametrize("row", seen_mixes.known(), ids=lambda row: f"{row.hdk}-{row.firmware}")
def test_a_mix_is_found_on_its_chip_and_makes_no_pair_of_it(row: seen_mixes.Mix) -> None:
    chip = row.chips[0] if row.chips else "910b"

    assert seen_mixes.find(row.hdk, row.firmware, chip) == row
    assert seen_mixes.find(row.hdk, row.firmware, "") == row
    assert published().judge(("hdk", str(row.hdk)), ("firmware", str(row.firmware)), chip).verdict != "compatible"


def test_a_mix_seen_on_one_chip_says_nothing_of_another() -> None:
    assert seen_mixes.find(HdkVersion("25.5.1"), FirmwareVersion("7.7.0.10.220"), "910_93") is None
    assert seen_mixes.find(HdkVersion("25.5.1"), FirmwareVersion("7.8.0.6.201"), "910b") is None
