"""The stack asked for."""

from __future__ import annotations

from ascend_provision.stack.model import Noun
from ascend_provision.stack.versions import CannVersion, FirmwareVersion, HdkVersion


class Target(Noun):
    """Versions wanted on a host; None leaves that component as it is. `name` is the named stack, if one was used."""

    name: str | None = None
    driver: HdkVersion | None = None
    firmware: FirmwareVersion | None = None
    cann: CannVersion | None = None

    def __str__(self) -> str:
        parts = [f"{key}={value}" for key in ("driver", "firmware", "cann") if (value := getattr(self, key))]
        return (f"{self.name} " if self.name else "") + "(" + " ".join(parts) + ")"
