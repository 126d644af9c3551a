"""Shell profiles and environment files, as far as their lines concern the stack.

The probe sends `F PATH` and the lines that name a variable of CANN, HCCL, torch_npu or a path below Ascend. Nothing is
run: `export A=1`, `A=1`, `. FILE` and `source FILE` are read as words. Source: POSIX shell command language.
"""

from __future__ import annotations

import re
import shlex

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
        variables: dict[str, str] = {}
        sources: list[str] = []
        for line in content:
            if not _line(line, variables, sources):
                unread.append(f"{path}: {line}")
        found.append(EnvFile(path=path, variables=variables, sources=tuple(sources), sha256=sums.get(path, "")))
    return Reading(tuple(found), unread=tuple(unread))


def _line(line: str, variables: dict[str, str], sources: list[str]) -> bool:
    """Read one line; False when no assignment, no source and no unset was seen in it."""
    words = _words(line)
    if not words or words[0] == "alias":
        return bool(words)
    understood = False
    for number, word in enumerate(words):
        if word == "unset":
            for name in words[number + 1 :]:
                variables.pop(name, None)
            return True
        if word in {".", "source"} and number + 1 < len(words):
            sources.append(words[number + 1].rstrip(";"))
            understood = True
        elif match := _ASSIGNMENT.fullmatch(word):
            variables[match[1]] = match[2]
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
