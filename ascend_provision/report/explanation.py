"""All there is to say about one finding, whatever host it may be about: `check --explain ID`."""

from __future__ import annotations

import difflib
from typing import Literal

from ascend_provision.check import wording
from ascend_provision.knowledge import catalogue, rows
from ascend_provision.report import headings
from ascend_provision.report.plain import document, wrapped
from ascend_provision.report.wide import ljust
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.findings import Language, Verdict
from ascend_provision.stack.model import Noun

_NEAR = 5


class Cited(Noun):
    """A source of the rule; `public` is False for one that nobody outside can open."""

    where: str
    public: bool


class Explanation(Noun):
    """One finding in `language`: what it asks, what a bad answer means, why it may be so, what to do.

    `verdicts` are those it can give besides pass and skip, `causes` come likeliest first, `settle` is for an unknown.
    """

    schema_version: Literal[1] = 1
    language: Language
    id: str
    component: str
    verdicts: tuple[Verdict, ...]
    title: str
    meaning: str
    causes: tuple[str, ...]
    next_action: str
    settle: str
    sources: tuple[Cited, ...]
    confidence: rows.Confidence


def explain(key: str, language: Language) -> Explanation:
    """The finding of that id. Raises UsageError with the ids that are near for one nobody knows."""
    entry = catalogue.entries().get(key)
    if entry is None:
        near = _near(key)
        raise UsageError(
            f"there is no finding `{key}`",
            code="finding-unknown",
            why=f"near it: {', '.join(near)}" if near else "no finding is near it",
            next_action="every id is in docs/findings.md and in the reports of `check`",
        )
    words = entry.words(language)
    return Explanation(
        language=language,
        id=entry.id,
        component=entry.component,
        verdicts=tuple(Verdict(verdict) for verdict in entry.verdicts),
        title=words.title,
        meaning=words.meaning,
        causes=words.causes,
        next_action=wording.next_action(words, Verdict.FAIL, headings.IN[language].placeholder, language),
        settle=words.settle,
        sources=tuple(
            Cited(where=found.where, public=found.public) for found in map(rows.sources().get, entry.source) if found
        ),
        confidence=entry.confidence,
    )


def _near(key: str) -> list[str]:
    """Ids that may be meant: spelled alike, or with a word of it."""
    ids = list(catalogue.entries())
    alike = difflib.get_close_matches(key, ids, n=_NEAR, cutoff=0.6)
    words = [word for word in key.replace(".", "-").split("-") if len(word) > 2]
    sharing = [each for each in ids if any(word in each for word in words)]
    return list(dict.fromkeys([*alike, *sharing]))[:_NEAR]


def render(explanation: Explanation) -> str:
    """As text."""
    names = headings.IN[explanation.language]
    labelled = [
        (names.means, explanation.meaning),
        *(
            (names.causes if number == 1 else "", f"{number}. {cause}")
            for number, cause in enumerate(explanation.causes, 1)
        ),
        (names.can_be, names.comma.join(names.verdicts[verdict] for verdict in explanation.verdicts)),
        (names.do, explanation.next_action),
        (names.when_unknown, explanation.settle),
        *(
            (names.source if number == 1 else "", source.where + ("" if source.public else names.not_public))
            for number, source in enumerate(explanation.sources, 1)
        ),
        (names.confidence, names.confidences[explanation.confidence]),
    ]
    indent = " " * 16
    lines = wrapped(f"{explanation.id} ({explanation.component}): {explanation.title}", "  ", "")
    for name, text in labelled:
        lines += wrapped(text, indent, f"  {ljust(name, 14)}")
    return document(lines)
