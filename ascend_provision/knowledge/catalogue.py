"""Every finding that can be given: id, what it asks, what a bad answer means, what to do. data/findings/TOPIC.yaml."""

from __future__ import annotations

import functools
from typing import Literal

from ascend_provision.knowledge import rows
from ascend_provision.stack.findings import Language
from ascend_provision.stack.model import Noun


class Words(Noun):
    """One finding in one language.

    `causes` is ordered, the likeliest first; `next_action` is for fail and warn and may hold `{expected}`; `settle`
    says what would settle an unknown.
    """

    title: str
    meaning: str
    causes: tuple[str, ...] = ()
    next_action: str
    settle: str


class Entry(rows.Row):
    """One finding, in every language. `verdicts` are those the rule can give besides pass and skip."""

    id: str
    component: str
    verdicts: tuple[Literal["fail", "warn", "unknown"], ...]
    en: Words
    zh: Words

    def words(self, language: Language) -> Words:
        """The finding in that language."""
        return self.zh if language == "zh" else self.en


@functools.cache
def entries() -> dict[str, Entry]:
    """The catalogue by id, in the order of the files and of their rows."""
    return {entry.id: entry for topic in rows.files("findings") for entry in rows.table(topic, "findings", Entry)}
