"""Control groups: each boot of a host gets its own cgroup v2 subtree, also on machines with the old hybrid layout."""

from __future__ import annotations

import os
import time
from pathlib import Path

from ascend_provision.lab import syscalls
from ascend_provision.lab.places import rootless


def fleet_cgroup(fleet: str, mount_at: Path | None = None) -> Path | None:
    """Where a fleet's cgroups go, None if there is no place (then only `--init light` hosts work).

    For root that is the top of the cgroup2 tree, mounted at `mount_at` if the machine shows none (in a chroot);
    rootless it is our own, delegated, cgroup.
    """
    root = _mounted()
    if root is None and mount_at is not None:
        mount_at.mkdir(parents=True, exist_ok=True)
        try:
            syscalls.mount("cgroup2", mount_at, "cgroup2", syscalls.NOSUID | syscalls.NODEV | syscalls.NOEXEC)
        except OSError:
            return None
        root = mount_at
    if root is None:
        return None
    return root / (_own().lstrip("/") if rootless() else "") / f"ascend-lab-{fleet}"


def make(group: Path) -> bool:
    """Create a cgroup; False if we may not (rootless without delegation)."""
    try:
        group.mkdir(exist_ok=True)
    except OSError:
        return False
    return os.access(group / "cgroup.procs", os.W_OK)


def join(group: Path) -> None:
    """Put this process into the cgroup."""
    group.mkdir(exist_ok=True)
    (group / "cgroup.procs").write_text("0")


def remove(group: Path) -> None:
    """Remove a cgroup and all below it; the kernel needs a moment after the last process has died."""
    for _ in range(50):
        for top, _dirs, _files in os.walk(group, topdown=False):
            try:
                Path(top).rmdir()
            except OSError:
                continue
        if not group.is_dir():
            return
        time.sleep(0.02)


def _mounted() -> Path | None:
    for line in Path("/proc/mounts").read_text().splitlines():
        fields = line.split()
        if fields[2] == "cgroup2":
            return Path(fields[1])
    return None


def _own() -> str:
    rows = Path("/proc/self/cgroup").read_text().splitlines()
    return next((row[3:] for row in rows if row.startswith("0::")), "/")
