"""Switch a named fault of a host on or off. What faults there are and where they act is in `lab.ascend.faults`."""

from __future__ import annotations

from pathlib import Path

from ascend_provision.lab import inside
from ascend_provision.lab.ascend import faults
from ascend_provision.lab.errors import INTERNAL, LabError
from ascend_provision.lab.places import FleetPlace
from ascend_provision.lab.running import upper_of
from ascend_provision.lab.spec import HostStatus

_FAULTS = "opt/ascend-lab/faults"


def switch_on(place: FleetPlace, daemon: int, host: HostStatus, text: str) -> None:
    """Switch `NAME[=VALUE]` on: at once, or for a host that is off from its next boot. LabError for an unknown name."""
    fault, value = faults.parse(text)
    if host.pid:
        _on_host(host, faults.on_command(text))
        return
    directory = _directory(place, daemon, host)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / fault.name).write_text(f"{value}\n")


def switch_off(place: FleetPlace, daemon: int, host: HostStatus, name: str | None) -> list[str]:
    """Switch one fault off, or all; the names that were on. LabError for a name that was not on."""
    if name is not None:
        faults.get(name)
    gone = [fault for fault in active(place, daemon, host) if name in (None, fault)]
    if name is not None and not gone:
        raise LabError(
            code="lab-fault-off",
            what=f"{host.name} has no fault {name!r} switched on",
            next=f"ascend-provision lab status --name {place.name}   (shows the faults that are on)",
        )
    for fault in gone:
        if host.pid:
            _on_host(host, faults.off_command(fault))
        else:
            (_directory(place, daemon, host) / fault).unlink()
    return gone


def active(place: FleetPlace, daemon: int, host: HostStatus) -> list[str]:
    """Names of the faults that are on."""
    directory = _directory(place, daemon, host)
    return sorted(path.name for path in directory.iterdir()) if directory.is_dir() else []


def _on_host(host: HostStatus, command: list[str]) -> None:
    ran = inside.capture(host, command)
    if ran.returncode:
        raise LabError(
            code="lab-fault-failed",
            what=f"{host.name}: `{' '.join(command)}` failed: {(ran.stdout + ran.stderr).strip()}",
            exit=INTERNAL,
        )


def _directory(place: FleetPlace, daemon: int, host: HostStatus) -> Path:
    """Through the host's own root while it is on (nobody else may write below a mounted overlay)."""
    root = inside.root_of(host) if host.pid else upper_of(place, daemon, host.name)
    return root / _FAULTS
