from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.knowledge import components, lines, matrix
from ascend_provision.stack.errors import UsageError


@pytest.mark.parametrize("row", lines.known(), ids=lambda row: row.line)
def test_every_line_holds_its_example(row: lines.Line) -> None:
    assert lines.line(row.component, row.example) == row.line


def test_the_hdk_of_ascend950_is_neither_older_nor_newer_than_that_of_a2() -> None:
    assert lines.compared("hdk", "25.7.rc1", "25.5.0") == "incomparable"
    assert lines.compared("hdk", "25.1.rc1", "25.7.rc1") == "older"
    assert lines.compared("hdk", "25.5.0", "25.3.rc1") == "newer"


def test_inner_versions_have_no_place_here_but_releases_do() -> None:
    assert lines.compared("cann", "8.0.0.beta1", "8.0.0") == "same"
    with pytest.raises(UsageError):
        lines.compared("cann", "V100R001C25", "8.0.0")


MINORS = st.builds("25.{}.{}".format, st.integers(0, 9), st.integers(0, 3))


@given(MINORS, MINORS)
def test_two_versions_are_ordered_exactly_when_they_are_of_one_line(a: str, b: str) -> None:
    found, back = lines.compared("hdk", a, b), lines.compared("hdk", b, a)

    assert (found == "incomparable") == (lines.line("hdk", a) != lines.line("hdk", b))
    assert {found, back} in ({"same"}, {"older", "newer"}, {"incomparable"})


NAMED = {component: matrix.published().candidates(component) for component in components.NAMES}


@pytest.mark.parametrize("component", [component for component, found in NAMED.items() if found])
def test_every_version_that_a_row_names_is_printed_as_it_was_read_and_has_its_place_in_its_line(
    component: components.Component,
) -> None:
    versions = [components.parse(component, text) for text in NAMED[component]]
    places = {version: lines.line(component, str(version)) for version in versions}
    back = {"older": "newer", "newer": "older", "same": "same", "incomparable": "incomparable"}

    for a, b in itertools.product(versions, repeat=2):
        assert lines.order(component, b, a) == back[lines.order(component, a, b)]
        assert (lines.order(component, a, b) == "incomparable") is (places[a] != places[b])
    for text, version in zip(NAMED[component], versions, strict=True):
        assert str(version) == text
        assert components.parse(component, str(version)) == version
    for name in set(places.values()):
        mine = sorted(version for version in versions if places[version] == name)
        assert all(lines.order(component, a, b) == "older" for a, b in itertools.combinations(mine, 2))
