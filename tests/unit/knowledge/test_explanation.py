from __future__ import annotations

import pytest

from ascend_provision.knowledge import answers
from ascend_provision.knowledge.components import Item
from ascend_provision.knowledge.explanation import Fit, Judged, files_first, overall, table_first

YES, NO, UNKNOWN = answers.compatible("yes", "s"), answers.incompatible("no", "s"), answers.unknown("nothing")


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        (["compatible", "compatible"], "compatible"),
        (["compatible", "unknown"], "unknown"),
        (["unknown", "incompatible", "compatible"], "incompatible"),
        ([], "unknown"),
    ],
)
def test_one_no_is_a_no_and_one_unknown_is_never_a_yes(verdicts: list[Fit], expected: Fit) -> None:
    assert overall(verdicts) == expected


def test_for_driver_and_cann_the_printed_table_wins_and_the_list_is_quoted() -> None:
    assert table_first(YES, NO).verdict == "compatible"
    assert table_first(NO, YES).verdict == "incompatible"
    assert "the installed lists disagree: no" in table_first(YES, NO).why
    assert table_first(UNKNOWN, NO) == NO
    assert table_first(UNKNOWN, UNKNOWN).verdict == "unknown"


def test_for_driver_and_firmware_the_files_decide_unless_the_pair_is_published() -> None:
    assert files_first(NO, YES).verdict == "compatible"
    assert "the published tables disagree: no" in files_first(NO, YES).why
    assert files_first(YES, NO).verdict == "compatible"
    assert files_first(UNKNOWN, NO) == NO
    assert files_first(YES, UNKNOWN) == YES


def test_files_and_tables_disagree_only_when_both_decide() -> None:
    a, b = Item(component="cann", version="8.5.0"), Item(component="hdk", version="25.5.0")

    assert Judged(a=a, b=b, answer=YES, table=YES, files=NO).disagree
    assert not Judged(a=a, b=b, answer=YES, table=YES, files=UNKNOWN).disagree
    assert not Judged(a=a, b=b, answer=YES, table=YES).disagree
