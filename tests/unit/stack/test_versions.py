"""Versions as the field writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.stack.versions import CannVersion, FirmwareVersion, FrameworkVersion, HdkVersion, PackageVersion


@pytest.mark.parametrize(
    "line",
    [
        [
            "22.0.3",
            "22.0.4",
            "22.0.4.1",
            "23.0.rc1",
            "23.0.rc1.b070",
            "23.0.rc2.3",
            "23.0.rc3",
            "23.0.0",
            "23.0.3",
            "24.1.rc2.2",
        ],
        ["24.1.rc3", "24.1.0", "25.0.rc1.1", "25.2.0", "25.3.rc1", "25.5.1"],
    ],
)
def test_hdk_versions_order_as_they_were_released(line: list[str]) -> None:
    assert sorted(map(HdkVersion, reversed(line))) == list(map(HdkVersion, line))


def test_a_candidate_comes_before_its_release_and_an_alpha_before_its_candidate() -> None:
    line = ["6.0.1", "7.0.RC1", "7.0.0", "8.0.RC3.alpha002", "8.0.RC3", "8.0.RC3.beta1", "8.0.0", "8.2.RC1"]
    in_order = [line[i] for i in (0, 1, 2, 3, 5, 4, 6, 7)]

    assert [str(version) for version in sorted(map(CannVersion, line))] == in_order


def test_firmware_numbers_are_numbers() -> None:
    assert FirmwareVersion("1.84.15.1.310") < FirmwareVersion("6.4.0.4.220") < FirmwareVersion("7.1.0.11.220")
    assert FirmwareVersion("7.1.0.7.220") < FirmwareVersion("7.1.0.11.220")


def test_a_package_number_is_not_a_driver_version() -> None:
    assert PackageVersion("23.0.3") != HdkVersion("23.0.3")
    with pytest.raises(TypeError):
        assert PackageVersion("6.0.0") < HdkVersion("22.0.4")  # type: ignore[operator]


def test_torch_npu_versions_are_pep_440() -> None:
    assert FrameworkVersion("2.1.0rc1") < FrameworkVersion("2.1.0") < FrameworkVersion("2.1.0.post3")


@given(st.lists(st.integers(0, 99), min_size=2, max_size=4), st.sampled_from(["", ".rc1", ".RC3", ".rc2.2"]))
def test_text_survives_parsing(numbers: list[int], tail: str) -> None:
    text = ".".join(map(str, numbers)) + tail

    assert str(HdkVersion(text)) == text
    assert HdkVersion(text) == HdkVersion(text.lower())


@given(st.text(max_size=20))
def test_no_text_raises_anything_but_value_error(text: str) -> None:
    for kind in (HdkVersion, CannVersion, FirmwareVersion, FrameworkVersion, PackageVersion):
        assert (kind.maybe(text) is None) or str(kind.maybe(text)) == text
