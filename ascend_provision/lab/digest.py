"""One number for everything a host has written: proof that nobody changed it.

sha256 over the host's overlay upper directory: for each path its type, mode, owner, size and content (or link target,
or device number), and the overlay's own marks (deleted, opaque). Times are left out. What a running Linux writes on its
own is left out too, and named: EXCEPTIONS.
"""

from __future__ import annotations

import fnmatch
import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# pattern of paths below the host's root -> why they say nothing about a change; /run and /dev are not on disk anyway
EXCEPTIONS = {
    "var/log/wtmp": "who logged in: every SSH session is noted there",
    "var/log/btmp": "failed logins",
    "var/log/lastlog": "last login of each user",
    "root/.ansible": "Ansible's temporary modules of root",
    "home/ops/.ansible": "Ansible's temporary modules of ops",
    "tmp/systemd-private-*": "made by systemd at each boot for services with a /tmp of their own",
    "var/tmp/systemd-private-*": "made by systemd at each boot for services with a /tmp of their own",
}
_OPAQUE = ("trusted.overlay.opaque", "user.overlay.opaque")


@dataclass(frozen=True)
class HostDigest:
    """The digest, and how many paths went into it."""

    sha256: str
    paths: int


def digest(upper: Path) -> HostDigest:
    """Digest of the upper directory of a host, on or off."""
    total = hashlib.sha256()
    count = 0
    for relative in _paths(upper):
        total.update(describe(upper, relative).encode(errors="surrogateescape") + b"\n")
        count += 1
    return HostDigest(total.hexdigest(), count)


def listing(upper: Path) -> list[str]:
    """One line a path: what the digest is made of, to find out what changed."""
    return [describe(upper, relative) for relative in _paths(upper)]


def describe(upper: Path, relative: str) -> str:
    """`path type mode uid:gid size-or-target content-hash`."""
    path = upper / relative
    info = path.lstat()
    kind = stat.S_IFMT(info.st_mode)
    if kind == stat.S_IFREG:
        with path.open("rb") as content:
            body = f"file {info.st_size} {_sha256(content.fileno())}"
    elif kind == stat.S_IFLNK:
        body = f"link {str(path.readlink())!r}"
    elif kind == stat.S_IFDIR:
        body = "directory opaque" if _opaque(path) else "directory"
    elif kind == stat.S_IFCHR and info.st_rdev == 0:
        body = "deleted"
    else:
        body = f"special {kind:o} {info.st_rdev}"
    return f"{relative!r} {stat.S_IMODE(info.st_mode):04o} {info.st_uid}:{info.st_gid} {body}"


def _paths(upper: Path) -> Iterator[str]:
    for top, directories, files in os.walk(upper):
        directories.sort()
        here = os.path.relpath(top, upper)
        prefix = "" if here == "." else f"{here}/"
        directories[:] = [name for name in directories if not _excepted(prefix + name)]
        for name in sorted([*files, *directories]):
            if not _excepted(prefix + name):
                yield prefix + name


def _excepted(relative: str) -> bool:
    return any(fnmatch.fnmatchcase(relative, pattern) for pattern in EXCEPTIONS)


def _opaque(path: Path) -> bool:
    names = set(os.listxattr(path, follow_symlinks=False))
    return any(mark in names for mark in _OPAQUE)


def _sha256(handle: int) -> str:
    total = hashlib.sha256()
    while block := os.read(handle, 1 << 20):
        total.update(block)
    return total.hexdigest()
