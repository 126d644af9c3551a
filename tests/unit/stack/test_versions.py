"""Versions as the field writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.stack.versions import (
    CannVersion,
    ComponentNumber,
    FirmwareVersion,
    FrameworkVersion,
    HdkVersion,
    Incomparable,
    InnerVersion,
    PackageVersion,
    ProductVersion,
    SeriesVersion,
    Version,
)

KINDS: tuple[type[Version], ...] = (
    HdkVersion,
    PackageVersion,
    CannVersion,
    SeriesVersion,
    ProductVersion,
    FirmwareVersion,
    ComponentNumber,
    InnerVersion,
    FrameworkVersion,
)
# What a host or a page prints, from small parts: grammatical more often than not.
WRITTEN = st.builds(
    "".join,
    st.tuples(
        st.lists(st.integers(0, 99), min_size=2, max_size=5).map(lambda numbers: ".".join(map(str, numbers))),
        st.sampled_from(["", ".rc1", ".RC3", ".rc2.2", ".T6", ".t9.0"]),
        st.sampled_from(["", ".alpha001", ".beta1", "-beta.2", "-beta.1.1"]),
        st.sampled_from(["", ".b070", "_sph001", ".SPC1"]),
    ),
)

NUMBERS = st.lists(st.integers(0, 99), min_size=2, max_size=5).map(lambda numbers: ".".join(map(str, numbers)))
FIRMWARE = st.builds("".join, st.tuples(NUMBERS, st.sampled_from(["", ".t9.0", ".T6"]), st.sampled_from(["", ".b221"])))
PYTHON_PACKAGES = st.builds(
    "".join, st.tuples(NUMBERS, st.sampled_from(["", "rc1", "-rc2", ".post3", ".dev20250724", "+cpu", ".post1+git4c9"]))
)


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
    line = ["6.0.1", "7.0.T10", "7.0.RC1", "7.0.0", "8.0.RC3.alpha002", "8.0.RC3", "8.0.0.alpha001", "8.0.0", "8.2.RC1"]

    assert [str(version) for version in sorted(map(CannVersion, reversed(line)))] == line


def test_beta1_is_the_community_name_of_the_release_it_stands_behind() -> None:
    assert CannVersion("8.0.RC1.beta1") == CannVersion("8.0.RC1")
    assert CannVersion("7.0.0.beta1") == CannVersion("7.0.0")
    assert not CannVersion("7.0.0.beta1") < CannVersion("7.0.0")


def test_from_9_0_on_a_beta_comes_before_its_release_however_it_is_written() -> None:
    assert CannVersion("9.0.0-beta.1") < CannVersion("9.0.0-beta.1.1") < CannVersion("9.0.0-beta.2")
    assert CannVersion("9.0.0-beta.2") == CannVersion("9.0.0.beta2") < CannVersion("9.0.0")


def test_inner_versions_are_ordered_inside_one_branch_only() -> None:
    assert InnerVersion("V100R001C23SPC001B235") < InnerVersion("V100R001C23SPC002B210")
    assert InnerVersion("V100R001C25SPC001B212").branch == "V100R001C25"
    with pytest.raises(Incomparable, match="no order is published"):
        assert InnerVersion("V100R001C25SPC001B212") < InnerVersion("V100R001C10SPC001B250")


def test_firmware_numbers_are_numbers() -> None:
    assert FirmwareVersion("1.84.15.1.310") < FirmwareVersion("6.4.0.4.220") < FirmwareVersion("7.1.0.11.220")
    assert FirmwareVersion("7.1.0.7.220") < FirmwareVersion("7.1.0.11.220")


def test_a_package_number_is_not_a_driver_version() -> None:
    assert PackageVersion("23.0.3") != HdkVersion("23.0.3")
    with pytest.raises(TypeError):
        assert PackageVersion("6.0.0") < HdkVersion("22.0.4")


def test_torch_npu_versions_are_pep_440() -> None:
    assert FrameworkVersion("2.1.0rc1") < FrameworkVersion("2.1.0") < FrameworkVersion("2.1.0.post3")


@given(st.lists(st.integers(0, 99), min_size=2, max_size=4), st.sampled_from(["", ".rc1", ".RC3", ".rc2.2"]))
def test_text_survives_parsing(numbers: list[int], tail: str) -> None:
    text = ".".join(map(str, numbers)) + tail

    assert str(HdkVersion(text)) == text
    assert HdkVersion(text) == HdkVersion(text.lower())


@given(st.text(max_size=20))
def test_no_text_raises_anything_but_value_error(text: str) -> None:
    for kind in KINDS:
        assert (kind.maybe(text) is None) or str(kind.maybe(text)) == text


@given(WRITTEN)
def test_printing_gives_the_text_back(text: str) -> None:
    for kind in KINDS:
        version = kind.maybe(text)
        assert version is None or (str(version) == text and kind(str(version)) == version)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind is not InnerVersion])
@given(data=st.data())
def test_order_within_a_kind_is_total(kind: type[Version], data: st.DataObject) -> None:
    numbered = kind in {FirmwareVersion, ComponentNumber}
    written = PYTHON_PACKAGES if kind is FrameworkVersion else FIRMWARE if numbered else WRITTEN
    a, b, c = (kind.maybe(data.draw(written)) for _ in range(3))

    assert a is not None
    assert b is not None
    assert c is not None
    assert (a < b) + (a == b) + (a > b) == 1
    assert not (a <= b <= c) or a <= c
    assert a != b or hash(a) == hash(b)


INNER = st.builds(
    "V100R00{}C{:02d}{}B{:03d}".format,
    st.integers(1, 2),
    st.integers(10, 12),
    st.sampled_from(["", "SPC001", "SPC012"]),
    st.integers(1, 999),
)


@given(INNER, INNER, INNER)
def test_inner_versions_have_a_total_order_inside_a_branch_and_none_across(one: str, two: str, three: str) -> None:
    a, b, c = map(InnerVersion, (one, two, three))

    if a.branch != b.branch:
        assert a != b
        with pytest.raises(Incomparable):
            assert a < b
        return
    assert (a < b) + (a == b) + (a > b) == 1
    assert b.branch != c.branch or not (a <= b <= c) or a <= c


def test_a_text_too_long_to_be_a_version_is_none() -> None:
    for kind in KINDS:
        assert kind.maybe("1." + "9" * 5000) is None
