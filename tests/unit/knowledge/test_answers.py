from __future__ import annotations

from ascend_provision.knowledge import answers


def test_each_answer_says_its_verdict_why_and_where_from() -> None:
    assert answers.compatible("both released", "notes") == answers.Answer(
        verdict="compatible", why="both released", source="notes"
    )
    assert answers.incompatible("printed N", "notes", "7.0.0 with 23.0.3").nearest == ("7.0.0 with 23.0.3",)


def test_nobody_needs_a_source_for_not_knowing() -> None:
    assert answers.unknown("no row") == answers.Answer(verdict="unknown", why="no row")
