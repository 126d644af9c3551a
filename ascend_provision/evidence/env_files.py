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

from ascend_provision.evidence.reading import Reading, blocks, foreign_lines, garbled, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import EnvFile
from ascend_provision.stack.model import Unknown

_DECLARES = frozenset({"export", "declare", "local", "readonly"})
_OWN = "ascend-provision"
"""Our own files are told also when they have no line; of others only those that have one, and once."""
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL | re.ASCII)


def parse(evidence: Evidence, sums: dict[str, str]) -> Reading[tuple[EnvFile, ...] | Unknown]:
    """Files in the order of the probe, each with the last value of every variable and the files it reads."""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    entries = blocks(evidence.text)
    paths = [path for _, path, _ in entries]
    strange = (
        *foreign_lines(evidence.text),
        *(f"F {path}" for _, path, content in entries if not content and _OWN not in path),
        *(f"F {path}" for path in dict.fromkeys(paths) if paths.count(path) > 1),
    )
    if strange:
        return Reading(Unknown(unknown=f"env files: not understood: {strange[0][:120]}"), unread=strange)
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
    if unread:
        return Reading(Unknown(unknown=f"env files: not understood: {unread[0][:160]}"), unread=tuple(unread))
    return Reading(tuple(found))


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
    """Read one line; False when it is none of a shell: a byte that no text has, an open quote, a name that is none.

    A command that assigns nothing is a line like any other: it changes no variable of those who come after it.
    """
    sure = not line.startswith("\t")
    words = _words(line)
    if words is None or garbled(line):
        return False
    if words[:1] == ["alias"]:
        return True
    understood = True
    for number, word in enumerate(words):
        if word == "unset":
            for name in words[number + 1 :]:
                file.unset(name)
            return True
        if word in {".", "source"} and number + 1 < len(words):
            file.sources.append(words[number + 1].rstrip(";"))
        elif match := _ASSIGNMENT.fullmatch(word):
            file.set(match[1], match[2], sure=sure)
        elif "=" in word and (number == 0 or words[number - 1] in _DECLARES):
            understood = False
    return understood


def _words(line: str) -> list[str] | None:
    """Words as the shell sees them, quotes removed and variables left as they are; `;`, `&&` separate words.

    None when a quote stays open.
    """
    reader = shlex.shlex(line, posix=True, punctuation_chars=";&|()")
    reader.whitespace_split = True
    reader.commenters = "#"
    try:
        return [word for word in reader if not set(word) <= set(";&|()")]
    except ValueError:
        return None
