"""Shell profiles and dumps of an environment, as the probe's `env.files`: only lines that name the stack."""

from __future__ import annotations

import re
import shlex

from ascend_provision.evidence.pasted import files, kinds
from ascend_provision.evidence.pasted.cut import Piece

_DECLARED = re.compile(r"(?:export +|declare -x +)(.*)")


def section(pieces: list[Piece]) -> list[tuple[Piece, str]]:
    """`F PATH` and the lines; a dump has no path and is called the environment."""
    found: list[tuple[Piece, str]] = []
    for piece in pieces:
        if piece.kind == kinds.SHELL:
            path = piece.above.path if piece.above.path.startswith(("/", "~")) else f"({piece.file})"
            rows = [line.bare for line in piece.lines if not line.bare.startswith("#")]
        elif piece.kind == files.ENVIRONMENT:
            path = piece.above.path if piece.above.path.startswith(("/", "~")) else f"(environment in {piece.file})"
            rows = [_assignment(line.bare) for line in piece.lines]
        else:
            continue
        kept = [row for row in rows if files.STACK.search(row)]
        if kept:
            found.append((piece, f"F {path}\n" + "".join(f" {row}\n" for row in kept)))
    return found


def _assignment(line: str) -> str:
    """`A=b c` as `env` prints it, with the quotes that a shell would want; what has quotes already stays."""
    if _DECLARED.fullmatch(line):
        return line
    key, _, value = line.partition("=")
    return line if value[:1] in {'"', "'"} else f"{key}={shlex.quote(value)}"
