"""Every published fact as rows of the matrix: data/statements, and the tables that other modules read by type."""

from __future__ import annotations

from collections.abc import Iterator

from ascend_provision.knowledge import frameworks, pairing, releases, statements
from ascend_provision.knowledge.statements import Statement


def published_rows() -> tuple[Statement, ...]:
    """All rows, the tables with a type of their own first."""
    return (*_releases(), *_cann(), *_frameworks(), *statements.known())


def _releases() -> Iterator[Statement]:
    for row in releases.known():
        for firmware in row.firmware:
            yield Statement(
                kind="releases",
                says="matched",
                parts={"hdk": (str(row.hdk),), "firmware": (str(firmware),)},
                chips=row.chips,
                source=row.source,
                confidence=row.confidence,
                note=row.note,
            )


def _cann() -> Iterator[Statement]:
    for row in pairing.matched():
        yield Statement(
            kind="matched",
            says="matched",
            parts={"cann": (str(row.cann),), "hdk": tuple(map(str, row.hdk))},
            source=row.source,
            confidence=row.confidence,
            note=row.note,
        )
    for window in pairing.windows():
        yield Statement(
            kind="windows",
            says="compatible" if window.compatible else "incompatible",
            parts={"cann": (str(window.cann),), "hdk": (*map(str, window.hdk), *(f"{n}.X" for n in window.lines))},
            source=window.source,
            confidence=window.confidence,
            note=window.note,
        )


def _frameworks() -> Iterator[Statement]:
    for row in frameworks.torch_npus():
        series = {"torch_npu_series": (str(row.series),)} if row.series else {}
        yield Statement(
            kind="torch_npu",
            says="matched",
            parts={"torch_npu": (str(row.torch_npu),), "torch": (str(row.torch),), "cann": (str(row.cann),), **series},
            source=row.source,
            confidence=row.confidence,
            note=row.note,
        )
    for window in frameworks.series_windows():
        yield Statement(
            kind="series_windows",
            says="compatible",
            parts={"torch_npu_series": tuple(map(str, window.series)), "cann": tuple(map(str, window.cann))},
            source=window.source,
            confidence=window.confidence,
            note=window.note,
        )
    for mindspore in frameworks.mindspores():
        yield Statement(
            kind="mindspore",
            says="matched",
            parts={"mindspore": (str(mindspore.mindspore),), "cann": (str(mindspore.cann),)},
            source=mindspore.source,
            confidence=mindspore.confidence,
            note=mindspore.note,
        )
