"""The journal of a run: one JSON line a record, appended and fsynced before the next thing happens."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from ascend_provision.stack.plan import StepName
from ascend_provision.stack.runs import HostOutcome, JournalRecord, StepTime


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


@dataclass
class HostPast:
    """What earlier processes of a run did on one host. `boot_id` is that of before the first step.

    `cut` is the step whose end nobody recorded, with the boot id it started in. `back`: why it was being taken back
    to its old stack; `way` are the steps of the way it is on, `times` all of them.
    """

    boot_id: str
    back: str = ""
    way: tuple[StepTime, ...] = ()
    cut: tuple[StepName, str] | None = None
    times: tuple[StepTime, ...] = ()
    smoke: str = ""


@dataclass
class Past:
    """A run so far: when it began (None: it did not) and what was done on each host that was begun.

    `returned` were taken back: they are as they were before the run, have no past, and their wave comes again.
    """

    started_at: float | None = None
    hosts: dict[str, HostPast] = field(default_factory=dict)
    returned: set[str] = field(default_factory=set)


def past(path: Path) -> Past:
    """What the journal says of earlier processes of the run."""
    found = Past()
    for record in read(path):
        if record.event == "run-started" and found.started_at is None:
            found.started_at = record.at
        elif record.event == "step-started":
            host = found.hosts.setdefault(record.host, HostPast(boot_id=record.boot_id))
            host.cut = (cast("StepName", record.step), record.boot_id)
        elif record.event == "step-ended" and record.ending is not None and record.host in found.hosts:
            host = found.hosts[record.host]
            host.cut = None
            ended = StepTime(step=record.step, ending=record.ending, seconds=record.seconds or 0.0)
            host.times, host.way = (*host.times, ended), (*host.way, ended)
            if record.step == "hccl-smoke":
                host.smoke = record.detail
        elif record.event == "turned-back" and record.host in found.hosts:
            host = found.hosts[record.host]
            host.back, host.way, host.smoke, host.boot_id = record.detail, (), "", record.boot_id
        elif record.event == "host-ended" and record.detail.startswith(HostOutcome.ROLLED_BACK.value):
            found.hosts.pop(record.host, None)
            found.returned.add(record.host)
    return found


def read(path: Path) -> Iterator[JournalRecord]:
    """Every whole record; a line that is not one (cut by a crash) is passed over."""
    if not path.is_file():
        return
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            yield JournalRecord.model_validate_json(line)
        except ValueError:
            continue
