"""`check --record DIR`: what hosts said, as it may be sent to somebody else, in the form that `--evidence` reads."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ascend_provision.evidence import wire
from ascend_provision.evidence.redact import redact
from ascend_provision.stack.errors import UsageError


def prepare(directory: Path) -> None:
    """Make the directory, before any host is asked. Raises UsageError when it cannot be made or holds something."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        there = sorted(path.name for path in directory.iterdir())
    except OSError as error:
        raise _unwritable(directory, error) from error
    if there:
        raise UsageError(
            f"`{directory}` is not empty: {', '.join(there[:3])}",
            code="record-not-empty",
            why="a recording is one look at one fleet",
            next_action="name a new directory",
        )


def record(evidence: Path, pods: Mapping[str, str], directory: Path, *, keep_addresses: bool) -> list[str]:
    """Write `<host>.probe` for each host into the directory, readable by its owner alone; what to tell the operator.

    `pods`: every host, with the super-pod that the inventory gives it or nothing.
    A host that the inventory names by its address gets a replaced one too. Raises UsageError when it cannot be written.
    """
    salt = secrets.token_bytes(32)
    texts = [(host, _text(evidence / _file(host), pod)) for host, pod in pods.items()]
    try:
        written = list(_write(texts, directory, salt, keep_addresses))
    except OSError as error:
        raise _unwritable(directory, error) from error
    left = "secrets and serial numbers" if keep_addresses else "secrets, serial numbers and addresses"
    return [
        f"{len(written)} hosts recorded in {directory}, {left} replaced; host names, user names and command lines are "
        "in it: look through it before you send it",
    ]


def _unwritable(directory: Path, error: OSError) -> UsageError:
    return UsageError(f"`{directory}` cannot be written", code="record-unwritable", why=str(error))


def _text(path: Path, pod: str) -> str:
    text = path.read_text(encoding="utf-8", errors="replace")
    return wire.joined(text, wire.SUPER_POD, pod) if pod else text


def _file(host: str) -> str:
    return f"{host.replace(os.sep, '_')}.probe"


def _write(texts: Sequence[tuple[str, str]], directory: Path, salt: bytes, keep: bool) -> Iterator[Path]:
    for host, text in texts:
        path = directory / _file(host if keep else redact(host, salt))
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(redact(text, salt, keep_addresses=keep))
        yield path
