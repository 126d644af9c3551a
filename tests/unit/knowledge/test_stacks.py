from __future__ import annotations

import pytest

from ascend_provision.knowledge import releases, stacks

ROWS = [(row, chip) for row in stacks.known() for chip in row.chips]


@pytest.mark.parametrize(("row", "chip"), ROWS, ids=[f"{row.name}-{chip}" for row, chip in ROWS])
def test_a_named_stack_has_the_firmware_that_was_released_with_its_driver(row: stacks.Stack, chip: str) -> None:
    release = releases.find(row.driver, chip)

    assert release is not None
    assert row.firmware in release.firmware


def test_hdk23_on_an_a1_is_23_0_3_with_cann_7_0_0() -> None:
    target = stacks.named("hdk23", "910")

    assert str(target) == "hdk23 (driver=23.0.3 firmware=7.1.0.5.220 cann=7.0.0)"


def test_hdk22_was_never_published_for_an_a2() -> None:
    assert stacks.named("hdk22", "910b") is None
    assert stacks.names("910b") == ("hdk23rc", "hdk23", "hdk24", "hdk25", "hdk255")


def test_names_of_a_chip_are_oldest_first_and_none_for_an_unknown_chip() -> None:
    assert stacks.names("910") == ("hdk22", "hdk23", "hdk24")
    assert stacks.names("no-such-chip") == ()
    assert set(stacks.names("910")) < set(stacks.all_names())


def test_no_name_is_defined_twice_for_a_chip() -> None:
    keys = [(row.name, chip) for row, chip in ROWS]

    assert len(keys) == len(set(keys))
