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
