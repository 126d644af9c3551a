"""What is wrong with the rows of a matrix: for the data shipped here, and for a site's own file.

Contradictions between sources are facts about the sources: those that are listed with a reason (known_conflicts.yaml)
are reported as known and do not make the data unclean.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

from ascend_provision.knowledge import lines, patterns, rows, statements
from ascend_provision.knowledge.components import title
from ascend_provision.knowledge.matrix import Matrix
from ascend_provision.knowledge.statements import Statement
from ascend_provision.stack.errors import ProvisionError
from ascend_provision.stack.model import Noun

Kind = Literal["unreadable", "no-source", "duplicate", "contradiction", "foreign-line", "decides-nothing", "stale"]
"""unreadable: no row at all (unknown component, version or source); foreign-line: an HDK of another product line than
the row's chips; decides-nothing: no relation reads the row, or it forbids and nobody can look it up; stale: a
contradiction is listed as known and no longer there."""


class Known(rows.Row):
    """A contradiction that the sources have and we keep; `by`: found by a rule here, or by reading the sources."""

    about: str
    why: str
    by: Literal["rule", "reading"] = "rule"


class Problem(Noun):
    """One finding of the linter. `known` is the reason why it is kept, empty for one that must be looked into.

    `sources` of a kept one are all that disagree.
    """

    kind: Kind
    about: str
    detail: str = ""
    known: str = ""
    sources: str = ""


class Report(Noun):
    """Rows by table, and what is wrong with them."""

    schema_version: Literal[1] = 1
    rows: dict[str, int]
    problems: tuple[Problem, ...]

    @property
    def clean(self) -> bool:
        """Nothing but what is known."""
        return all(problem.known for problem in self.problems)


@functools.cache
def known() -> tuple[Known, ...]:
    """Every contradiction that is kept, with the reason."""
    return rows.table("known_conflicts", "known", Known)


def shipped() -> Report:
    """The data of this package, from the files themselves."""
    broken = tuple(_unreadable())
    return Report(rows={}, problems=broken) if broken else lint(Matrix.published(), kept=known())


def lint(matrix: Matrix, kept: Iterable[Known] = ()) -> Report:
    """The rows of a matrix; `kept` are the contradictions that are no news."""
    reasons = {row.about: row for row in kept}
    found = [
        _kept(problem, reasons.pop(problem.about, None))
        for problem in (*_rows(matrix.statements), *_silent(matrix), *_contradictions(matrix))
    ]
    unseen = (
        _kept(Problem(kind="contradiction", about=row.about), row)
        if row.by == "reading"
        else Problem(kind="stale", about=row.about, detail=f"kept because {row.why}")
        for row in reasons.values()
    )
    return Report(rows=dict(Counter(row.kind for row in matrix.statements)), problems=(*found, *unseen))


def _kept(problem: Problem, row: Known | None) -> Problem:
    return problem if row is None else problem.model_copy(update={"known": row.why, "sources": row.cited})


def _unreadable() -> Iterator[Problem]:
    try:
        statements.known()
        rows.sources()
    except ProvisionError as error:
        yield Problem(kind="unreadable", about=error.what, detail=error.why)


def _rows(given: Iterable[Statement]) -> Iterator[Problem]:
    seen: dict[object, Statement] = {}
    for row in given:
        if not row.source:
            yield Problem(kind="no-source", about=str(row), detail=f"table {row.kind}")
        first = seen.setdefault(_content(row), row)
        if first is not row:
            yield Problem(kind="duplicate", about=str(row), detail=f"tables {first.kind} and {row.kind}")
        yield from _foreign(row)


def _content(row: Statement) -> object:
    parts = tuple(
        (part, frozenset(patterns.exact(part, text) or text for text in written)) for part, written in row.parts.items()
    )
    return row.kind, parts, row.says, frozenset(row.chips)


def _foreign(row: Statement) -> Iterator[Problem]:
    for text in row.parts.get("hdk", ()):
        own = next((line for line in lines.known() if line.line == lines.line("hdk", text)), None)
        special = [line for line in lines.known() if row.chips and set(row.chips) <= set(line.chips)]
        if own is not None and not set(own.chips) & set(row.chips):
            detail = f"{text} is of the line of {own.line}, the row is not about that chip ({row.cited})"
        elif own is None and special and patterns.exact("hdk", text) is not None:
            detail = f"the row is about {', '.join(row.chips)}, and {text} is not of the line of {special[0].line}"
        else:
            continue
        about = f"{title(row.subject)} {row.parts[row.subject][0]} and HDK {text}"
        yield Problem(kind="foreign-line", about=about, detail=detail)


def _silent(matrix: Matrix) -> Iterator[Problem]:
    for row in matrix.statements:
        read = [relation for relation in matrix.relations if relation.subject == row.subject]
        if not any(relation.object in row.parts for relation in read):
            yield Problem(kind="decides-nothing", about=str(row), detail=f"table {row.kind}: no relation reads it")
        elif row.says == "incompatible" and not row.public:
            yield Problem(kind="decides-nothing", about=str(row), detail=f"it forbids, but {row.cited}")


def _contradictions(matrix: Matrix) -> Iterator[Problem]:
    for conflict in matrix.conflicts():
        yield Problem(kind="contradiction", about=conflict.about, detail=str(conflict))
