"""The kernel calls Python has no name for: mounts, namespaces, prctl. Each raises OSError that says what failed."""

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path

_libc = ctypes.CDLL(None, use_errno=True)

NEWTIME, NEWNS, NEWCGROUP, NEWUTS = 0x80, 0x20000, 0x2000000, 0x4000000
NEWIPC, NEWUSER, NEWPID, NEWNET = 0x8000000, 0x10000000, 0x20000000, 0x40000000

RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT = 1, 2, 4, 8, 32
BIND, REC, PRIVATE = 4096, 16384, 1 << 18

_DETACH = 2
_PR_SET_PDEATHSIG, _PR_CAPBSET_DROP, _PR_SET_CHILD_SUBREAPER = 1, 24, 36

# What a host could hurt the machine with:
# MODULE RAWIO TIME MKNOD AUDIT_CONTROL MAC_OVERRIDE MAC_ADMIN SYSLOG AUDIT_READ
_DANGEROUS_CAPABILITIES = (16, 17, 25, 27, 30, 32, 33, 34, 37)


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def _bytes(text: str | Path | None) -> bytes | None:
    return None if text is None else os.fsencode(text)


def mount(
    source: str | Path | None, target: str | Path, kind: str | None = None, flags: int = 0, data: str | None = None
) -> None:
    """mount(2); `kind` is the file system type, None for a bind or a change of flags."""
    result = _libc.mount(_bytes(source), _bytes(target), _bytes(kind), ctypes.c_ulong(flags), _bytes(data))
    _check(result, f"mount {kind or 'bind'} on {target}" + (f" ({data})" if data else ""))


def bind(source: str | Path, target: str | Path) -> None:
    """Show the file or directory `source` at `target`, without what is mounted below it."""
    mount(source, target, None, BIND)


def detach(target: str | Path) -> None:
    """Take a mount away now and free it when its last user has gone."""
    _check(_libc.umount2(_bytes(target), _DETACH), f"unmount {target}")


def pivot_root_here() -> None:
    """Make the current directory (a mount point) the root of this mount namespace and forget the old root."""
    _check(_libc.pivot_root(b".", b"."), "pivot_root")
    detach(".")
    os.chdir("/")


def is_no_mount_point(problem: OSError) -> bool:
    """Whether the kernel refused because a path is no mount point (the case inside a plain chroot)."""
    return problem.errno == errno.EINVAL


def unshare(namespaces: int) -> None:
    """Leave the given namespaces for new ones."""
    _check(_libc.unshare(namespaces), "unshare")


def enter(namespace: str | Path, kind: int) -> None:
    """Join the namespace behind a /proc/PID/ns file. Network namespaces are per thread."""
    handle = os.open(namespace, os.O_RDONLY | os.O_CLOEXEC)
    try:
        _check(_libc.setns(handle, kind), f"join {namespace}")
    finally:
        os.close(handle)


def set_hostname(name: str) -> None:
    """Name this UTS namespace."""
    raw = name.encode()
    _check(_libc.sethostname(raw, len(raw)), "sethostname")


def adopt_orphans() -> None:
    """Become the parent of grandchildren whose own parent has ended."""
    _check(_libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "prctl subreaper")


def die_with_parent(number: int) -> None:
    """Get this signal when the parent ends, however it ends."""
    _check(_libc.prctl(_PR_SET_PDEATHSIG, number, 0, 0, 0), "prctl parent death signal")


def drop_dangerous_capabilities() -> None:
    """Give up for good, for this process and all it starts, what could reach outside the namespaces."""
    for capability in _DANGEROUS_CAPABILITIES:
        _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
