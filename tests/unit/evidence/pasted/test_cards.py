"""KEY : VALUE runs of npu-smi: boards one by one, the other listings whole."""

from __future__ import annotations

import pytest

from ascend_provision.evidence.pasted import cards, cut
from ascend_provision.evidence.pasted.lines import lines
from tests.unit.evidence.pasted import pastes


def parts(text: str) -> list[cut.Piece]:
    return [part for piece in cut.pieces("p", lines(text)) for part in cards.split(piece)]


def test_boards_under_each_other_are_one_each_by_their_npu() -> None:
    found = parts(pastes.BOARD + pastes.BOARD.replace(": 0", ": 3", 1))

    assert [(part.kind, cards.npu(part)) for part in found] == [(cards.BOARD, 0), (cards.BOARD, 3)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (
            "\tTotal Count                    : 1\n\n\tNPU ID                         : 0\n\tChip Count  : 1\n",
            "npu-smi info -l",
        ),
        ("\tNPU ID : 0\n\tHBM Capacity(MB) : 65536\n\tHBM Usage Rate(%) : 4\n", "npu-smi info -t usages"),
        ("\tNPU ID : 0\n\tAicore Freq(MHZ) : 1800\n", "npu-smi info -t common"),
        ("\tHealth Status                  : OK\n", "npu-smi info -t health"),
        ("\tVersion                        : 23.3.13\n", "npu-smi upgrade"),
    ],
)
def test_the_other_listings_are_told_by_their_keys(text: str, kind: str) -> None:
    assert [part.kind for part in parts(text)] == [kind]
