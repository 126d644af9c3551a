"""The verdict of rows over one pair: a printed no, a printed yes, what silence means, or unknown with what is near."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ascend_provision.knowledge import answers, patterns
from ascend_provision.knowledge.answers import Answer
from ascend_provision.knowledge.components import Component, Item, kind, parse, title
from ascend_provision.knowledge.relations import Relation
from ascend_provision.knowledge.statements import Statement
from ascend_provision.stack.versions import Version

MOST_NEAREST = 6
"""Nearest rows named in one answer."""
MOST_OF_A_KIND = 3
"""Of them, rows that only name the other side."""


class Verdict(NamedTuple):
    """An answer and the rows it rests on."""

    answer: Answer
    statements: tuple[Statement, ...]


class Pair(NamedTuple):
    """The question: subject and object of a relation, at a version each."""

    relation: Relation
    subject: Item
    object: Item
    chip: str = ""
    brief: bool = False
    """Only the verdict is wanted: the nearest rows are left out."""

    def __str__(self) -> str:
        return f"{self.subject} with {self.object}"

    def meant(self, statement: Statement, component: Component) -> bool | None:
        """Whether the row's column for `component` means the version asked about."""
        item, other = (
            (self.subject, self.object) if component == self.subject.component else (self.object, self.subject)
        )
        written, patches = statement.parts[component], component in self.relation.patches
        if written[0].startswith("="):
            same = patterns.same_as(written[0]) == other.component
            return same and parse(component, item.version) == kind(component).maybe(other.version)
        return patterns.any_meant(component, written, item.version, patches=patches)


class Read(NamedTuple):
    """The rows of one pair, sorted by what they say about it."""

    yes: tuple[Statement, ...]
    no: tuple[Statement, ...]
    needed: tuple[Statement, ...]
    """Rows about this subject that a pair with this object does not meet."""
    own: tuple[Statement, ...]
    """Rows that name this subject, whatever the object."""


def read(pair: Pair, statements: Iterable[Statement]) -> Read:
    """Sort rows that name both components of the pair's relation."""
    yes: list[Statement] = []
    no: list[Statement] = []
    needed: list[Statement] = []
    own: list[Statement] = []
    for row in statements:
        if not pair.meant(row, pair.subject.component):
            continue
        own.append(row)
        fits = pair.meant(row, pair.object.component)
        if fits and row.says == "incompatible":
            no.append(row)
        elif fits:
            yes.append(row)
        elif fits is False and row.says == "needs":
            needed.append(row)
    return Read(tuple(yes), tuple(no), tuple(needed), tuple(own))


def weigh(pair: Pair, found: Read, listed: Sequence[Statement]) -> Verdict:
    """A site's row first; then a printed no, a printed yes, what the relation's rule makes of silence, or unknown."""
    nos = tuple(row for row in (*found.no, *found.needed) if row.public and (pair.chip or not row.chips))
    if of_site := tuple(row for row in (*found.yes, *nos) if row.site):
        return _printed(pair, found, of_site, listed)
    if forbids := nos:
        return _printed(pair, found, forbids, listed)
    silence = _silence(pair, found, listed)
    if found.yes and (silence is None or any(row.public for row in found.yes)):
        return Verdict(answers.compatible(_yes(pair, found.yes), cited(found.yes)), found.yes)
    if silence is not None:
        return silence
    return _unknown(pair, found, listed)


def _printed(pair: Pair, found: Read, rows: tuple[Statement, ...], listed: Sequence[Statement]) -> Verdict:
    nos = tuple(row for row in rows if row in found.no or row in found.needed)
    if not nos:
        return Verdict(answers.compatible(_yes(pair, rows) + _overridden(pair, found, listed), cited(rows)), rows)
    note = f"; {cited(found.yes)} prints it as compatible: the sources disagree" if found.yes else ""
    why = f"{pair} is printed as not compatible" if nos[0] in found.no else _needs(pair, nos)
    return Verdict(answers.incompatible(why + note, cited(nos), *nearest(pair, found, listed)), nos)


def _overridden(pair: Pair, found: Read, listed: Sequence[Statement]) -> str:
    """What the published rows say against a site's yes."""
    if against := tuple(row for row in (*found.no, *found.needed) if not row.site):
        return f"; it overrides {cited(against)}"
    published = found._replace(own=tuple(row for row in found.own if not row.site))
    silence = _silence(pair, published, [row for row in listed if not row.site])
    return f"; it overrides the published rows: {silence.answer.why}" if silence else ""


def _yes(pair: Pair, rows: tuple[Statement, ...]) -> str:
    row = min(rows, key=lambda row: row.says != "matched")
    if row.subject != pair.subject.component:
        series = f"{title(row.subject)} {' or '.join(row.parts[row.subject])}"
        return f"{pair.subject} is of {series}, usable with {pair.object}"
    patch = _patch_of(pair, row)
    if row.says == "matched":
        return f"{pair.subject} and {pair.object} were published together{patch}"
    return (
        f"{pair} is printed as compatible{patch}" if row.says == "compatible" else f"{pair.subject} takes {pair.object}"
    )


def _patch_of(pair: Pair, row: Statement) -> str:
    """Says so where the row names the release that the version asked about is a patch of."""
    for item in (pair.subject, pair.object):
        exactly = patterns.any_meant(item.component, row.parts[item.component], item.version)
        if item.component in pair.relation.patches and exactly is False:
            return f" (the row names {' or '.join(row.parts[item.component])}, which {item.version} is a patch of)"
    return ""


def _needs(pair: Pair, rows: tuple[Statement, ...]) -> str:
    return f"{pair.subject} needs {_wanted(pair.object.component, rows)}, not {pair.object.version}"


def _wanted(component: Component, rows: Iterable[Statement]) -> str:
    written = dict.fromkeys(" or ".join(_words(row, component)) for row in rows if component in row.parts)
    return f"{title(component)} {' or '.join(written)}"


def _words(row: Statement, component: Component) -> tuple[str, ...]:
    """A row's column for a reader: `=nnal` is the same version."""
    return tuple("of the same version" if patterns.same_as(text) else text for text in row.parts[component])


def _silence(pair: Pair, found: Read, listed: Sequence[Statement]) -> Verdict | None:
    """The no that follows from what is listed elsewhere, by the relation's rule; None where nothing follows."""
    own = tuple(row for row in found.own if row.public and row.says == "matched")
    if not own or pair.relation.rule == "printed":
        return None
    elsewhere = tuple(
        row
        for row in listed
        if row.public and _exact(row, pair.object.component) and pair.meant(row, pair.object.component)
    )
    if pair.relation.rule != "only" and not elsewhere:
        return None
    if pair.relation.rule == "own-line" and not _other_line(pair.object.version, own, pair.object.component):
        return None
    why = f"{pair.subject} is published for {_wanted(pair.object.component, own)}, not for {pair.object.version}"
    if pair.relation.rule == "own-line":
        why += f", which belongs to {_wanted(pair.subject.component, elsewhere)}"
    return Verdict(answers.incompatible(why, cited(own), *nearest(pair, found, listed)), own)


def _exact(row: Statement, component: Component) -> bool:
    return all(patterns.exact(component, pattern) is not None for pattern in row.parts[component])


def _other_line(version: str, own: Iterable[Statement], component: Component) -> bool:
    return all(version.split(".")[:2] != text.split(".")[:2] for row in own for text in row.parts[component])


def _unknown(pair: Pair, found: Read, listed: Sequence[Statement]) -> Verdict:
    own = found.own
    if not own:
        why = f"no published row names {pair.subject}"
    else:
        wanted = _wanted(pair.object.component, own)
        why = f"{pair.subject} is published for {wanted}; no row says anything about {pair.object}"
    if kept := tuple(row for row in (*found.no, *found.needed) if not row.public):
        why += f"; {cited(kept)} says no, but nobody can look it up"
    return Verdict(answers.unknown(why, cited(own), *nearest(pair, found, listed)), own)


def nearest(pair: Pair, found: Read, listed: Sequence[Statement]) -> tuple[str, ...]:
    """Rows of this subject, then rows of this object, then those of the nearest listed subjects.

    Of each kind what was released together comes first, then what is closest to the version asked about.
    """
    if pair.brief:
        return ()
    subject, other = pair.subject.component, pair.object.component
    own = _closest(_compatible(found.own), other, pair.object.version)
    fits = [row for row in _compatible(listed) if _exact(row, other) and pair.meant(row, other)]
    fits = _closest([row for row in fits if _versions(row, subject)], subject, pair.subject.version)
    near = [] if own else _closest(_neighbours(pair, listed), subject, pair.subject.version)
    told = [_row(row, subject, other, pair.subject.version) for row in own]
    told += [_row(row, subject, other, None) for row in (*fits[:MOST_OF_A_KIND], *near)]
    return tuple(dict.fromkeys(told))[:MOST_NEAREST]


def _closest(rows: Sequence[Statement], component: Component, asked: str) -> list[Statement]:
    """Matched rows first, then those that share more of the version's first numbers, then by distance in releases."""
    wanted = parse(component, asked)
    line = sorted({wanted, *(version for row in rows for version in _versions(row, component))})
    here, numbers = line.index(wanted), _numbers(asked)

    def far(row: Statement) -> tuple[bool, int, int]:
        ways = [
            (-_shared(numbers, _numbers(str(one))), abs(line.index(one) - here)) for one in _versions(row, component)
        ]
        return (row.says != "matched", *min(ways, default=(0, len(line))))

    return sorted(rows, key=far)


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d+|[a-z]+", text.lower())


def _shared(one: list[str], other: list[str]) -> int:
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _compatible(rows: Iterable[Statement]) -> list[Statement]:
    return [row for row in rows if row.says != "incompatible"]


def _row(row: Statement, subject: Component, other: Component, version: str | None) -> str:
    first = version or " or ".join(row.parts[subject])
    return f"{title(subject)} {first} with {title(other)} {', '.join(_words(row, other))}"


def _versions(row: Statement, component: Component) -> list[Version]:
    found = (patterns.exact(component, text) for text in row.parts[component])
    return [version for version in found if version is not None]


def _neighbours(pair: Pair, listed: Sequence[Statement]) -> list[Statement]:
    """The rows of the two nearest listed subjects on either side."""
    asked, component = parse(pair.subject.component, pair.subject.version), pair.subject.component
    named = [(version, row) for row in _compatible(listed) for version in _versions(row, component)]
    below = sorted({version for version, _ in named if version < asked})[-2:]
    above = sorted({version for version, _ in named if version > asked})[:2]
    return [row for end in (*reversed(below), *above) for version, row in named if version == end]


def cited(rows: Iterable[Statement]) -> str:
    """The sources of the rows, each once."""
    return "; ".join(dict.fromkeys(row.cited for row in rows))
