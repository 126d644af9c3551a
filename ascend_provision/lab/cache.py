"""Directories that are built once, named by the content that made them, and shared read-only by all hosts.

A directory that a running fleet uses is locked (shared) by that fleet's daemon; an older one with the same label
that nobody uses is removed when its successor has been built.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ascend_provision.lab.errors import REFUSED, LabError
from ascend_provision.lab.places import cache_directory

Say = Callable[[str], None]
_DIGITS = 12


def content_name(label: str, parts: Iterable[bytes]) -> str:
    """`label-HASH`: another name for every other content."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return f"{label}-{digest.hexdigest()[:_DIGITS]}"


def tree_parts(top: Path) -> Iterator[bytes]:
    """Name, mode and content of every file below `top` that is source (no byte code), in a fixed order."""
    for path in sorted(top.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield str(path.relative_to(top)).encode()
            yield oct(path.stat().st_mode & 0o111).encode()
            yield path.read_bytes()


def built(kind: str, label: str, name: str, build: Callable[[Path], None], say: Say, *, rebuild: bool = False) -> Path:
    """The directory cache/KIND/NAME, built by `build(empty directory)` if it is not there yet.

    Safe against other processes that want the same: one builds, the others wait.
    """
    shelf = cache_directory() / kind
    shelf.mkdir(parents=True, exist_ok=True)
    done = shelf / name
    if done.is_dir() and not rebuild:
        return done
    with _exclusive(_lock_path(kind, f"{name}.build"), f"{kind}/{name}", say):
        if done.is_dir() and not rebuild:
            return done
        draft = shelf / f".{name}.draft-{os.getpid()}"
        try:
            draft.mkdir()
            build(draft)
            if done.is_dir():
                _remove_unused(done)
            draft.rename(done)
        finally:
            # ours, and those of builds that were killed
            for left in shelf.glob(f".{name}.draft-*"):
                shutil.rmtree(left, ignore_errors=True)
        _remove_predecessors(kind, shelf, label, done)
    return done


def hold(directory: Path) -> int:
    """Lock a built directory against removal while this process lives; the file descriptor keeps the lock."""
    handle = os.open(_lock_path(directory.parent.name, f"{directory.name}.use"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
    fcntl.flock(handle, fcntl.LOCK_SH)
    return handle


def _lock_path(kind: str, name: str) -> Path:
    locks = cache_directory() / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    return locks / f"{kind}.{name}"


@contextmanager
def _exclusive(path: Path, what: str, say: Say) -> Iterator[None]:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another process that builds {what}…")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _remove_predecessors(kind: str, shelf: Path, label: str, current: Path) -> None:
    for old in shelf.iterdir():
        stem, _, digest = old.name.rpartition("-")
        if stem != label or old == current or len(digest) != _DIGITS:
            continue
        with suppress(LabError):  # a running fleet stands on it
            _remove_unused(old)
            for lock in ("use", "build"):
                _lock_path(kind, f"{old.name}.{lock}").unlink(missing_ok=True)


def _remove_unused(directory: Path) -> None:
    handle = os.open(_lock_path(directory.parent.name, f"{directory.name}.use"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(directory)
    except BlockingIOError as problem:
        raise LabError(
            code="lab-cache-used",
            what=f"{directory} is in use by a running fleet",
            next="take the fleets down first: ascend-provision lab down",
            exit=REFUSED,
        ) from problem
    finally:
        os.close(handle)
