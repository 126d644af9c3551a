"""The words of a finding in a language: looked up by its id, so a finding made in one language can be said in another.

Rules make findings in English. What was observed, expected and printed stays as it is in a finding; `spoken` gives it
in a language too, for people.
"""

from __future__ import annotations

from typing import get_args

from ascend_provision.knowledge import catalogue, phrases
from ascend_provision.knowledge.catalogue import Words
from ascend_provision.stack.findings import Finding, Language, Verdict

LANGUAGES: tuple[Language, ...] = get_args(Language)
_EXPECTED: dict[Language, str] = {"en": "what is expected", "zh": "应有的值"}


def next_action(words: Words, verdict: Verdict, expected: str, language: Language) -> str:
    """What the catalogue says to do about this verdict; nothing for a pass and a skip."""
    if verdict is Verdict.UNKNOWN:
        return words.settle
    if verdict in {Verdict.FAIL, Verdict.WARN}:
        return words.next_action.replace("{expected}", phrases.said(expected, language) or _EXPECTED[language])
    return ""


def said(finding: Finding, language: Language) -> Finding:
    """The finding in that language; words of its own that nobody translated stay as they are."""
    entry = catalogue.entries().get(finding.id)
    if entry is None or finding.title == entry.words(language).title:
        return finding
    usual = {each: next_action(entry.words(each), finding.verdict, finding.expected, each) for each in LANGUAGES}
    own = finding.next_action not in usual.values()
    action = phrases.said(finding.next_action, language) if own else usual[language]
    return finding.model_copy(update={"title": entry.words(language).title, "next_action": action})


def spoken(finding: Finding, language: Language) -> Finding:
    """For a reader of the text: what was seen and expected in that language too, except a host's own words."""
    shown = {name: phrases.said(getattr(finding, name), language) for name in ("observed", "expected", "evidence")}
    return finding.model_copy(update=shown)
