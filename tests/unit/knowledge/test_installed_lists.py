from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.knowledge import installed_lists
from ascend_provision.stack.versions import FirmwareVersion, HdkVersion

HDK24_DRIVERS = "[23.0.0,23.0.0.],[24.0,24.0.],[24.1,24.1.]"


def test_a_list_is_read_two_by_two_like_strtok_does() -> None:
    assert installed_lists.pairs(HDK24_DRIVERS) == (("23.0.0", "23.0.0."), ("24.0", "24.0."), ("24.1", "24.1."))


@pytest.mark.parametrize(
    ("version", "listed", "inside"),
    [
        ("24.1.rc3", HDK24_DRIVERS, True),
        ("24.1.0.3", HDK24_DRIVERS, True),
        ("23.0.0.1", HDK24_DRIVERS, True),
        ("23.0.3", HDK24_DRIVERS, False),
        ("7.1.0.5.220", "[7.0.0,7.1.99]", True),
        ("7.3.0.1.231", "[7.0.0,7.2.99]", False),
        ("7.10.0.1.220", "[7.0.0,7.2.99]", True),
        ("10.0.0.1.220", "[7.0.0,8.9.9]", False),
    ],
)
def test_versions_are_cut_and_compared_as_text_as_dcmi_does(version: str, listed: str, inside: bool) -> None:
    assert installed_lists.within(version, listed) is inside


def answer(driver: str, firmware: str, accepts_firmware: str | None, accepts_driver: str | None) -> str:
    return installed_lists.driver_firmware(
        HdkVersion(driver), FirmwareVersion(firmware), accepts_firmware, accepts_driver
    ).verdict


def test_hdk_22_carries_no_list_so_the_files_say_nothing() -> None:
    assert answer("22.0.4", "1.84.15.1.310", None, None) == "unknown"


def test_old_1_84_firmware_under_a_new_driver_is_nok_before_any_list_is_read() -> None:
    assert answer("23.0.3", "1.84.15.1.310", "[1.0.0,7.1.99]", None) == "incompatible"


def test_the_drivers_list_decides_first() -> None:
    assert answer("23.0.7", "7.1.0.11.220", "[7.0.0,7.1.99]", "[23.0.rc3,23.0.rc3.],[23.0.0,23.0.0.]") == "compatible"


def test_the_firmwares_list_can_still_allow_what_the_drivers_does_not() -> None:
    assert answer("24.1.rc2.2", "7.3.0.1.231", "[7.0.0,7.2.99]", HDK24_DRIVERS) == "compatible"


def test_neither_list_holding_the_other_is_nok() -> None:
    assert answer("23.0.3", "7.5.0.2.220", "[7.0.0,7.1.99]", HDK24_DRIVERS) == "incompatible"


def test_outside_the_drivers_list_without_the_firmwares_nobody_knows() -> None:
    assert answer("23.0.3", "7.5.0.2.220", "[7.0.0,7.1.99]", None) == "unknown"


@pytest.mark.parametrize(
    ("inner", "listed", "inside"),
    [
        ("V100R001C84SPC001B316", "[V100R001C81,V100R001C84]", True),
        ("V100R001C85SPC001B316", "[V100R001C81,V100R001C84]", False),
        ("V100R001C15SPC003B226", "[V100R001C13],[V100R001C15]", True),
        ("V100R001C14SPC003B226", "[V100R001C13],[V100R001C15]", False),
        ("V100R003C10B001", "[V100R001C09,V100R001C19]", False),
        ("V100R001C30B001", "[V100R001C13,V100R001C19],V100R001C30", True),
        ("V100R001C15", "", None),
        ("not an inner version", "[V100R001C13]", None),
    ],
)
def test_a_branch_is_in_a_range_or_is_named(inner: str, listed: str, inside: bool | None) -> None:
    assert installed_lists.branch_listed(inner, listed) is inside


def test_either_list_is_enough_for_cann_on_a_driver() -> None:
    found = installed_lists.cann_driver(
        "V100R001C15SPC003B226", "[V100R001C15],[V100R001C29]", "V100R001C19SPC002B226", "[V100R001C13],[V100R001C15]"
    )

    assert found.verdict == "compatible"


def test_both_lists_must_say_no_for_cann_7_on_hdk_22() -> None:
    found = installed_lists.cann_driver(
        "V100R001C15SPC003B226",
        "[V100R001C15],[V100R001C29]",
        "V100R001C84SPC001B316",
        "[V100R001C81,V100R001C84]",
    )

    assert found.verdict == "incompatible"
    assert "V100R001C84" in found.why


def test_one_no_and_one_missing_list_is_not_a_no() -> None:
    found = installed_lists.cann_driver("V100R001C15", "[V100R001C15]", "V100R001C84", None)

    assert found.verdict == "unknown"


@given(st.text(max_size=40), st.text(max_size=40))
def test_garbage_in_a_list_never_raises(version: str, listed: str) -> None:
    installed_lists.within(version, listed)
    installed_lists.branch_listed(version, listed)
