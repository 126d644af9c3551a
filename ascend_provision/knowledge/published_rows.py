"""Every published fact as rows of the matrix: data/statements, and the tables that other modules read by type."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from ascend_provision.knowledge import prerequisites, releases, statements
from ascend_provision.knowledge.statements import Statement


@functools.cache
def published_rows() -> tuple[Statement, ...]:
    """All rows, those of tables with a type of their own first."""
    return (*_releases(), *_cann_python(), *statements.known())


def _releases() -> Iterator[Statement]:
    for row in releases.known():
        for firmware in row.firmware:
            yield Statement(
                kind="releases",
                says="matched",
                parts={"hdk": (str(row.hdk),), "firmware": (str(firmware),)},
                chips=row.chips,
                date=row.dated,
                source=row.source,
                confidence=row.confidence,
                note=row.note,
            )


def _cann_python() -> Iterator[Statement]:
    for row in prerequisites.pythons():
        yield Statement(
            kind="cann_python",
            says="compatible",
            parts={"cann": (str(row.cann),), "python": (f"{row.lowest}-{row.highest}",)},
            date=row.dated,
            source=row.source,
            confidence=row.confidence,
            note=row.note,
        )
