"""Runs of `KEY : VALUE` lines: which of npu-smi's listings they are, a card each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ascend_provision.evidence.pasted.cut import Piece
from ascend_provision.evidence.pasted.kinds import LIST
from ascend_provision.evidence.pasted.lines import Line

BOARD = "npu-smi info -t board"
_BY_KEY = (
    (("Card Count", "Total Count"), LIST),
    (("Firmware Version", "Software Version"), BOARD),
    (("DDR Capacity(MB)", "HBM Capacity(MB)", "DDR Usage Rate(%)"), "npu-smi info -t usages"),
    (("Aicore Freq(MHZ)", "NPU Real-time Power(W)", "Memory Usage Rate(%)"), "npu-smi info -t common"),
    (("Health Status", "Health"), "npu-smi info -t health"),
    (("Process id", "Process memory(MB)"), "npu-smi info -t proc-mem"),
    (("Temperature(C)", "Temperature (C)"), "npu-smi info -t temp"),
    (("Version", "Status", "Message"), "npu-smi upgrade"),
)
_NUMBER = re.compile(r"NPU ID\s*:\s*(\d{1,5})\s*")


def split(piece: Piece) -> Iterator[Piece]:
    """A board each; the other listings stay whole."""
    name = _name(piece.lines)
    if name != BOARD:
        yield Piece(piece.file, name, piece.lines, piece.above)
        return
    held: list[Line] = []
    for line in piece.lines:
        if _NUMBER.fullmatch(line.bare) and any(_NUMBER.fullmatch(row.bare) for row in held):
            yield Piece(piece.file, _name(tuple(held)), tuple(held), piece.above)
            held = []
        held.append(line)
    yield Piece(piece.file, _name(tuple(held)), tuple(held), piece.above)


def npu(piece: Piece) -> int | None:
    """The NPU of a board."""
    numbers = (match for line in piece.lines if (match := _NUMBER.fullmatch(line.bare)))
    return next((int(match[1]) for match in numbers), None)


def _name(rows: tuple[Line, ...]) -> str:
    keys = {line.bare.partition(":")[0].strip() for line in rows}
    return next((name for known, name in _BY_KEY if keys & set(known)), "")
