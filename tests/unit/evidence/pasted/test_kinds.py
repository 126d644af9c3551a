"""Every kind tells its own lines, and no kind begins with a line of prose."""

from __future__ import annotations

import pytest

from ascend_provision.evidence.pasted.cut import pieces
from ascend_provision.evidence.pasted.kinds import KINDS
from ascend_provision.evidence.pasted.lines import lines


@pytest.mark.parametrize(
    "text",
    [
        "Hello, our server lost a card yesterday.",
        "- it worked with 24.1.0",
        "1. reboot",
        "see https://example.org/issues/1",
        "+---+",
        "| component | version |",
    ],
)
def test_prose_and_tables_of_people_begin_nothing(text: str) -> None:
    assert [kind.name for kind in KINDS if kind.begins.match(text)] == []


def test_a_frame_belongs_to_npu_smi_only_with_its_title_below() -> None:
    frame = "+" + "-" * 40 + "+"

    def first(below: str) -> str:
        return next(pieces("a", lines(f"{frame}\n{below}\n"))).kind

    assert first("| npu-smi 24.1.0   Version: 24.1.0 |") == "npu-smi info"
    assert first("| Tables_in_db |") == ""
