"""What new hosts are asked to be, and the hand-over to `lab.ascend`, which makes Ascend servers of them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from ascend_provision.lab.ascend import profiles, stacks
from ascend_provision.lab.spec import DeviceNode, Init

BARE = stacks.BARE


@dataclass(frozen=True, kw_only=True)
class Order:
    """Some new hosts of one kind. `options` are the fields of `lab.ascend.dress.DressOptions`."""

    nodes: int
    profile: str
    stack: str
    prefix: str | None = None
    init: Init = "systemd"
    disk_mb: int = 20480
    options: dict[str, Any] = field(default_factory=dict)


class Dresser(Protocol):
    """Makes something of an empty host."""

    def check(self, order: Order) -> None:
        """LabError for an order that cannot be filled."""

    def prefix(self, profile: str) -> str:
        """What host names begin with."""

    def dress(self, upper: Path, order: Order, host: str, index: int) -> tuple[DeviceNode, ...]:
        """Fill a host's upper directory; the device nodes it needs at every boot."""

    def sysfs(self, directory: Path, profile: str) -> None:
        """Fill a directory that is laid over /sys."""


class AscendDresser:
    """The simulated Ascend parts of `lab.ascend`."""

    def check(self, order: Order) -> None:
        """LabError for a profile or stack that was never published."""
        profiles.get(order.profile)
        stacks.get(order.profile, order.stack)

    def prefix(self, profile: str) -> str:
        """The chip family: a1-1, a2-1, a3-1; p310-1 for a 310P, because a host's name begins with a letter."""
        family = profiles.get(profile).family.value.lower()
        return family if family[0].isalpha() else f"{family[-1]}{family[:-1]}"

    def dress(self, upper: Path, order: Order, host: str, index: int) -> tuple[DeviceNode, ...]:
        """Tools, services, simulated hardware state."""
        from ascend_provision.lab.ascend import dress  # noqa: PLC0415

        worn = dress.dress(
            upper,
            profile=order.profile,
            stack=order.stack,
            host=host,
            index=index,
            options=dress.DressOptions(**order.options),
        )
        return tuple(DeviceNode(name=node.name, mode=node.mode) for node in worn.device_nodes)

    def sysfs(self, directory: Path, profile: str) -> None:
        """PCI functions and DMI names."""
        from ascend_provision.lab.ascend import dress  # noqa: PLC0415

        dress.sysfs(directory, profile)


def with_stack(order: Order, stack: str) -> Order:
    """The same hosts with another stack."""
    return dataclasses.replace(order, stack=stack)
