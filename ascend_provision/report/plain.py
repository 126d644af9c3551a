"""Text a terminal can be shown: what hosts said may be hostile, and columns must line up."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from unicodedata import category

from ascend_provision.report import wide

# Unicode's controls, invisible and direction characters, half characters, line and paragraph separators.
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
WIDTH = 100
"""Columns a report fits in, as far as single words allow."""


def neutral(text: str) -> str:
    """Text that may come from a host, with control and direction characters made visible."""
    if text.isprintable():
        return text
    return "".join(f"\\x{ord(char):02x}" if char not in "\n\t" and category(char) in _UNSAFE else char for char in text)


def line(text: str) -> str:
    """One line of a report: what a host said cannot begin another one."""
    return neutral(text.replace("\n", "\\n").replace("\t", " "))


def document(lines: Iterable[str]) -> str:
    """The lines of a report as text; none of them can break out of its line."""
    return "\n".join(line(one) for one in lines) + "\n"


def wrapped(text: str, indent: str, first: str | None = None) -> list[str]:
    """The text in lines of at most WIDTH columns, each behind `indent`, the first one behind `first`."""
    shown, start = line(text) or "-", indent if first is None else first
    if wide.cells(shown + start) != len(shown + start):
        return wide.wrap(shown, WIDTH, start, indent)
    return textwrap.wrap(
        shown,
        WIDTH,
        initial_indent=start,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of equal length as lines with aligned columns; the last column is not padded."""
    widths = [max(wide.cells(row[column]) for row in rows) for column in range(len(rows[0]) - 1)] if rows else []
    return [
        "  ".join(wide.ljust(cell, width) for cell, width in zip(row, [*widths, 0], strict=True)).rstrip()
        for row in rows
    ]


def hanging(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Rows as lines with aligned columns behind `indent`; the last column goes on below itself where it is long."""
    heads = columns([[*row[:-1], ""] for row in rows])
    wide = max((len(head) for head in heads), default=0) + 2
    hang = indent + " " * wide
    return [
        one for head, row in zip(heads, rows, strict=True) for one in wrapped(row[-1], hang, indent + head.ljust(wide))
    ]


def span(seconds: float) -> str:
    """A duration as people say it: 0.4 s, 12 s, 3 min 05 s."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60:02d} s"


def counted(number: int, noun: str) -> str:
    """`1 host`, `2 hosts`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
