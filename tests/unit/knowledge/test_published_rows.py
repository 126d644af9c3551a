"""Every row is executed: its own versions are asked, and the answer is what the row says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ascend_provision.knowledge import patterns, relations, releases
from ascend_provision.knowledge.components import Component, Item
from ascend_provision.knowledge.evaluation import Pair, read
from ascend_provision.knowledge.matrix import published
from ascend_provision.knowledge.published_rows import published_rows
from ascend_provision.knowledge.relations import Relation
from ascend_provision.knowledge.statements import Statement


def cases() -> Iterator[tuple[Statement, Relation, str, str, str]]:
    """Each row with each relation it speaks to, each of its versions, each of its chips."""
    for row in published_rows():
        for relation in relations.known():
            if row.subject != relation.subject or relation.object not in row.parts:
                continue
            for a in row.parts[relation.subject]:
                for b in row.parts[relation.object]:
                    subject, other = versions(relation, a, b)
                    for chip in row.chips or ("910b",):
                        yield row, relation, subject, other, chip


def versions(relation: Relation, a: str, b: str) -> tuple[str, str]:
    """A version each pattern means; `*` and `=` take the other side's, or any of its own kind."""
    if patterns.same_as(b) is not None:
        found = published().candidates(relation.object)
        text = next(v for v in found if patterns.any_meant(relation.subject, (a,), v))
        return text, text
    subject = published().candidates("cann")[-1] if a == patterns.ANY else patterns.example(a)
    return subject, patterns.example(b)


CASES = list(cases())


@pytest.mark.parametrize(
    ("row", "relation", "a", "b", "chip"),
    CASES,
    ids=[f"{row.kind}-{relation.subject}-{a}-{relation.object}-{b}-{chip}" for row, relation, a, b, chip in CASES],
)
def test_a_row_is_answered_as_it_says(row: Statement, relation: Relation, a: str, b: str, chip: str) -> None:
    found = published().verdict((relation.subject, a), (relation.object, b), chip)

    assert found.answer.verdict == ("incompatible" if row.says == "incompatible" else "compatible")
    assert found.answer.source
    assert row in found.statements


NEEDS = [case for case in CASES if case[0].says == "needs"]


def outside(component: Component, written: tuple[str, ...]) -> str:
    """A listed version of the component that none of the patterns means."""
    listed = published().candidates(component) or ("3.6.0",)
    texts = (*listed, "3.6.0") if component == "python" else listed
    return next(text for text in texts if patterns.any_meant(component, written, text) is False)


@pytest.mark.parametrize(
    ("row", "relation", "a", "b", "chip"), NEEDS, ids=[f"{c[0].kind}-{c[2]}-{c[3]}" for c in NEEDS]
)
def test_what_a_row_needs_and_does_not_get_is_a_no(
    row: Statement, relation: Relation, a: str, b: str, chip: str
) -> None:
    written = row.parts[relation.object]
    other = outside(relation.object, (b,) if patterns.same_as(written[0]) is not None else written)

    assert published().judge((relation.subject, a), (relation.object, other), chip).verdict == "incompatible"


def test_every_row_speaks_to_a_relation() -> None:
    spoken = {id(row) for row, *_ in CASES}

    assert [str(row) for row in published_rows() if id(row) not in spoken] == []


def test_every_relation_has_rows_that_decide() -> None:
    for relation in relations.known():
        about = [row for row in published_rows() if row.subject == relation.subject and relation.object in row.parts]
        assert about, f"{relation.subject} and {relation.object}"


def test_every_release_with_a_firmware_is_a_row_for_its_chips() -> None:
    rows = [row for row in published_rows() if row.kind == "releases"]

    assert len(rows) == sum(len(row.firmware) for row in releases.known())
    assert all(row.chips for row in rows)


def test_no_published_row_is_a_sites() -> None:
    assert not any(row.site for row in published_rows())


def test_a_captured_row_alone_forbids_nothing() -> None:
    """Where every row about a subject is one nobody can look up, no answer about it is a no."""
    for relation in relations.known():
        about = [row for row in published_rows() if row.subject == relation.subject and relation.object in row.parts]
        for version in {text for row in about for text in row.parts[relation.subject]}:
            if patterns.exact(relation.subject, version) is None:
                continue
            for chip in ("910", "910b", "310p", "910_93"):
                item = Item(component=relation.subject, version=version)
                any_object = Item(
                    component=relation.object, version=patterns.example(about[0].parts[relation.object][0])
                )
                own = read(Pair(relation, item, any_object, chip), [row for row in about if row.covers(chip)]).own
                if own and not any(row.public for row in own):
                    others = published().candidates(relation.object, chip)
                    found = {published().judge(item, (relation.object, text), chip).verdict for text in others}
                    assert "incompatible" not in found
