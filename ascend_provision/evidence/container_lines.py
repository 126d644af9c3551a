"""The lines that the probe asks a container runtime for: one of each container, then `E|ID` and its variables.

What stands in a container's line is each reader's own; one that ended between the two questions is no failure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ascend_provision.evidence.reading import garbled, lines
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown

_GONE = re.compile(r"Error.*: No such (object|container): ")


@dataclass(frozen=True)
class ContainerLines:
    """The containers' own lines, their variables by id, and the lines that are neither."""

    rows: tuple[re.Match[str], ...]
    variables: dict[str, dict[str, str]]
    unread: tuple[str, ...]


def split(evidence: Evidence, row: re.Pattern[str], variable: re.Pattern[str]) -> ContainerLines:
    """`row` matches a whole line of a container; `variable` has a name and a value as its two groups."""
    rows: list[re.Match[str]] = []
    variables: dict[str, dict[str, str]] = {}
    unread: list[str] = []
    asked = ""
    answered: list[str] = []
    for line in lines(evidence.text):
        found = None if garbled(line) else row.fullmatch(line.rstrip())
        if found and found[1] not in {one[1] for one in rows}:
            rows.append(found)
        elif line.startswith("E|"):
            asked = line[2:].strip()
            answered.append(asked)
        elif (said := variable.fullmatch(line)) and asked:
            variables.setdefault(asked, {})[said[1]] = said[2]
        elif not _GONE.match(line):
            unread.append(line)
    known = {found[1] for found in rows}  # of the same question, asked before: none can have come since
    unread += [f"E|{box}" for box in answered if box not in known]
    return ContainerLines(rows=tuple(rows), variables=variables, unread=tuple(unread))


def not_understood(evidence: Evidence, unread: tuple[str, ...]) -> Unknown:
    """One line of another form, and the rest may mean something else too."""
    return Unknown(unknown=f"{evidence.name}: not understood: {unread[0][:160]}")
