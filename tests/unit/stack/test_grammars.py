from __future__ import annotations

import pytest

from ascend_provision.stack import grammars


@pytest.mark.parametrize(
    "text",
    [
        "24.1.rc2.2",
        "23.0.rc3.b070",
        "25.0.rc1_sph001",
        "25.5.T2.B001",
        "26.1.0.b083",
        "8.0.RC3.alpha002",
        "9.0.0-beta.1.1",
        "1.0.22.5.alpha",
        "7.2.RC1.SPC1",
        "22.0.RC3.2",
    ],
)
def test_what_the_vendor_prints_is_a_release_where_pep_440_sees_none_or_another(text: str) -> None:
    assert grammars.release(text)


@pytest.mark.parametrize("text", ["", "NA", "unknown", "23", "23.0.rc", "A300 6.0.RC1", "23.0.rc3\n", "٢٣.٠"])
def test_what_is_no_version_has_no_key(text: str) -> None:
    assert grammars.release(text) is None
    assert grammars.firmware(text) is None
    assert grammars.inner(text) is None


@pytest.mark.parametrize(
    "text", ["7.0.t9.0.b221", "7.3.3.0.b309", "7.6.T13.0.B094", "7.6.t7.0.b052-opiaistudio-20250311"]
)
def test_firmware_test_builds_are_firmware(text: str) -> None:
    assert grammars.firmware(text)


def test_a_release_candidate_is_no_firmware_in_the_flash() -> None:
    assert grammars.firmware("6.0.rc1.2") is None


def test_a_build_is_newer_than_what_it_is_a_build_of() -> None:
    released, built = grammars.release("26.1.0"), grammars.release("26.1.0.b083")

    assert released is not None
    assert built is not None
    assert released < built


def test_an_inner_version_has_a_branch_and_a_build() -> None:
    assert grammars.inner("V100R001C21SPC002B220") == ((100, 1, 21), (2, 220))
    assert grammars.inner("V100R001C11B063") == ((100, 1, 11), (0, 63))
