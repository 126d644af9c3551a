"""When a host is ready: sshd answers, users may log in, and the simulated hardware has come up."""

from __future__ import annotations

import socket
import time
from pathlib import Path

from ascend_provision.lab import inside, netns, protocol
from ascend_provision.lab.errors import INTERNAL, LabError
from ascend_provision.lab.places import FleetPlace
from ascend_provision.lab.spec import HostStatus

HARDWARE_UNIT = "ascend-lab-hardware.service"
CODES = ("lab-not-ready", "lab-host-ended", "lab-hardware-failed")  # of the errors raised here
_PAUSE_S = 0.05


def wait(place: FleetPlace, daemon: int, names: list[str], limit_s: float) -> None:
    """Wait until all of `names` are ready. LabError with the reason for the first host that is not in time."""

    def watch() -> None:
        pending = list(names)
        end = time.monotonic() + limit_s
        while True:
            states = {host.name: host for host in protocol.status(place)}
            pending = [name for name in pending if not _ready(place, states[name])]
            if not pending:
                return
            if time.monotonic() > end:
                raise _late(place, pending, limit_s)
            time.sleep(_PAUSE_S)

    netns.in_network_of(daemon, watch)


def boot_all(place: FleetPlace, daemon: int, names: list[str], limit_s: float, *, at_once: int = 8) -> None:
    """Power hosts on, a few at a time (a boot is mostly CPU), and wait until all are ready."""

    def start() -> None:
        waiting, pending = list(names), list[str]()
        end = time.monotonic() + limit_s
        while waiting or pending:
            while waiting and len(pending) < at_once:
                protocol.ask(place, "on", host=waiting[0])
                pending.append(waiting.pop(0))
            states = {host.name: host for host in protocol.status(place)}
            pending = [name for name in pending if not _ready(place, states[name])]
            if pending and time.monotonic() > end:
                raise _late(place, pending, limit_s)
            time.sleep(_PAUSE_S)

    netns.in_network_of(daemon, start)


def _ready(place: FleetPlace, host: HostStatus) -> bool:
    if host.state in ("crashed", "off", "lost"):
        raise LabError(
            code="lab-host-ended",
            what=f"{host.name} is {host.state}, it will not become ready; last lines of the lab's log:\n{_log(place)}",
            next=f"ascend-provision lab logs {host.name} --name {place.name}",
            exit=INTERNAL,
        )
    return (
        host.pid is not None
        and not _exists(Path(f"/proc/{host.pid}/root/run/nologin"))
        and _answers(host.ip)
        and _hardware_up(place, host)
    )


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # the process has just ended
        return True


def _answers(ip: str) -> bool:
    try:
        with socket.create_connection((ip, 22), 0.3) as connection:
            connection.settimeout(1)
            return connection.recv(4) == b"SSH-"
    except OSError:
        return False


def _hardware_up(place: FleetPlace, host: HostStatus) -> bool:
    """The unit comes before sshd, so it has ended by now: well, badly, or it does not exist (undressed host)."""
    if not _exists(Path(f"/proc/{host.pid}/root/run/systemd/system")):
        return True  # light host: no units
    asked = inside.capture(host, ["systemctl", "show", "-p", "ActiveState,LoadState", HARDWARE_UNIT])
    shown = dict(line.split("=", 1) for line in asked.stdout.splitlines() if "=" in line)
    if shown.get("LoadState") != "loaded" or shown.get("ActiveState") == "active":
        return bool(shown)
    if shown.get("ActiveState") == "failed":
        raise LabError(
            code="lab-hardware-failed",
            what=f"{host.name}: {HARDWARE_UNIT} failed:\n{_journal(host)}",
            next=f"ascend-provision lab exec {host.name} --name {place.name} -- systemctl status {HARDWARE_UNIT}",
            exit=INTERNAL,
        )
    return False


def _journal(host: HostStatus) -> str:
    return inside.capture(host, ["journalctl", "-b", "-n", "15", "--no-pager", "-u", HARDWARE_UNIT]).stdout


def _log(place: FleetPlace) -> str:
    return "\n".join(place.log.read_text(errors="replace").splitlines()[-3:])


def _late(place: FleetPlace, pending: list[str], limit_s: float) -> LabError:
    return LabError(
        code="lab-not-ready",
        what=f"not ready after {limit_s:g} s: {', '.join(pending)}",
        next=f"read the console: ascend-provision lab logs {pending[0]} --name {place.name}",
        exit=INTERNAL,
    )
