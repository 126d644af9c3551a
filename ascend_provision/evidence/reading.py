"""What every reader shares: the reading it returns, and how evidence that says nothing becomes `Unknown`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from ascend_provision.evidence.wire import NOT_FOUND, NOT_READABLE
from ascend_provision.stack.evidence import Evidence, ProbeRecord
from ascend_provision.stack.model import Unknown

T = TypeVar("T")
MOST_DIGITS = 15
LOST = "lost"
"""How the note of a section begins that the tool must have answered, by its other answers."""


@dataclass(frozen=True)
class Reading(Generic[T]):
    """What was understood, and the lines nobody understood (a new version of a tool announces itself there)."""

    facts: T
    unread: tuple[str, ...] = ()


def lines(text: str) -> list[str]:
    """The lines that are not blank. Only a line feed ends one: a form feed inside a name must not make two."""
    return [line for line in text.split("\n") if line.strip()]


def is_number(text: str) -> bool:
    """Decimal digits only, and no more than any count, size or id of a host has: `int` takes it, and quickly."""
    return text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS


def pairs(text: str) -> dict[str, str]:
    """KEY=VALUE lines; the first of a key counts, as it does for the vendor's scripts."""
    found: dict[str, str] = {}
    for line in lines(text):
        key, equals, value = line.partition("=")
        if equals:
            found.setdefault(key.strip(), value.strip())
    return found


def absent(evidence: Evidence) -> bool:
    """The probe looked, and the command or file is not there."""
    return evidence.status is None and evidence.note == NOT_FOUND


def asked(evidence: Evidence) -> bool:
    """The probe tried: the command ended, hung, or was skipped behind one that hung. Not so where nothing was given."""
    return evidence.status is not None or evidence.note.startswith(("timed out", "skipped", LOST))


def together(record: ProbeRecord, *groups: tuple[str, ...]) -> ProbeRecord:
    """The record where no answer of a tool is `not found` while the same tool answered another question: it got lost.

    `groups` are the sections that the probe tells as missing together or not at all.
    """
    lost: dict[str, Evidence] = {}
    for group in groups:
        there = [name for name in group if name in record.sections and not absent(record.sections[name])]
        gone = [name for name in group if name in record.sections and name not in there]
        lost |= {
            name: Evidence(name=name, note=f"{LOST}: not found, yet {there[0]} answered") for name in gone if there
        }
    return replace(record, sections={**record.sections, **lost})


def garbled(line: str) -> bool:
    """It has a byte that no text has: a control character, or what stood for one that was no UTF-8."""
    return "\ufffd" in line or not line.replace("\t", " ").isprintable()


def silence(evidence: Evidence) -> Unknown | None:
    """Why this evidence cannot be read; None when it can: it ended with status 0 and is whole."""
    if evidence.ok:
        return None
    if evidence.truncated:
        return Unknown(unknown=f"{evidence.name}: the output was cut")
    if evidence.status is None:
        settle = "probe as root" if evidence.note == NOT_READABLE else ""
        return Unknown(unknown=f"{evidence.name}: {evidence.note or 'did not end'}", settle=settle)
    said = lines(evidence.text)
    return Unknown(unknown=f"{evidence.name} ended {evidence.status}" + (f": {said[-1].strip()[:200]}" if said else ""))


def unreadable(evidence: Evidence, otherwise: str) -> Unknown:
    """Why nothing came of this evidence: its own reason, else `otherwise`."""
    why = silence(evidence)
    return Unknown(unknown=f"{evidence.name}: {otherwise}") if why is None else why


def version_of(kind: Callable[[str], T | None], text: str | None, where: str) -> T | Unknown:
    """`text` as a version of this kind (`HdkVersion.maybe`), or why it is not one."""
    if not text:
        return Unknown(unknown=f"{where}: no version in it")
    found = kind(text)
    return Unknown(unknown=f"{where}: {text[:80]!r} is not a version of that kind") if found is None else found


def either(value: str | None, missing: str) -> str | Unknown:
    """The value, or unknown with the reason."""
    return value or Unknown(unknown=missing)


def blocks(text: str, heads: str = "F") -> list[tuple[str, str, list[str]]]:
    """The probe's lists of files: `F PATH` and, one blank in front, that file's lines -> (head, path, lines).

    `heads` are the letters that may begin an entry; a file's own line can never look like one.
    """
    found: list[tuple[str, str, list[str]]] = []
    for line in lines(text):
        if line[0] == " ":
            if found:
                found[-1][2].append(line[1:])
        elif line[0] in heads and line[1:2] == " ":
            found.append((line[0], line[2:], []))
    return found


def foreign_lines(text: str, heads: str = "F") -> tuple[str, ...]:
    """Lines that are neither an entry of `blocks` nor inside one: the list is not whole."""
    strange: list[str] = []
    inside = False
    for line in lines(text):
        if line[0] in heads and line[1:2] == " ":
            inside = True
        elif line[0] != " " or not inside:
            strange.append(line)
    return tuple(strange)


def one_per_shape(unread: Iterable[str]) -> tuple[str, ...]:
    """Each kind of line once: lines that differ only in digits are one."""
    seen: dict[str, str] = {}
    for line in unread:
        shape = "".join("0" if letter.isdigit() else letter for letter in line)
        seen.setdefault(shape, line[:200])
    return tuple(seen.values())
