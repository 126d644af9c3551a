from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.knowledge import lines
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
