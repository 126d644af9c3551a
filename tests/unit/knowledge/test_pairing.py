from __future__ import annotations

import pytest

from ascend_provision.knowledge import pairing, releases, stacks
from ascend_provision.stack.versions import CannVersion, FirmwareVersion, HdkVersion

PUBLISHED = [(row, hdk) for row in pairing.matched() for hdk in row.hdk]
STACKS = [(row, chip) for row in stacks.known() for chip in row.chips]


@pytest.mark.parametrize(("row", "hdk"), PUBLISHED, ids=[f"{row.cann}-on-{hdk}" for row, hdk in PUBLISHED])
def test_every_published_pair_is_compatible(row: pairing.Matched, hdk: HdkVersion) -> None:
    found = pairing.published_cann_driver(row.cann, hdk)

    assert found.verdict == "compatible"
    assert found.source


WINDOWS = [(w, hdk) for w in pairing.windows() for hdk in (*w.hdk, *(HdkVersion(f"{n}.0") for n in w.lines))]


@pytest.mark.parametrize(("window", "hdk"), WINDOWS, ids=[f"{w.cann}-on-{hdk}" for w, hdk in WINDOWS])
def test_every_printed_cell_is_answered_as_printed(window: pairing.Window, hdk: HdkVersion) -> None:
    found = pairing.published_cann_driver(window.cann, hdk)

    assert found.verdict == ("compatible" if window.compatible else "incompatible")


def test_no_pair_is_published_and_forbidden_at_once() -> None:
    forbidden = [w for w in pairing.windows() if not w.compatible]

    for window in forbidden:
        for row, hdk in PUBLISHED:
            assert not (row.cann == window.cann and any(str(hdk).startswith(f"{line}.") for line in window.lines))


@pytest.mark.parametrize(("row", "chip"), STACKS, ids=[f"{row.name}-{chip}" for row, chip in STACKS])
def test_a_named_stack_fits_together(row: stacks.Stack, chip: str) -> None:
    assert pairing.published_driver_firmware(row.driver, row.firmware, chip).verdict == "compatible"
    assert pairing.published_cann_driver(row.cann, row.driver).verdict == "compatible"


def test_a_row_for_a_release_covers_its_patches_only() -> None:
    listed = HdkVersion("25.0.rc1")

    assert pairing.covers(listed, HdkVersion("25.0.RC1.1"))
    assert not pairing.covers(listed, HdkVersion("25.0.rc2"))
    assert not pairing.covers(HdkVersion("24.1.0"), HdkVersion("24.1.01"))


def test_outside_the_printed_cells_the_answer_is_unknown_and_names_what_is_printed() -> None:
    found = pairing.published_cann_driver(CannVersion("8.0.0"), HdkVersion("23.0.rc1"))

    assert found.verdict == "unknown"
    assert "CANN 8.0.0 with HDK 24.1.0" in found.nearest


def test_an_unlisted_cann_names_its_neighbours() -> None:
    found = pairing.published_cann_driver(CannVersion("8.4.0"), HdkVersion("25.3.rc1"))

    assert found.verdict == "unknown"
    assert found.nearest == ("CANN 8.3.RC1 with HDK 25.3.rc1", "CANN 8.5.0 with HDK 25.5.0")


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
    assert found.nearest == ("22.0.4 with 1.84.15.1.310",)


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

    for row in captured:
        found = pairing.published_driver_firmware(row.hdk, FirmwareVersion("1.84.15.1.310"), row.chips[0])
        assert found.verdict == "unknown"
