"""Two `lab up` of one fleet go one after the other: a lock file beside the fleet's directory, gone with the fleet."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ascend_provision.lab.places import FleetPlace


@contextmanager
def taken(place: FleetPlace) -> Iterator[None]:
    """Wait for our turn and hold it."""
    path = _path(place)
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(handle, fcntl.LOCK_EX)
        if _is(handle, path):
            break
        os.close(handle)  # someone took the fleet down, and this file away, while we waited
    try:
        yield
    finally:
        os.close(handle)


def forget(place: FleetPlace) -> None:
    """Remove the lock file of a fleet that is down, unless someone is about to start it again."""
    with suppress(OSError):
        handle = os.open(_path(place), os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _path(place).unlink()
        finally:
            os.close(handle)


def _path(place: FleetPlace) -> Path:
    return place.dir.parent / f".{place.name}.up"


def _is(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
