"""The sentences that rules and readers of evidence make in English, in each language. data/phrases.yaml.

A row is a whole sentence or a form with gaps: `{n:int}` a number, `{p:path}` a path, `{w:word}` anything without a
blank, `{w:words}` such things with commas between, `{v:value}` a word or what has a digit in it, `{x}` anything.
What stands in a gap is said in the other language too. What no row knows is a host's own word and stays as it is.
"""

from __future__ import annotations

import functools
import re

from ascend_provision.knowledge import rows
from ascend_provision.stack.findings import Language
from ascend_provision.stack.model import Noun

_GAP = re.compile(r"\{(\w+)(?::(\w+))?\}")
_FILLS = {
    "int": r"\d+",
    "path": r"/\S+|\(.+?\)",
    "word": r"[^\s,;]+",
    "words": r"[^\s,;]+(?:, [^\s,;]+)*",
    "value": r"[^;]*\d[^;]*?|\S+|not set",
    None: r".+?",
}
_MORE = re.compile(r"(.+) and (\d+) more", re.DOTALL)
_SEPARATORS = {"; ": "；", ": ": "：", ", ": "、"}
"""Between parts, and what stands there in Chinese; a text is taken apart only where a part is known."""
_ALTERNATIVES = re.compile(r"[^;:,]*\d[^;:,]* or [^;:,]*\d[^;:,]*")
_LONGEST, _DEEPEST = 1000, 6
"""Characters of a text, and gaps within gaps: a host may print anything."""


class Phrase(Noun):
    """One sentence or form; `en` is what the code says."""

    en: str
    zh: str


class _Form:
    """A phrase with gaps, ready to be matched."""

    def __init__(self, row: Phrase) -> None:
        pieces, end = [], 0
        for gap in _GAP.finditer(row.en):
            pieces += [re.escape(row.en[end : gap.start()]), f"(?P<{gap[1]}>{_FILLS[gap[2]]})"]
            end = gap.end()
        self.pattern = re.compile("".join([*pieces, re.escape(row.en[end:])]), re.DOTALL)
        self.zh = _GAP.sub(r"{\1}", row.zh)

    def said(self, text: str, depth: int) -> str | None:
        found = self.pattern.fullmatch(text)
        if found is None:
            return None
        return self.zh.format_map({name: _chinese(value, depth) for name, value in found.groupdict().items()})


@functools.cache
def _sentences() -> dict[str, Phrase]:
    """Whole sentences by their text in each language."""
    table = rows.table("phrases", "phrases", Phrase)
    return {text: row for row in table if not _GAP.search(row.en) for text in (row.en, row.zh)}


@functools.cache
def _forms() -> tuple[_Form, ...]:
    return tuple(_Form(row) for row in rows.table("phrases", "phrases", Phrase) if _GAP.search(row.en))


@functools.lru_cache(maxsize=4096)
def said(text: str, language: Language) -> str:
    """The text in that language, or as it is. Only whole sentences come back from Chinese."""
    if language == "zh":
        return _chinese(text, 0)
    row = _sentences().get(text)
    return row.en if row else text


def _chinese(text: str, depth: int) -> str:
    if row := _sentences().get(text):
        return row.zh
    if depth > _DEEPEST or len(text) > _LONGEST or not re.search(r"\w[^\w/]* ", text):
        return text
    if more := _MORE.fullmatch(text):
        return f"{_chinese(more[1], depth + 1)} 等，另有 {more[2]} 项"
    if "; " in text:
        return _list(text, "; ", depth)
    told = (form.said(text, depth + 1) for form in _forms())
    if known := next((each for each in told if each is not None), None):
        return known
    if _ALTERNATIVES.fullmatch(text):
        return " 或 ".join(_chinese(part, depth + 1) for part in text.split(" or "))
    listed = (_list(text, mark, depth) for mark in (": ", ", ") if mark in text)
    return next((each for each in listed if each != text), text)


def _list(text: str, mark: str, depth: int) -> str:
    parts = text.split(mark, 1 if mark == ": " else -1)
    told = [_chinese(part, depth + 1) for part in parts]
    return _SEPARATORS[mark].join(told) if told != parts else text
