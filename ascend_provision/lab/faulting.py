"""Switch a named fault of a host on or off. What faults there are and where they act is in `lab.ascend.faults`."""

from __future__ import annotations

from pathlib import Path

from ascend_provision.lab import inside
from ascend_provision.lab.errors import LabError
from ascend_provision.lab.running import upper_of
from ascend_provision.lab.places import FleetPlace
from ascend_provision.lab.spec import HostStatus

_FAULTS = "opt/ascend-lab/faults"


def switch_on(place: FleetPlace, daemon: int, host: HostStatus, name: str, value: str) -> None:
    """The host's tools, its boot and the lab's daemon look at this file from now on."""
    directory = _directory(place, daemon, host)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / name).write_text(f"{value}\n" if value else "")


def switch_off(place: FleetPlace, daemon: int, host: HostStatus, name: str | None) -> list[str]:
    """Switch one fault off, or all; the names that were on."""
    gone = [fault for fault in active(place, daemon, host) if name in (None, fault)]
    for fault in gone:
        (_directory(place, daemon, host) / fault).unlink()
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


def _directory(place: FleetPlace, daemon: int, host: HostStatus) -> Path:
    """Through the host's own root while it is on (nobody else may write below a mounted overlay)."""
    root = inside.root_of(host) if host.pid else upper_of(place, daemon, host.name)
    return root / _FAULTS
