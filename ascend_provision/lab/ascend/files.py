"""Writing a file of a host's upper directory."""

from __future__ import annotations

from pathlib import Path


def write(path: Path, text: str, mode: int = 0o644) -> None:
    """Write `text` with `mode`, making directories as needed. A symbolic link in the way is replaced."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink():
        path.unlink()
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def write_command(path: Path, command: str) -> None:
    """A command of the host that one of the lab's tools answers; `command` is the tool and its first arguments."""
    write(path, f'#!/bin/sh\nexec /opt/ascend-lab/bin/{command} "$@"\n', 0o755)
