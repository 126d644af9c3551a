"""Answers of the matrix as text: verdicts first, then why and where it is published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from ascend_provision.knowledge.answers import Remark
from ascend_provision.knowledge.explanation import Explanation, Judged
from ascend_provision.knowledge.lint import Report
from ascend_provision.knowledge.rows import Source
from ascend_provision.knowledge.solution import Change, Fitting, Forced, Solution
from ascend_provision.knowledge.statements import Statement
from ascend_provision.knowledge.what_if import WhatIf
from ascend_provision.report.plain import columns, counted, document, hanging, wrapped
from ascend_provision.stack.model import Noun

_HANG = " " * 6
_OUTCOMES = {
    "nothing": "nothing must change",
    "change": "reached by the changes below",
    "unproven": "only with versions that nobody publishes together (see `not published`)",
    "impossible": "impossible by what is published",
}


def explanation(found: Explanation) -> str:
    """`matrix explain`: every judged pair."""
    asked = " ".join(f"{item.component}={item.version}" for item in found.items)
    lines = [f"{found.verdict.upper()}: {asked}" + (f" chip={found.chip}" if found.chip else "")]
    if not found.pairs:
        lines += wrapped("nothing published relates these to each other", _HANG, "  ")
    for pair in found.pairs:
        lines += ["", *_judged(pair)]
    return document(lines + _remarks(found.remarks))


def _remarks(found: Iterable[Remark]) -> list[str]:
    return [
        line
        for remark in found
        for line in ("", *wrapped(f"remark: {remark.text}", _HANG, "  "), *_named([("source", remark.source)]))
    ]


def _judged(pair: Judged) -> list[str]:
    lines = wrapped(f"{pair.answer.verdict}: {pair.a} with {pair.b}", _HANG, "  ")
    said = [("why", pair.answer.why)]
    if pair.files is not None:
        both = (("files", pair.files), ("tables", pair.table))
        said += [(name, f"{one.verdict}: {one.why}") for name, one in both if one.why not in pair.answer.why]
    said += [("nearest", "; ".join(pair.answer.nearest)), ("source", pair.answer.source)]
    return lines + _named(said)


def _named(said: Iterable[tuple[str, str]]) -> list[str]:
    return hanging([(name, text) for name, text in said if text], " " * 4)


def what_if(found: WhatIf) -> str:
    """`matrix what-if`: the least change, why each part is forced, the order, and what runs afterwards."""
    solution = found.solution
    lines = [f"{', '.join(solution.wants)}: {_OUTCOMES[solution.outcome]}"]
    for change in solution.changes:
        lines += [
            "",
            *wrapped(f"{change.name} {change.before or 'none'} -> {change.after}", _HANG, "  "),
            *_why(change),
        ]
    if solution.outcome == "impossible":
        lines += ["", "  These cannot all be so:", *_forced(solution.conflict)]
    lines += _conditions(solution)
    lines += _pairs("not published", solution.unproven)
    lines += _pairs("wrong already, and left so", solution.left)
    if found.order:
        steps = [(f"{number}.", step) for number, step in enumerate(found.order, start=1)]
        lines += ["", "  In this order:", *hanging(steps, "    "), *_named([("source", found.order_source)])]
    lines += _remarks(found.remarks)
    lines += _afterwards(found)
    return document(lines)


def _why(change: Change) -> list[str]:
    if not change.forced.reasons and not change.forced.stays:
        return _named([("why", f"asked for by {', '.join(change.forced.wants)}")] if change.forced.wants else [])
    return _forced(change.forced)


def _forced(forced: Forced) -> list[str]:
    said = [("asked for", ", ".join(forced.wants)), ("stays", ", ".join(forced.stays))]
    for reason in forced.reasons:
        said += [("because", reason.text), ("source", reason.source)]
    return _named(said)


def _conditions(solution: Solution) -> list[str]:
    if not solution.conditions:
        return []
    rows = [(f"{one.name}:", " or ".join(one.versions) or "none published") for one in solution.conditions]
    return ["", "  Not told, and must be:", *hanging(rows, "    ")]


def _pairs(heading: str, pairs: Sequence[Fitting]) -> list[str]:
    if not pairs:
        return []
    lines = ["", f"  {heading.capitalize()}:"]
    for pair in pairs:
        lines += wrapped(f"{pair.a} with {pair.b}: {pair.why}", _HANG, "    ")
    return lines


def _afterwards(found: WhatIf) -> list[str]:
    if found.solution.outcome == "impossible":
        return []
    lines: list[str] = []
    if found.runs:
        running = [(f"{one.name} {one.version}", str(one.verdict)) for one in found.runs]
        lines += ["", "  Frameworks afterwards:", *(f"    {line}" for line in columns(running))]
    if found.published:
        listed = [(name, ", ".join(versions)) for name, versions in found.published.items()]
        lines += ["", f"  Published for CANN {found.solution.stack.get('CANN')}:", *hanging(listed, "    ")]
    return lines


class Rows(Noun):
    """`matrix show` for a program."""

    schema_version: Literal[1] = 1
    rows: tuple[Statement, ...]


def statements(rows: Sequence[Statement]) -> str:
    """`matrix show`: one row a line."""
    table = [("TABLE", "SAYS", "CHIPS", "CONFIDENCE", "DATE", "ROW", "SOURCE")]
    table += [
        (row.kind, row.says, ",".join(row.chips) or "all", row.confidence, row.date or "-", str(row), row.cited)
        for row in rows
    ]
    return document([*columns(table), "", counted(len(rows), "row")])


class SourceCount(Noun):
    """One place facts come from, and how many rows rest on it."""

    key: str
    rows: int
    kind: str
    where: str
    public: bool
    date: str = ""


class Sources(Noun):
    """`matrix sources` for a program."""

    schema_version: Literal[1] = 1
    sources: tuple[SourceCount, ...]


def by_source(rows: Sequence[Statement], known: Mapping[str, Source]) -> tuple[SourceCount, ...]:
    """Every place, those of a site's files last."""
    counted_rows = Counter(key for row in rows if not row.site for key in row.source)
    of_site = Counter(row.file for row in rows if row.site)
    return (
        *(
            SourceCount(
                key=key, rows=counted_rows[key], kind=one.kind, where=one.where, public=one.public, date=one.date
            )
            for key, one in known.items()
        ),
        *(
            SourceCount(key="site", rows=count, kind="site's own file", where=name, public=False)
            for name, count in of_site.items()
        ),
    )


def sources(found: Sequence[SourceCount]) -> str:
    """`matrix sources`: where facts come from and how many rows rest on each."""
    table = [("ROWS", "SOURCE", "DATE", "KIND", "WHERE")]
    table += [
        (str(one.rows), one.key, one.date or "-", one.kind if one.public else f"{one.kind}, not public", one.where)
        for one in found
    ]
    return document(columns(table))


def lint(found: Report) -> str:
    """`matrix lint`: rows by table, then every problem; one that is known says why it is kept."""
    total = sum(found.rows.values())
    fresh = sum(not problem.known for problem in found.problems)
    lines = [
        f"{counted(total, 'row')} in {counted(len(found.rows), 'table')}: {counted(fresh, 'problem')}, "
        f"{counted(len(found.problems) - fresh, 'contradiction')} between sources known and kept",
        "",
        *(f"  {line}" for line in columns([(str(count), table) for table, count in sorted(found.rows.items())])),
    ]
    for problem in sorted(found.problems, key=lambda one: bool(one.known)):
        word = "known" if problem.known else problem.kind
        lines += ["", *wrapped(f"{word}: {problem.about}", _HANG, "  "), *_named([("detail", problem.detail)])]
        lines += _named([("kept", problem.known), ("sources", problem.sources)])
    return document(lines)
