from __future__ import annotations

import re
from typing import get_args

import pytest

from ascend_provision.check.wording import LANGUAGES
from ascend_provision.knowledge.rows import Confidence
from ascend_provision.report import headings
from ascend_provision.report.headings import Headings
from ascend_provision.report.wide import cells
from ascend_provision.stack.findings import Language, Verdict


def test_there_are_headings_in_every_language_findings_are_in() -> None:
    assert set(headings.IN) == set(LANGUAGES)


@pytest.mark.parametrize("name", Headings._fields)
def test_a_heading_is_filled_with_the_same_in_every_language(name: str) -> None:
    english, chinese = (getattr(headings.IN[language], name) for language in LANGUAGES)

    assert type(english) is type(chinese)
    if isinstance(english, str):
        assert english
        assert chinese
        assert sorted(re.findall(r"\{\w*\}", english)) == sorted(re.findall(r"\{\w*\}", chinese))
    elif isinstance(english, tuple):
        assert len(english) == len(chinese)


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_leave_a_blank_before_their_text(language: Language) -> None:
    names = headings.IN[language]

    assert set(names.verdicts) == set(names.marks) == set(Verdict)
    assert set(names.confidences) == set(get_args(Confidence))
    assert max(map(cells, names.marks.values())) < 8
    labels = (names.on, names.observed, names.expected, names.evidence, names.means, names.causes, names.do)
    assert max(map(cells, (*labels, names.source, names.unknown_here))) < 12
    assert max(map(cells, (names.can_be, names.when_unknown, names.confidence))) < 14
