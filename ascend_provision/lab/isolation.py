"""The daemon's own namespaces: mounts and links made in them end with the daemon and are never seen by the machine."""

from __future__ import annotations

import os
from pathlib import Path

from ascend_provision.lab import syscalls
from ascend_provision.lab.syscalls import BIND, NEWNET, NEWNS, PRIVATE, REC


def leave_the_machine(root_at: Path) -> None:
    """New network and mount namespaces; see `keep_mounts_to_ourselves`."""
    syscalls.unshare(NEWNET)
    keep_mounts_to_ourselves(root_at)


def keep_mounts_to_ourselves(root_at: Path) -> None:
    """A new mount namespace from which no mount spreads back to the machine.

    `root_at` is used when the caller lives in a plain chroot (a rescue system, a build root).
    """
    os.chdir("/")
    syscalls.unshare(NEWNS)
    try:
        syscalls.mount(None, "/", None, REC | PRIVATE)
    except OSError as problem:
        if not syscalls.is_no_mount_point(problem):
            raise
        _adopt_chroot(root_at)


def _adopt_chroot(root_at: Path) -> None:
    """Make the chroot directory a real root.

    In a chroot "/" is no mount point: propagation cannot be changed and pivot_root(2) refuses. Joining one's own mount
    namespace leads back to its true root; from there everything is made private, and the directory we came from
    (still our anchor by file descriptor) becomes a mount and then the root.
    """
    root_at.mkdir(parents=True, exist_ok=True)
    anchor = os.open("/", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    syscalls.enter("/proc/self/ns/mnt", NEWNS)
    syscalls.mount(None, "/", None, REC | PRIVATE)
    os.fchdir(anchor)
    os.close(anchor)
    inside = root_at.relative_to("/")
    syscalls.mount(".", inside, None, BIND | REC)
    os.chdir(inside)
    try:
        syscalls.pivot_root_here()
    except OSError as problem:  # the machine's own root cannot be swapped (initramfs): a chroot on a mount will do
        if not syscalls.is_no_mount_point(problem):
            raise
        os.chroot(".")
        os.chdir("/")
