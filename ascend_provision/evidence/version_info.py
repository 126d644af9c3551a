"""`driver/version.info` and `firmware/version.info`: KEY=VALUE lines the packages leave.

They say what is on the disk; what runs may be older until a restart. Up to HDK 22 the driver's file has no
`compatible_version_fw`. Sources: docs/formats.md#version-info.
"""

from __future__ import annotations

from dataclasses import dataclass

from ascend_provision.evidence.reading import Reading, absent, lines, pairs, silence, version_of
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import FirmwareVersion, HdkVersion, PackageVersion

IGNORED = frozenset(
    {
        "ascendhal_version", "aicpu_version", "tdt_version", "log_version", "prof_version", "dvppkernels_version",
        "tsfw_version", "mmpa_version", "firmware_version", "required_firmware_firmware_version",
    }
)  # fmt: skip
_DRIVER = frozenset({"Version", "Innerversion", "package_version", "compatible_version", "compatible_version_fw"})
_FIRMWARE = frozenset({"Version", "package_version", "compatible_version_drv"})


@dataclass(frozen=True)
class DriverFile:
    """None where the file, or the line, is not there."""

    version: HdkVersion | Unknown | None
    package: PackageVersion | Unknown | None = None
    inner: str | Unknown | None = None
    accepts_cann: str | Unknown | None = None
    accepts_firmware: str | Unknown | None = None


@dataclass(frozen=True)
class FirmwareFile:
    """None where the file, or the line, is not there."""

    version: FirmwareVersion | Unknown | None
    package: PackageVersion | Unknown | None = None
    accepts_driver: str | Unknown | None = None


def parse_driver(evidence: Evidence) -> Reading[DriverFile]:
    """Never raises: a file without `Version` is unknown, and so is all of it."""
    if absent(evidence):
        return Reading(DriverFile(version=None))
    values = pairs(evidence.text)
    if (why := _why(evidence, values, "driver/version.info", _DRIVER)) is not None:
        return Reading(DriverFile(why, why, why, why, why), unread=_unread(evidence, _DRIVER))
    return Reading(
        DriverFile(
            version=version_of(HdkVersion.maybe, values["Version"], "driver/version.info"),
            package=_package(values),
            inner=values.get("Innerversion"),
            accepts_cann=values.get("compatible_version"),
            accepts_firmware=values.get("compatible_version_fw"),
        ),
        unread=_unread(evidence, _DRIVER),
    )


def parse_firmware(evidence: Evidence) -> Reading[FirmwareFile]:
    """Never raises: a file without `Version` is unknown, and so is all of it."""
    if absent(evidence):
        return Reading(FirmwareFile(version=None))
    values = pairs(evidence.text)
    if (why := _why(evidence, values, "firmware/version.info", _FIRMWARE)) is not None:
        return Reading(FirmwareFile(why, why, why), unread=_unread(evidence, _FIRMWARE))
    return Reading(
        FirmwareFile(
            version=version_of(FirmwareVersion.maybe, values["Version"], "firmware/version.info"),
            package=_package(values),
            accepts_driver=values.get("compatible_version_drv"),
        ),
        unread=_unread(evidence, _FIRMWARE),
    )


def _why(evidence: Evidence, values: dict[str, str], file: str, known: frozenset[str]) -> Unknown | None:
    if (why := silence(evidence)) is not None or values.get("Version"):
        return why
    is_one = values.keys() & (known | IGNORED)
    return Unknown(unknown=f"{file}: no Version line" if is_one else f"{file}: not a version.info")


def _package(values: dict[str, str]) -> PackageVersion | Unknown | None:
    text = values.get("package_version")
    return None if text is None else version_of(PackageVersion.maybe, text, "version.info package_version")


def _unread(evidence: Evidence, known: frozenset[str]) -> tuple[str, ...]:
    return tuple(line for line in lines(evidence.text) if line.partition("=")[0].strip() not in known | IGNORED)
