from __future__ import annotations

import pytest

from ascend_provision.evidence import reading
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown


@pytest.mark.parametrize(
    ("evidence", "why"),
    [
        (Evidence(name="df", note="timed out after 10 s"), "df: timed out after 10 s"),
        (Evidence(name="df", status=0, truncated=True), "df: the output was cut"),
        (Evidence(name="df", status=1, text="a\ndf: no\n"), "df ended 1: df: no"),
        (Evidence(name="df", status=3), "df ended 3"),
    ],
)
def test_evidence_that_says_nothing_becomes_unknown_with_its_reason(evidence: Evidence, why: str) -> None:
    assert reading.silence(evidence) == Unknown(unknown=why)


def test_a_file_that_only_root_may_read_names_the_way_out() -> None:
    assert reading.silence(Evidence(name="hccn.conf", note="not readable")) == Unknown(
        unknown="hccn.conf: not readable", settle="probe as root"
    )


def test_whole_evidence_is_not_silent() -> None:
    assert reading.silence(Evidence(name="df", status=0)) is None


def test_the_first_value_of_a_key_counts() -> None:
    assert reading.pairs("A=1\nA=2\nno pair\nB = x=y \n") == {"A": "1", "B": "x=y"}


def test_only_a_line_feed_ends_a_line() -> None:
    assert reading.lines("a\x0cb\u2028c\n\n d\n") == ["a\x0cb\u2028c", " d"]


def test_a_files_own_line_cannot_begin_an_entry() -> None:
    assert reading.blocks("F /a\n F /b\n x\nF /c\n") == [("F", "/a", ["F /b", "x"]), ("F", "/c", [])]


def test_lines_that_differ_in_digits_only_are_reported_once() -> None:
    assert reading.one_per_shape(["NPU 1 lost", "NPU 2 lost", "other"]) == ("NPU 1 lost", "other")
