"""Pasted text as clean lines, and what stands above a piece of it: the command that printed it, a file's path, a title.

Colours, carriage returns of progress bars, a byte order mark, Markdown quotes and fences are taken away; the numbers
of the lines stay those of the file.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|\x1b[()][A-Z0-9]|[\ufeff\u200b]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_TOOLS = (
    r"npu-smi|hccn_tool|upgrade-tool|cat|head|tail|more|less|ls|lsmod|lspci|dmesg|uname|hostname|pip3?|python3?|conda|"
    r"env|printenv|export|rpm|dpkg|df|id|getent|docker|kubectl|grep|find|bash|sh|source|mpirun|for|sudo|journalctl|"
    r"dmidecode|date|uptime|echo|ldd|sha256sum|\./\S+|/\S+"
)
_PROMPTS = (
    re.compile(
        r"(?:\([\w.-]+\) ?)*\[?(?P<user>[\w.-]+)@(?P<host>[\w.-]+)(?:[ :][^\]#$]{0,120})?\]?\s*[#$](?!\w*:)\s*"
        r"(?P<command>.*)"
    ),
    re.compile(r"(?P<host>[A-Za-z][\w.-]*)?\$\s+(?P<command>\S.*)"),
    re.compile(r"(?:sh|bash)-[\d.]+[#$]\s*(?P<command>.*)"),
    re.compile(rf"#+\s+(?P<command>(?:{_TOOLS})(?:\s.*)?)"),
    re.compile(
        r"(?P<command>npu-smi\s+(?:info|upgrade|set)(?:\s+-.*)?|hccn_tool\s+-i\s.*|upgrade-tool\s+-.*|lspci(?:\s+-.*)?|"
        r"lsmod(?:\s*\|.*)?|pip3?\s+(?:list|freeze).*|conda\s+list.*|uname\s+-.*|cat\s+/\S+|env|printenv|dmesg(?:\s.*)?)"
    ),
)
_TITLE = re.compile(r"(?:#{1,6}|==>|--|//|;|\*\*)\s*(?P<words>\S.*)|(?P<path>~?/[\w./+-]+):?")
_PATH = re.compile(r"(?<![\w.])(~?/(?:[\w.+-]+/)*[\w.+-]+)")
_FRAME = re.compile(r"\+[-=+]{20,}[-=]")
_FRAME_ENDS = re.compile(r"[-=+]*\+")
_FENCE = re.compile(r"\s*(?:```|~~~)")


class Line(NamedTuple):
    """One line, without its colours and the blanks at its end; `number` counts from 1."""

    number: int
    text: str

    @property
    def bare(self) -> str:
        """Without the blanks in front either."""
        return self.text.strip()


class Above(NamedTuple):
    """What stands above a piece: `command`, the first `path` named in it or in a title, and the `words` of all that.

    `user` and `host` are those of the prompt.
    """

    command: str = ""
    path: str = ""
    words: str = ""
    user: str = ""
    host: str = ""


def lines(text: str) -> list[Line]:
    """Every line of a file; rows of a table that a narrow terminal wrapped are whole again."""
    return _unwrapped([Line(number, _clean(line)) for number, line in enumerate(text.split("\n"), start=1)])


def _unwrapped(rows: list[Line]) -> list[Line]:
    """A table's frame that goes on in the next line shows how wide the terminal was, and how much is left over."""
    frames = (
        (len(row.text), len(after.text))
        for row, after in pairwise(rows)
        if _FRAME.fullmatch(row.text) and _FRAME_ENDS.fullmatch(after.text) and len(after.text) < len(row.text)
    )
    width, over = next(frames, (0, 0))
    if not width:
        return rows
    whole: list[Line] = []
    for row in rows:
        last = whole[-1] if whole else None
        if last and last.text[:1] in "|+" and 0 < len(last.text) <= width and len(row.text) == over:
            whole[-1] = last._replace(text=last.text.ljust(width) + row.text)
        else:
            whole.append(row)
    return whole


def above(line: Line) -> Above | None:
    """What this line says about those below it, when it is a prompt with a command, or a command alone."""
    for pattern in _PROMPTS:
        if match := pattern.fullmatch(line.bare):
            found = match.groupdict()
            command = (found.get("command") or "").strip()
            return Above(command, _path(command), command.lower(), found.get("user") or "", found.get("host") or "")
    return None


def title(line: Line, before: Above) -> Above | None:
    """What a heading or a comment says about the lines below it; who was logged in stays as it was.

    A comment in a file (`# version: 1.0`) does not end what the heading above said.
    """
    match = _TITLE.fullmatch(line.bare)
    if match is None:
        return None
    words = match["words"] or match["path"]
    path = _path(words) or (before.path if line.bare.startswith("# ") else "")
    return before._replace(command="", path=path, words=words.lower())


def of_file(name: str) -> Above:
    """What the name of a file says about all of it."""
    return Above(path=name, words=name.lower())


def fence(line: Line) -> bool:
    """A Markdown fence: what stood above is over."""
    return _FENCE.match(line.text) is not None


def elided(line: Line) -> bool:
    """Somebody left something out here: `...`, `…`, `... (to NPU 7)`."""
    return line.bare.startswith(("...", "…"))


def _clean(line: str) -> str:
    line = _COLOUR.sub("", line.rstrip("\r"))
    line = line.rpartition("\r")[2] or line
    line = _CONTROL.sub(" ", line).replace("\u00a0", " ").rstrip()
    return line[2:] if line.startswith("> ") else line


def _path(text: str) -> str:
    match = _PATH.search(text)
    return match[1] if match else ""
