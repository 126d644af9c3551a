from __future__ import annotations

import pytest

from ascend_provision.knowledge import pairing, releases, stacks
from ascend_provision.stack.versions import CannVersion, FirmwareVersion, FrameworkVersion, HdkVersion

STACKS = [(row, chip) for row in stacks.known() for chip in row.chips]


@pytest.mark.parametrize(("row", "chip"), STACKS, ids=[f"{row.name}-{chip}" for row, chip in STACKS])
def test_a_named_stack_fits_together(row: stacks.Stack, chip: str) -> None:
    assert pairing.published_driver_firmware(row.driver, row.firmware, chip).verdict == "compatible"
    assert pairing.published_cann_driver(row.cann, row.driver, chip).verdict == "compatible"


def test_a_row_for_a_release_covers_its_patches_and_says_which_release_it_names() -> None:
    found = pairing.published_cann_driver(CannVersion("8.1.RC1"), HdkVersion("25.0.RC1.1"))

    assert found.verdict == "compatible"
    assert "25.0.RC1.1 is a patch of" in found.why
    assert pairing.published_cann_driver(CannVersion("8.1.RC1"), HdkVersion("25.0.rc2")).verdict == "unknown"


def test_the_driver_of_a_cloud_pool_goes_with_its_cann() -> None:
    answer = pairing.published_cann_driver(CannVersion("5.1.0"), HdkVersion("22.0.0.3"))
    newer = pairing.published_cann_driver(CannVersion("6.0.1"), HdkVersion("22.0.0.3"))

    assert answer.verdict == "compatible"
    assert newer.verdict != "compatible"


def test_outside_the_printed_cells_the_answer_is_unknown_and_names_what_is_printed() -> None:
    found = pairing.published_cann_driver(CannVersion("8.0.0"), HdkVersion("23.0.rc1"))

    assert found.verdict == "unknown"
    assert "CANN 8.0.0 with HDK 24.1.0" in found.nearest


def test_an_unlisted_cann_names_its_neighbours() -> None:
    found = pairing.published_cann_driver(CannVersion("8.4.0"), HdkVersion("25.4.0"))

    assert found.verdict == "unknown"
    assert found.nearest[0] == "CANN 8.3.RC1 with HDK 25.3.rc1"
    assert "CANN 8.5.0 with HDK 25.5.0" in found.nearest


def test_a_community_beta_is_judged_as_its_release() -> None:
    assert pairing.published_cann_driver(CannVersion("7.0.0.beta1"), HdkVersion("23.0.3")).verdict == "compatible"


def test_the_inner_version_lists_decide_where_no_table_does() -> None:
    found = pairing.cann_driver(
        CannVersion("7.0.0"),
        HdkVersion("22.0.4"),
        cann_inner="V100R001C15SPC003B226",
        cann_accepts="[V100R001C15],[V100R001C29]",
        driver_inner="V100R001C84SPC001B316",
        driver_accepts="[V100R001C81,V100R001C84]",
    )

    assert found.verdict == "incompatible"


def test_a_published_pair_wins_over_a_list_and_says_that_they_disagree() -> None:
    found = pairing.cann_driver(
        CannVersion("8.0.0"),
        HdkVersion("24.1.0"),
        cann_inner="V100R001C20SPC001B251",
        cann_accepts="[V100R001C20]",
        driver_inner="V100R001C19SPC002B226",
        driver_accepts="[V100R001C19]",
    )

    assert found.verdict == "compatible"
    assert "disagree" in found.why


def driver_firmware(driver: str, firmware: str, chip: str = "910", **lists: str) -> pairing.Answer:
    return pairing.driver_firmware(HdkVersion(driver), FirmwareVersion(firmware), chip, **lists)


def test_without_lists_hdk_22_is_judged_by_the_release_table() -> None:
    assert driver_firmware("22.0.4", "1.84.15.1.310").verdict == "compatible"
    assert driver_firmware("22.0.4", "7.1.0.5.220").verdict == "incompatible"


def test_another_build_of_the_same_firmware_line_is_not_called_wrong() -> None:
    found = driver_firmware("22.0.4", "1.84.14.1.300")

    assert found.verdict == "unknown"
    assert found.nearest == ("HDK 22.0.4 with firmware 1.84.15.1.310",)


def test_a_released_pair_is_compatible_even_if_a_stale_list_says_nok() -> None:
    found = driver_firmware("23.0.3", "7.1.0.5.220", accepts_firmware="[6.4.0,6.4.99]", accepts_driver="[9.0,9.0.]")

    assert found.verdict == "compatible"
    assert "disagree" in found.why


def test_a_driver_nobody_listed_on_this_chip_is_unknown_and_names_the_nearest_release() -> None:
    found = driver_firmware("24.1.rc9", "7.4.0.0.1")

    assert found.verdict == "unknown"
    assert found.nearest
    assert releases.find(HdkVersion("24.1.rc9"), "910") is None


def test_a_release_only_captured_without_an_address_never_forbids() -> None:
    captured = [row for row in releases.known() if row.firmware and not row.public]

    assert captured
    for row in captured:
        found = pairing.published_driver_firmware(row.hdk, FirmwareVersion("1.74.1.1.1"), row.chips[0])
        assert found.verdict == "unknown"


def torch_npu(version: str, cann: str) -> pairing.Answer:
    return pairing.torch_npu_cann(FrameworkVersion(version), CannVersion(cann))


def test_torch_npu_1_8_1_of_hdk_22_does_not_fit_cann_7_and_what_does_is_named() -> None:
    found = torch_npu("1.8.1", "7.0.0")

    assert found.verdict == "incompatible"
    assert found.nearest[0] == "torch_npu 1.8.1 with CANN 6.0.1"
    assert "torch_npu 2.1.0 with CANN 7.0.0" in found.nearest


def test_the_one_row_of_torch_npu_2_1_0_says_nothing_about_an_unlisted_cann() -> None:
    assert torch_npu("2.1.0", "7.0.1").verdict == "unknown"


def test_a_torch_npu_nobody_listed_is_unknown() -> None:
    assert torch_npu("2.4.1", "8.0.0").verdict == "unknown"


def test_a_local_build_suffix_does_not_change_the_release() -> None:
    assert torch_npu("2.1.0.post3+cpu", "8.0.RC1").verdict == "compatible"


def test_mindspore_2_7_1_with_cann_8_2_rc1_is_no_match_whatever_a_forum_says() -> None:
    found = pairing.mindspore_cann(FrameworkVersion("2.7.1"), CannVersion("8.2.RC1"))

    assert found.verdict == "incompatible"
    assert "8.3.RC1" in found.why


def test_a_mindspore_nobody_listed_is_unknown() -> None:
    assert pairing.mindspore_cann(FrameworkVersion("2.2.99"), CannVersion("7.0.0")).verdict == "unknown"


def test_another_torch_under_torch_npu_is_incompatible_and_the_right_one_is_named() -> None:
    found = pairing.torch_torch_npu(FrameworkVersion("2.4.1"), FrameworkVersion("2.4.0.post2"))

    assert found.verdict == "incompatible"
    assert found.nearest == ("torch_npu 2.4.0.post2 with torch 2.4.0",)
