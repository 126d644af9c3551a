"""Whether a fleet runs, where its daemon is, and sweeping up after one that was killed."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

from ascend_provision.lab import cgroups
from ascend_provision.lab.places import FleetPlace, fleet_names, fleet_place
from ascend_provision.lab.protocol import not_up


def running_daemon(place: FleetPlace) -> int | None:
    """The daemon's process id, None if the fleet does not run."""
    try:
        handle = os.open(place.lock, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return int(place.pid_file.read_text())
    finally:
        os.close(handle)
    return None


def require_daemon(place: FleetPlace) -> int:
    """The daemon's process id; LabError if the fleet does not run."""
    found = running_daemon(place)
    if found is None:
        raise not_up(place, running_fleets())
    return found


def running_fleets() -> list[str]:
    """Names of all fleets of this user that run."""
    return [name for name in fleet_names() if running_daemon(fleet_place(name)) is not None]


def upper_of(place: FleetPlace, daemon: int, host: str) -> Path:
    """The upper directory of a host, seen through the daemon's mount namespace."""
    return through(daemon, place.store / host / "u")


def through(daemon: int, path: Path) -> Path:
    """A path of the daemon's mount namespace as seen from here."""
    return Path(f"/proc/{daemon}/root") / path.relative_to("/")


def sweep(place: FleetPlace) -> None:
    """Remove what a fleet that does not run has left: files, shared SSH connections, empty cgroups."""
    end_shared_connections(place)
    if place.dir.exists():
        shutil.rmtree(place.dir)
    group = cgroups.fleet_cgroup(place.name)
    if group:
        cgroups.remove(group)


def end_shared_connections(place: FleetPlace) -> None:
    """An idle ssh master that Ansible left would hold the fleet's network namespace for another minute."""
    if place.control_sockets.is_dir():
        for socket in place.control_sockets.iterdir():
            subprocess.run(
                ["ssh", "-F", "none", "-S", str(socket), "-O", "exit", "any"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
            )
