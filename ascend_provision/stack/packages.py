"""A `.run` package in the store."""

from __future__ import annotations

from typing import Literal

from ascend_provision.stack.model import Noun
from ascend_provision.stack.versions import CannVersion, FirmwareVersion, PackageVersion

Component = Literal["driver", "firmware", "toolkit", "kernels", "nnal"]


class Package(Noun):
    """What a file name says, plus size in bytes and sha256 of the content.

    `version` is the number in the name: for a driver that is the package version, for firmware its own number or,
    up to HDK 22, the package version. `chip` is the name's chip token (910, 910b, 310p …), None for chip-neutral
    files; `arch` is aarch64 or x86_64, None when the name carries none (firmware; kernels through 8.0.RC2).
    """

    component: Component
    file: str
    version: str
    chip: str | None
    arch: str | None
    sha256: str
    size: int

    @property
    def driver_version(self) -> PackageVersion:
        return PackageVersion(self.version)

    @property
    def firmware_version(self) -> FirmwareVersion | None:
        return FirmwareVersion.maybe(self.version)

    @property
    def cann_version(self) -> CannVersion:
        return CannVersion(self.version)
