"""The journal of a run: one JSON line a record, appended and fsynced before the next thing happens."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

from ascend_provision.stack.runs import JournalRecord


class Journal:
    """Append-only. A line that a crash cut short is left out when reading; every whole line before it counts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self._mend()

    def _mend(self) -> None:
        """End a cut last line, so that the next record does not continue it."""
        data = self._path.read_bytes()
        if data and not data.endswith(b"\n"):
            os.write(self._file, b"\n")

    def write(self, record: JournalRecord) -> None:
        """Returns when the record is on disk."""
        with self._lock:
            os.write(self._file, record.model_dump_json(exclude_defaults=True).encode() + b"\n")
            os.fsync(self._file)

    def close(self) -> None:
        os.close(self._file)


def read(path: Path) -> Iterator[JournalRecord]:
    """Every whole record; a line that is not one (cut by a crash) is passed over."""
    if not path.is_file():
        return
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            yield JournalRecord.model_validate_json(line)
        except ValueError:
            continue
