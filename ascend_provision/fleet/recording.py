"""`check --record DIR`: what hosts said, as it may be sent to somebody else, in the form that `--evidence` reads."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path

from ascend_provision.evidence.redact import redact
from ascend_provision.stack.errors import UsageError


def record(evidence: Path, hosts: Sequence[str], directory: Path, *, keep_addresses: bool) -> list[str]:
    """Write `<host>.probe` for each host into the directory, readable by its owner alone; what to tell the operator.

    Raises UsageError when the directory cannot be written, or has answers of other hosts in it.
    """
    salt = secrets.token_bytes(32)
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        strange = sorted(
            path.name for path in directory.iterdir() if path.name not in {f"{host}.probe" for host in hosts}
        )
        if strange:
            raise UsageError(
                f"`{directory}` is not empty: {', '.join(strange[:3])}",
                code="record-not-empty",
                why="a recording is one look at one fleet",
                next_action="name a new directory",
            )
        written = list(_write(evidence, hosts, directory, salt, keep_addresses))
    except OSError as error:
        raise UsageError(f"`{directory}` cannot be written", code="record-unwritable", why=str(error)) from error
    left = "secrets and serial numbers" if keep_addresses else "secrets, serial numbers and addresses"
    return [
        f"{len(written)} hosts recorded in {directory}, {left} replaced; host names, user names and command lines are "
        "in it: look through it before you send it",
    ]


def _write(evidence: Path, hosts: Sequence[str], directory: Path, salt: bytes, keep: bool) -> Iterator[Path]:
    for host in hosts:
        source = evidence / f"{host.replace(os.sep, '_')}.probe"
        text = source.read_text(encoding="utf-8", errors="replace")
        path = directory / source.name
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(redact(text, salt, keep_addresses=keep))
        yield path
