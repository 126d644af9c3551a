"""What released packages say in their own files, as recorded from hosts: the lists for a question about versions alone.

A host's own files always count more. A list that nobody can look up (Row.public) forbids nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from ascend_provision.knowledge import rows
from ascend_provision.knowledge.components import Component
from ascend_provision.knowledge.explanation import Lists
from ascend_provision.stack.versions import (
    CannVersion,
    FirmwareVersion,
    HdkVersion,
    InnerVersion,
    PackageVersion,
    Version,
)


class Driver(rows.Row):
    """driver/version.info: Innerversion, compatible_version, compatible_version_fw."""

    hdk: HdkVersion
    inner: InnerVersion
    accepts_cann: str | None = None
    accepts_firmware: str | None = None
    chips: tuple[str, ...] = ()


class Firmware(rows.Row):
    """firmware/version.info: package_version and compatible_version_drv."""

    firmware: FirmwareVersion
    accepts_driver: str
    package: PackageVersion | None = None


class Toolkit(rows.Row):
    """The toolkit's install.info: innerversion and compatible_version, which lists driver branches."""

    cann: CannVersion
    inner: InnerVersion
    accepts_driver: str | None = None


@functools.cache
def drivers() -> tuple[Driver, ...]:
    """Every recorded driver."""
    return rows.table("shipped_lists", "drivers", Driver)


@functools.cache
def firmware() -> tuple[Firmware, ...]:
    """Every recorded firmware."""
    return rows.table("shipped_lists", "firmware", Firmware)


@functools.cache
def toolkits() -> tuple[Toolkit, ...]:
    """Every recorded toolkit; one release may have several builds."""
    return rows.table("shipped_lists", "toolkits", Toolkit)


def recorded(versions: Mapping[Component, str], chip: str) -> Lists:
    """What the packages of these versions were seen to say; None for what nobody recorded."""
    driver = next((row for row in drivers() if _is(versions, "hdk", row.hdk) and _for(row, chip)), None)
    flash = next((row for row in firmware() if _is(versions, "firmware", row.firmware)), None)
    toolkit = next((row for row in toolkits() if _is(versions, "cann", row.cann)), None)
    found = [row for row in (driver, flash, toolkit) if row is not None]
    return Lists(
        accepts_firmware=driver.accepts_firmware if driver else None,
        accepts_driver=flash.accepts_driver if flash else None,
        cann_inner=str(toolkit.inner) if toolkit else None,
        cann_accepts=toolkit.accepts_driver if toolkit else None,
        driver_inner=str(driver.inner) if driver else None,
        driver_accepts=driver.accepts_cann if driver else None,
        recorded=True,
        public=bool(found) and all(row.public for row in found),
    )


def _is(versions: Mapping[Component, str], component: Component, version: Version) -> bool:
    return component in versions and type(version).maybe(versions[component]) == version


def _for(row: Driver, chip: str) -> bool:
    return not row.chips or not chip or chip in row.chips
