from __future__ import annotations

import pytest

from ascend_provision.evidence import reading
from ascend_provision.stack.evidence import Evidence, ProbeRecord
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


def test_a_tool_that_answered_one_question_was_there_for_the_others() -> None:
    there = Evidence(name="upgrade-tool.version", status=0, text="x")
    gone = Evidence(name="upgrade-tool.status", note="not found")
    pair = ("upgrade-tool.status", "upgrade-tool.version")

    lost = reading.together(ProbeRecord(host="h", sections={there.name: there, gone.name: gone}), pair)
    assert lost.get(there.name) == there
    assert lost.get(gone.name).note == "lost: not found, yet upgrade-tool.version answered"
    assert not reading.absent(lost.get(gone.name))
    assert reading.asked(lost.get(gone.name))


def test_a_tool_that_is_not_there_and_one_that_was_not_asked_twice_stay_as_they_are() -> None:
    gone = {name: Evidence(name=name, note="not found") for name in ("docker", "docker.setup")}
    alone = {"docker": Evidence(name="docker", status=0, text="")}

    for sections in (gone, {"docker": gone["docker"]}, alone):
        assert (
            reading.together(ProbeRecord(host="h", sections=sections), ("docker", "docker.setup")).sections == sections
        )


@pytest.mark.parametrize(("line", "garbled"), [("a\tb", False), ("训练", False), ("a\x15b", True), ("a\ufffdb", True)])
def test_a_control_character_and_what_was_no_utf8_are_no_text(line: str, garbled: bool) -> None:
    assert reading.garbled(line) is garbled
