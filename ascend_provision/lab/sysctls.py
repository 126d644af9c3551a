"""A copy of /proc/sys: hosts get it through an overlay, so what they set stays in the host."""

from __future__ import annotations

import os
from pathlib import Path

_TOP = Path("/proc/sys")
_AREAS = ("kernel", "vm", "fs", "net", "abi", "dev", "user", "debug")


def copy_to(target: Path) -> None:
    """Copy names, modes and values; `net` stays empty (the host's own real one is put there)."""
    for area in _AREAS:
        for top, dirs, files in os.walk(_TOP / area):
            here = target / Path(top).relative_to(_TOP)
            here.mkdir(parents=True, exist_ok=True)
            if area == "net":
                dirs.clear()
                continue
            for name in files:
                source = Path(top) / name
                try:
                    value = source.read_bytes()
                except OSError:  # write-only, or not for us
                    value = b""
                (here / name).write_bytes(value)
                (here / name).chmod(source.stat().st_mode & 0o777)
