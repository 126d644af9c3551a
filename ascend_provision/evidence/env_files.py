"""Shell profiles and environment files, as far as their lines concern the stack.

The probe sends `F PATH` and the lines that name a variable of CANN, HCCL, torch_npu or a path below Ascend; a tab in
front says that only some runs of the file reach the line. Nothing is run: `export A=1`, `A=1`, `. FILE` and
`source FILE` are read as words, and of a unit `Environment=` and `EnvironmentFile=`.
Sources: POSIX shell command language; systemd.exec(5).
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field

from ascend_provision.evidence.reading import Reading, blocks, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import EnvFile
from ascend_provision.stack.model import Unknown

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)


def parse(evidence: Evidence, sums: dict[str, str]) -> Reading[tuple[EnvFile, ...] | Unknown]:
    """Files in the order of the probe, each with the last value of every variable and the files it reads."""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    entries = blocks(evidence.text)
    if not entries and lines(evidence.text):
        return Reading(Unknown(unknown="env files: not understood"), unread=tuple(lines(evidence.text)))
    found: list[EnvFile] = []
    unread: list[str] = []
    for _, path, content in entries:
        file = _File()
        unit = path.endswith((".service", ".conf"))
        for line in content:
            if not (_unit_line(line, file) if unit else _line(line, file)):
                unread.append(f"{path}: {line.strip()}")
        found.append(
            EnvFile(
                path=path,
                variables=file.variables,
                sources=tuple(file.sources),
                sha256=sums.get(path, ""),
                replaced={name: tuple(values) for name, values in file.replaced.items()},
            )
        )
    return Reading(tuple(found), unread=tuple(unread))


def parse_interfaces(evidence: Evidence) -> Reading[tuple[str, ...] | Unknown]:
    """The names below /sys/class/net: what HCCL_SOCKET_IFNAME may choose from. A host without any is not understood."""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    names = tuple(sorted(line.strip() for line in lines(evidence.text)))
    return Reading(names or Unknown(unknown="interfaces: none in it, not even lo"))


@dataclass
class _File:
    variables: dict[str, str] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)
    replaced: dict[str, list[str]] = field(default_factory=dict)
    sure: set[str] = field(default_factory=set)

    def set(self, name: str, value: str, *, sure: bool) -> None:
        """`sure`: every run of the file gets there."""
        before = self.variables.get(name)
        keeps = f"${name}" in value or f"${{{name}" in value
        if before is not None and sure and name in self.sure and not keeps and before != value:
            self.replaced.setdefault(name, []).append(before)
        self.variables[name] = value
        self.sure = self.sure | {name} if sure else self.sure - {name}

    def unset(self, name: str) -> None:
        self.variables.pop(name, None)
        self.replaced.pop(name, None)


def _unit_line(line: str, file: _File) -> bool:
    key, equals, rest = line.strip().partition("=")
    if key.strip() == "EnvironmentFile" and equals:
        file.sources.append(rest.strip().removeprefix("-"))
        return True
    return key.strip() == "Environment" and _line(rest, file)


def _line(line: str, file: _File) -> bool:
    """Read one line; False when no assignment, no source and no unset was seen in it."""
    sure = not line.startswith("\t")
    words = _words(line)
    if not words or words[0] == "alias":
        return bool(words)
    understood = False
    for number, word in enumerate(words):
        if word == "unset":
            for name in words[number + 1 :]:
                file.unset(name)
            return True
        if word in {".", "source"} and number + 1 < len(words):
            file.sources.append(words[number + 1].rstrip(";"))
            understood = True
        elif match := _ASSIGNMENT.fullmatch(word):
            file.set(match[1], match[2], sure=sure)
            understood = True
    return understood


def _words(line: str) -> list[str]:
    """Words as the shell sees them, quotes removed and variables left as they are; `;`, `&&` separate words."""
    reader = shlex.shlex(line, posix=True, punctuation_chars=";&|()")
    reader.whitespace_split = True
    reader.commenters = "#"
    try:
        return [word for word in reader if not set(word) <= set(";&|()")]
    except ValueError:
        return line.split()
