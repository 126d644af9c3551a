"""Contradictions between rows: they are listed, not resolved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ascend_provision.knowledge import lines, patterns
from ascend_provision.knowledge.components import Component, Item, title
from ascend_provision.knowledge.evaluation import Pair, read
from ascend_provision.knowledge.explanation import Conflict
from ascend_provision.knowledge.relations import Relation
from ascend_provision.knowledge.statements import Statement
from ascend_provision.stack.versions import Version


def between(statements: Sequence[Statement], relations: Sequence[Relation]) -> tuple[Conflict, ...]:
    """A pair printed and forbidden; different partners where a release has one; a later build for something older."""
    rules = (_forbidden, _different, _rivals, _backwards)
    return tuple(conflict for rule in rules for conflict in rule(statements, relations))


def _forbidden(statements: Sequence[Statement], relations: Sequence[Relation]) -> Iterator[Conflict]:
    for relation in relations:
        listed = [row for row in statements if row.subject == relation.subject and relation.object in row.parts]
        if all(row.says in ("matched", "compatible") for row in listed):
            continue
        seen: set[tuple[str, str]] = set()
        for row in listed:
            for a, b in _pairs(row, relation) if row.says in ("matched", "compatible") else ():
                if (a, b) in seen:
                    continue
                seen.add((a, b))
                asked = Pair(
                    relation, Item(component=relation.subject, version=a), Item(component=relation.object, version=b)
                )
                near = [other for other in listed if _share_chip(row, other)]
                found = read(asked, near)
                against = (*found.no, *found.needed)
                if against:
                    yield Conflict(
                        about=str(asked),
                        subject=relation.subject,
                        object=relation.object,
                        statements=(row, *against),
                    )


def _pairs(row: Statement, relation: Relation) -> Iterator[tuple[str, str]]:
    for a in row.parts[relation.subject]:
        for b in row.parts[relation.object]:
            if patterns.exact(relation.subject, a) is not None and patterns.exact(relation.object, b) is not None:
                yield a, b


def _different(statements: Sequence[Statement], relations: Sequence[Relation]) -> Iterator[Conflict]:
    """Two `matched` rows give one release of an `own` relation different partners."""
    for relation in relations:
        if relation.rule not in ("own", "only"):
            continue
        groups: dict[object, list[Statement]] = {}
        for row in statements:
            if row.says == "matched" and row.subject == relation.subject and relation.object in row.parts:
                version = patterns.exact(relation.subject, row.parts[relation.subject][0])
                if version is not None and len(row.parts[relation.subject]) == 1:
                    groups.setdefault(version, []).append(row)
        for rows in groups.values():
            partners = {_partner(row, relation.object) for row in rows}
            if len(partners) > 1:
                about = (
                    f"{title(relation.subject)} {rows[0].parts[relation.subject][0]} and its {title(relation.object)}"
                )
                yield Conflict(about=about, subject=relation.subject, object=relation.object, statements=tuple(rows))


def _rivals(statements: Sequence[Statement], relations: Sequence[Relation]) -> Iterator[Conflict]:
    """Two releases of the subject stand for one object and one `one_per`."""
    for relation in relations:
        if relation.one_per is None:
            continue
        groups: dict[object, list[Statement]] = {}
        for row in statements:
            if row.says == "matched" and row.subject == relation.subject and relation.one_per in row.parts:
                key = _partner(row, relation.object), _partner(row, relation.one_per)
                groups.setdefault(key, []).append(row)
        for rows in groups.values():
            if len({_partner(row, relation.subject) for row in rows}) > 1:
                parts = rows[0].parts
                about = " and ".join(f"{title(part)} {parts[part][0]}" for part in (relation.object, relation.one_per))
                yield Conflict(
                    about=f"{title(relation.subject)} for {about}",
                    subject=relation.subject,
                    object=relation.object,
                    statements=tuple(rows),
                )


def _backwards(statements: Sequence[Statement], relations: Sequence[Relation]) -> Iterator[Conflict]:
    """Builds of one `one_per` (a torch) only move forward: the later of two is not for an older object."""
    for relation in relations:
        groups: dict[object, list[tuple[Version, Version, Statement]]] = {}
        for row in statements if relation.one_per else ():
            if row.says == "matched" and row.subject == relation.subject and relation.one_per in row.parts:
                build = patterns.exact(relation.subject, row.parts[relation.subject][0])
                for_what = patterns.exact(relation.object, row.parts[relation.object][0])
                if relation.one_per and build is not None and for_what is not None:
                    groups.setdefault(_partner(row, relation.one_per), []).append((build, for_what, row))
        for built in groups.values():
            built.sort(key=lambda entry: entry[0])
            for (a, old, one), (b, new, other) in pairwise(built):
                if lines.order(relation.object, new, old) == "older":
                    about = f"{title(relation.subject)} {a} and {b}"
                    yield Conflict(
                        about=f"{about} and their {title(relation.object)}",
                        subject=relation.subject,
                        object=relation.object,
                        statements=(one, other),
                    )


def _partner(row: Statement, component: Component) -> object:
    return frozenset(patterns.exact(component, text) or text for text in row.parts[component])


def _share_chip(a: Statement, b: Statement) -> bool:
    return not a.chips or not b.chips or bool(set(a.chips) & set(b.chips))
