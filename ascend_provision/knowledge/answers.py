"""The answer to "do these two go together?": always with why and where that is published."""

from __future__ import annotations

from typing import Literal

from ascend_provision.stack.model import Noun

Fit = Literal["compatible", "incompatible", "unknown"]


class Answer(Noun):
    """`why` is one sentence, `source` where it can be looked up, `nearest` published rows close to the question."""

    verdict: Fit
    why: str
    source: str = ""
    nearest: tuple[str, ...] = ()


class Remark(Noun):
    """One sentence about one version; it decides nothing about pairs. `source` "" where nobody published it."""

    text: str
    source: str


def compatible(why: str, source: str) -> Answer:
    return Answer(verdict="compatible", why=why, source=source)


def incompatible(why: str, source: str, *nearest: str) -> Answer:
    return Answer(verdict="incompatible", why=why, source=source, nearest=nearest)


def unknown(why: str, source: str = "", *nearest: str) -> Answer:
    return Answer(verdict="unknown", why=why, source=source, nearest=nearest)
