"""Cut a pasted file into pieces of one kind each, and say which lines are of none.

A piece ends where a line does not go on with it, at a prompt, a heading or a fence. A command whose output has no look
of its own (`hccn_tool -i 0 -lldp -g`) owns the lines up to the next of these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ascend_provision.evidence.pasted.kinds import HCCN_IP, HCCN_LINK, INFO, KINDS, SHELL, Kind
from ascend_provision.evidence.pasted.lines import Above, Line, above, elided, fence, of_file, title

_FRAME = re.compile(r"\+[-=+]{10,}\+?")
_SHELL_FILE = re.compile(
    r"(?:.*/)?(?:set_env\.sh|\.?bashrc|bash\.bashrc|\.?profile|\.bash_profile|environment)|/etc/profile\.d/[\w.-]+"
)
_SHOWS_A_FILE = re.compile(r"(?:sudo +)?(?:cat|head|tail|more|less|grep)\b|(?:~|/)\S+")
_OWNERS = (
    (re.compile(r"hccn_tool\b.* -ip\b.*"), HCCN_IP),
    (re.compile(r"hccn_tool\b.* -link\b.*"), HCCN_LINK),
    (re.compile(r".*\bhccn_tool\b.*? -(?!i\b|g\b)(\w+).*"), r"hccn_tool -\1"),
    (re.compile(r"npu-smi upgrade\b.*"), "npu-smi upgrade"),
    (re.compile(r"npu-smi info -(?:-help|h)\b.*"), "npu-smi help"),
    (re.compile(r"(?:sudo +)?(dmidecode)\b.*"), r"\1"),
)
"""Commands whose output is theirs however it looks."""
_OTHERS = (
    (re.compile(r"npu-smi info -t ([\w-]+).*"), r"npu-smi info -t \1"),
    (re.compile(r"(?:sudo +)?(ls|find|systemctl|docker|hostname|dmesg|ldd|df|rpm|dpkg)\b.*"), r"\1"),
)
"""Commands whose output has no look of its own."""


@dataclass(frozen=True)
class Piece:
    """Lines of one kind; `kind` is empty for lines that nobody recognises."""

    file: str
    kind: str
    lines: tuple[Line, ...]
    above: Above

    @property
    def text(self) -> str:
        """The lines without the blanks in front."""
        return "".join(f"{line.bare}\n" for line in self.lines if line.bare)

    @property
    def cut(self) -> bool:
        """Somebody left lines out."""
        return any(elided(line) for line in self.lines)


def pieces(file: str, rows: list[Line]) -> Iterator[Piece]:
    """Every piece of a file in its order; neighbouring lines that nobody recognises are one piece."""
    at, now, strange = 0, of_file(file), []
    while at < len(rows):
        line = rows[at]
        told = above(line)
        found = None if told or not line.bare or fence(line) else _piece(file, rows, at, now)
        if found is None:
            if told or fence(line) or (told := title(line, now)):
                now = told or of_file(file)._replace(user=now.user, host=now.host)
                if told and told.host:
                    yield Piece(file, "prompt", (line,), told)
            elif line.bare:
                strange.append(line)
            if strange and (told or at + 1 == len(rows) or not line.bare):
                yield Piece(file, "", tuple(strange), now)
                strange = []
            at += 1
            continue
        if strange:
            yield Piece(file, "", tuple(strange), now)
            strange = []
        yield found
        while at < len(rows) and rows[at].number <= found.lines[-1].number:
            at += 1


def _piece(file: str, rows: list[Line], at: int, now: Above) -> Piece | None:
    """The piece that begins in this line, if one does."""
    line = rows[at]
    shown = not now.command or _SHOWS_A_FILE.match(now.command)
    if shown and _SHELL_FILE.fullmatch(now.path):
        return Piece(file, SHELL, _until(rows, at, lambda row: above(row) is not None or fence(row)), now)
    first = at == 0 or above(rows[at - 1]) is not None
    if first and (name := _by_command(now.command, _OWNERS)):
        return Piece(file, name, _until(rows, at, _another), now)
    framed = _FRAME.fullmatch(line.bare) is not None
    after = (row.bare for row in rows[at + 1 : at + 4] if row.bare and not _FRAME.fullmatch(row.bare))
    head = next(after, "") if framed else line.bare
    for kind in KINDS:
        if kind.begins.match(head) and (kind.name == INFO or not framed):
            return Piece(file, kind.name, _of_kind(kind, rows, at), now)
    if first and (name := _by_command(now.command, _OTHERS)):
        return Piece(file, name, _until(rows, at, _another), now)
    return None


def _by_command(command: str, table: tuple[tuple[re.Pattern[str], str], ...]) -> str:
    for pattern, name in table:
        if match := pattern.fullmatch(command):
            return match.expand(name)
    return ""


def _another(line: Line) -> bool:
    return above(line) is not None or fence(line) or line.bare.startswith(("#", "-- ", "==> "))


def _until(rows: list[Line], at: int, ends: Callable[[Line], bool]) -> tuple[Line, ...]:
    last = at + 1
    while last < len(rows) and not ends(rows[last]):
        last += 1
    return _trimmed(rows[at:last])


def _of_kind(kind: Kind, rows: list[Line], at: int) -> tuple[Line, ...]:
    """Blank lines go on with any piece; other lines only as far as its kind allows."""
    end, others = at + 1, 0
    seen = kind.once is not None and kind.once.match(rows[at].bare) is not None
    for last in range(at + 1, len(rows)):
        line = rows[last]
        if not line.bare:
            continue
        if above(line) is not None or fence(line):
            break
        if kind.takes(line):
            if kind.once is not None and kind.once.match(line.bare):
                if seen:
                    break
                seen = True
            end, others = last + 1, 0
        else:
            others += 1
            if others > kind.gap:
                break
    return _trimmed(rows[at:end])


def _trimmed(rows: list[Line]) -> tuple[Line, ...]:
    while rows and not rows[-1].bare:
        rows = rows[:-1]
    return tuple(rows)
