"""Text in columns of a terminal: a Chinese character takes two, and a line of Chinese may break between any two."""

from __future__ import annotations

import re
from unicodedata import east_asian_width

_NEVER_FIRST = "，。；：、！？）》”’"
_NEVER_LAST = "（《“‘"
# A run of what is not wide stays whole; blanks between are where Latin text breaks.
_PIECE = re.compile(rf"[{_NEVER_LAST}]*(?:[^\s\u2e80-\uffef]+|[\u2e80-\uffef])[{_NEVER_FIRST}]*|\s+")


def cells(text: str) -> int:
    """How many columns the text takes."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def ljust(text: str, width: int) -> str:
    """The text filled with blanks to that many columns."""
    return text + " " * (width - cells(text))


def wrap(text: str, width: int, first: str, indent: str) -> list[str]:
    """Lines of at most `width` columns as far as single words allow, the first behind `first`, others behind `indent`.

    No line begins with a closing or ends with an opening mark of punctuation.
    """
    lines: list[str] = []
    line, empty = first, True
    for piece in _PIECE.findall(text):
        if not empty and cells(line) + cells(piece.rstrip()) > width:
            lines.append(line.rstrip())
            line, empty = indent, True
        if not empty or not piece.isspace():
            line, empty = line + piece, False
    return [*lines, line.rstrip()]
