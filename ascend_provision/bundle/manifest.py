"""`SHA256SUMS`: the list of a package directory, in the form that `sha256sum -c` reads (`<hex>  <file>`)."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from pathlib import Path

from ascend_provision.stack.errors import UsageError

NAME = "SHA256SUMS"

_LINE = re.compile(r"([0-9a-fA-F]{64}) [ *](.+)")


def read(directory: Path) -> dict[str, str]:
    """File name -> lower-case sha256. Raises UsageError when it is missing or a line is not understood."""
    path = directory / NAME
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(
            f"{directory} has no {NAME}",
            code="manifest-missing",
            why="packages are used only when their checksum is on record",
            next_action=f"ascend-provision bundle add {directory}",
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read", code="manifest-unreadable", why=str(error)) from error
    return parse(text, path)


def parse(text: str, path: Path) -> dict[str, str]:
    """The lines of `text`; `path` is only named in errors."""
    sums: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        found = _LINE.fullmatch(line)
        if not found or "/" in found[2]:
            raise UsageError(
                f"{path}:{number} is no checksum line of a file in this directory",
                code="manifest-line",
                why=repr(line),
                next_action="write it as `<64 hex digits>  <file name>`, or remove it and run `bundle add` again",
            )
        if sums.setdefault(found[2], found[1].lower()) != found[1].lower():
            raise UsageError(
                f"{path}:{number} gives {found[2]} a second, different checksum",
                code="manifest-contradicts",
                next_action="remove the wrong line",
            )
    return sums


def write(directory: Path, sums: Mapping[str, str]) -> None:
    """Replace the manifest in one rename; lines are sorted by name, so equal content is equal bytes."""
    path = directory / NAME
    text = "".join(f"{sums[name]}  {name}\n" for name in sorted(sums))
    fresh = path.with_name(f".{NAME}.{os.getpid()}")
    with fresh.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def sha256(path: Path) -> str:
    """The lower-case hex sha256 of a file's content."""
    with path.open("rb") as file:
        digest = hashlib.sha256()
        while block := file.read(1 << 20):
            digest.update(block)
        return digest.hexdigest()
