"""What a host is made of (HostSpec, from the client to the daemon) and how it is (HostStatus, back)."""

from __future__ import annotations

import dataclasses
import ipaddress
from dataclasses import dataclass
from typing import Any, Literal

NETWORK = ipaddress.ip_network("10.77.0.0/16")
GATEWAY = str(NETWORK.network_address + 1)
_FIRST_HOST = 256

Init = Literal["systemd", "light"]
# off: power off, or poweroff inside; lost: a reboot that never returned (fault); crashed: PID 1 ended by itself
State = Literal["new", "on", "off", "lost", "crashed"]


@dataclass(frozen=True, kw_only=True)
class DeviceNode:
    """A character device that waits under /dev/.lab until the driver is loaded."""

    name: str
    mode: int


@dataclass(frozen=True, kw_only=True)
class HostSpec:
    """Everything the daemon needs to boot a host; `lowers` are overlay layers, topmost first."""

    name: str
    index: int
    profile: str
    stack: str
    python: str
    init: Init
    lowers: tuple[str, ...]
    devices: tuple[DeviceNode, ...]
    sysfs: str | None
    disk_mb: int

    @property
    def ip(self) -> str:
        """The host's address in the fleet's own network."""
        return str(NETWORK.network_address + _FIRST_HOST + self.index)

    @property
    def mac(self) -> str:
        """The same on every boot: else peers send to the old one until their ARP entry ages out."""
        return "02:fe:" + ":".join(f"{byte:02x}" for byte in ipaddress.ip_address(self.ip).packed)

    @property
    def link(self) -> str:
        """Name of the bridge's end of the host's cable."""
        return f"lab{self.index}"

    def to_json(self) -> dict[str, Any]:
        """For the wire."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, raw: dict[str, Any]) -> HostSpec:
        """From the wire."""
        devices = tuple(DeviceNode(**device) for device in raw.pop("devices"))
        return cls(devices=devices, lowers=tuple(raw.pop("lowers")), **raw)


@dataclass(frozen=True, kw_only=True)
class HostStatus:
    """A host as the daemon sees it."""

    name: str
    index: int
    ip: str
    profile: str
    stack: str
    python: str
    state: State
    pid: int | None
    boots: int
    cut: bool
