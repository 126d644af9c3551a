"""What settles an unknown, where a reader of evidence knows better than the catalogue, in each language."""

from __future__ import annotations

import functools

from ascend_provision.knowledge import rows
from ascend_provision.stack.findings import Language
from ascend_provision.stack.model import Noun


class Advice(Noun):
    """One sentence; `en` is what the code says."""

    en: str
    zh: str


@functools.cache
def _sentences() -> dict[str, Advice]:
    rows_ = rows.table("advice", "advice", Advice)
    return {text: row for row in rows_ for text in (row.en, row.zh)}


def said(text: str, language: Language) -> str:
    """The sentence in that language; one that is not in the table comes back as it is."""
    row = _sentences().get(text)
    if row is None:
        return text
    return row.zh if language == "zh" else row.en
