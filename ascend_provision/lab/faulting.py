"""Switch a named fault of a host on or off. What faults there are and where they act is in `lab.ascend.faults`."""

from __future__ import annotations

from pathlib import Path

from ascend_provision.lab import inside
from ascend_provision.lab.ascend import faults
from ascend_provision.lab.errors import LabError
from ascend_provision.lab.places import FleetPlace
from ascend_provision.lab.running import upper_of
from ascend_provision.lab.spec import HostStatus

_FAULTS = "opt/ascend-lab/faults"


def switch_on(place: FleetPlace, daemon: int, host: HostStatus, name: str, value: str) -> None:
    """The host's tools, its boot and the lab's daemon look at this file from now on."""
    directory = _directory(place, daemon, host)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / name).write_text(f"{value}\n" if value else "")
    _take_effect(host)


def switch_off(place: FleetPlace, daemon: int, host: HostStatus, name: str | None) -> list[str]:
    """Switch one fault off, or all; the names that were on."""
    gone = [fault for fault in active(place, daemon, host) if name in (None, fault)]
    for fault in gone:
        (_directory(place, daemon, host) / fault).unlink()
    _take_effect(host)
    if name is not None and not gone:
        raise LabError(
            code="lab-fault-off",
            what=f"{host.name} has no fault {name!r} switched on",
            next=f"ascend-provision lab status --name {place.name}   (shows the faults that are on)",
        )
    return gone


def active(place: FleetPlace, daemon: int, host: HostStatus) -> list[str]:
    """Names of the faults that are on."""
    directory = _directory(place, daemon, host)
    return sorted(path.name for path in directory.iterdir()) if directory.is_dir() else []


def _take_effect(host: HostStatus) -> None:
    """Some faults change something at once (a job starts, a kernel waits): the host's own lab-fault does that."""
    if host.pid is None:  # its next boot does
        return
    done = inside.capture(host, list(faults.SYNC_COMMAND))
    if done.returncode:
        raise LabError(
            code="lab-fault-failed",
            what=f"{host.name}: {' '.join(faults.SYNC_COMMAND)}: {done.stderr.strip() or done.stdout.strip()}",
            next=f"ascend-provision lab exec {host.name} -- {' '.join(faults.SYNC_COMMAND)}",
        )


def _directory(place: FleetPlace, daemon: int, host: HostStatus) -> Path:
    """Through the host's own root while it is on (nobody else may write below a mounted overlay)."""
    root = inside.root_of(host) if host.pid else upper_of(place, daemon, host.name)
    return root / _FAULTS
