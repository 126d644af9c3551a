"""What CANN's parts ask of each other in their version.info, read exactly as the vendor's installers read it.

`"8.2"`, `">=7.6, <=8.2"`, `">=9.1.0"`: terms between commas; a lower bound and the upper bound after it are one
range, anything else is an alternative. Only the fields that a term writes are compared, as numbers: 8.2.0 is 8.2, is
`<=8.2`, and is `>8.2` too, because it is longer. Of the installed part its first three fields count. The installers
only warn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ascend_provision.knowledge import answers, component_numbers, rows
from ascend_provision.knowledge.answers import Answer
from ascend_provision.stack.model import Noun
from ascend_provision.stack.surroundings import CannPart
from ascend_provision.stack.versions import CannVersion, ComponentNumber

_TERM = re.compile(r"(>=|<=|>|<|) *(\d{1,9}(?:\.\d{1,9})*)", re.ASCII)
_FIELDS = 3


class Demand(Noun):
    """One part asks a version of another; `met` None where the term is not understood."""

    asks: CannPart
    of: CannPart
    required: str
    met: bool | None

    def __str__(self) -> str:
        """`toolkit asks for compiler 8.2, which is 7.6.0.1.220 (CANN 8.0.0)`."""
        told = release(self.of)
        which = f"{self.of.number} (CANN {told})" if told else self.of.number
        return f"{self.asks.name} asks for {self.of.name} {self.required}, which is {which}"


def accepts(number: str, required: str) -> bool | None:
    """Whether a part of this number is what `required` asks for; None for a term that is no number."""
    lower: bool | None = None  # of a range that has begun: its lower bound is met, or not
    terms = [_TERM.fullmatch(text.strip(" ")) for text in required.split(",")]
    for term in terms:
        if None in terms or term is None:
            return None
        operator, met = term[1], _met(_compared(number), term[1], tuple(map(int, term[2].split("."))))
        if operator.startswith(">"):
            lower = met
        elif operator.startswith("<"):
            if met and lower is not False:
                return True
            lower = None
        elif met:
            return True
    return lower is True


def _compared(number: str) -> tuple[int, ...]:
    """The fields that count: 7.6.T13.0.B094 is 7.6.0 here, as awk reads it."""
    fields = number.partition("-")[0].split(".")[:_FIELDS]
    leading = (re.match(r"\d{1,9}", field, re.ASCII) for field in fields)
    return tuple(int(found[0]) if found else 0 for found in leading)


def _met(number: tuple[int, ...], operator: str, bound: tuple[int, ...]) -> bool:
    for mine, theirs in zip(number, bound, strict=False):
        if mine != theirs:
            return operator[:1] == ("<" if mine < theirs else ">")
    if len(number) < len(bound):
        return operator.startswith("<")
    return operator in {">=", "<=", ""} or (operator == ">" and len(number) > len(bound))


def demands(asking: Sequence[CannPart], of: Sequence[CannPart]) -> Iterator[Demand]:
    """Everything the first ask of the second; a part that is not there is asked for in vain, as at the vendor's."""
    there = {CannPart.plain(part.name): part for part in of}
    for part in asking:
        for name, required in part.requires.items():
            if (other := there.get(CannPart.plain(name))) is not None:
                yield Demand(asks=part, of=other, required=required, met=accepts(other.number, required))


def between(some: Sequence[CannPart], others: Sequence[CannPart]) -> Answer | None:
    """Whether these parts accept those and the other way round; None where neither asks anything of the other."""
    found = [*demands(some, others), *demands(others, some)]
    source = rows.sources()["cann-version-check"].where
    if not found:
        return None
    if unmet := [demand for demand in found if demand.met is False]:
        return answers.incompatible("; ".join(map(str, unmet)), source)
    if unread := [demand for demand in found if demand.met is None]:
        return answers.unknown(f"not understood: {unread[0]}", source)
    return answers.compatible(f"the installed parts' own files accept each other (demands met: {len(found)})", source)


def release(part: CannPart) -> CannVersion | None:
    """The CANN whose parts carry this number; None for one nobody recorded."""
    number = ComponentNumber.maybe(part.number)
    return None if number is None else component_numbers.cann_of(number)
