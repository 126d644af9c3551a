"""`--to` as operators type it."""

from __future__ import annotations

import pytest

from ascend_provision.planner.wish import parse, resolve
from ascend_provision.stack.errors import UsageError


def test_a_driver_brings_the_firmware_that_was_published_with_it() -> None:
    target = resolve(parse("driver=23.0.3, cann=7.0.0"), "910")

    assert (str(target.driver), str(target.firmware), str(target.cann)) == ("23.0.3", "7.1.0.5.220", "7.0.0")


def test_one_release_has_another_firmware_on_another_chip() -> None:
    assert str(resolve(parse("hdk=24.1.0"), "910").firmware) == "7.5.0.2.220"
    assert str(resolve(parse("hdk=24.1.0"), "910b").firmware) == "7.5.0.3.220"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("drivr=23.0.3", "`drivr=23.0.3` is not one of"),
        ("driver=banana", "'banana' is not a HDK version"),
        ("hdk99", "there is no stack `hdk99`"),
        ("hdk=23.0.3,driver=23.0.3", "names driver twice"),
    ],
)
def test_a_wish_that_cannot_be_read_names_its_part(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse(text)


def test_a_stack_unknown_for_the_chip_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match="`hdk22` is not published for chip 910b") as caught:
        resolve(parse("hdk22"), "910b")

    assert "hdk23" in caught.value.next_action
