"""HDK releases: the number in a package name, the number the driver reports, and the firmware that belongs to it.

Up to HDK 22 the two numbers differ (package 6.0.0 reports 22.0.4) and several packages report one; from 23.0.RC1 on a
driver reports the number in its file name. The firmware number depends on the chip too.
"""

from __future__ import annotations

import functools

from ascend_provision.knowledge import rows
from ascend_provision.stack.versions import FirmwareVersion, HdkVersion, PackageVersion


class Release(rows.Row):
    """One release for the chips named.

    `packages` are the numbers in driver file names, `firmware` the firmware published with it, the usual one first;
    an empty list means that no source gives the number. `community` is the community edition's own number.
    """

    hdk: HdkVersion
    chips: tuple[str, ...]
    packages: tuple[PackageVersion, ...]
    firmware: tuple[FirmwareVersion, ...] = ()
    community: str = ""


class SameName(rows.Row):
    """From `since` on the number in the package name is the number the driver reports."""

    since: PackageVersion
    example: PackageVersion


@functools.cache
def known() -> tuple[Release, ...]:
    """Every release listed, oldest first."""
    return rows.table("releases", "releases", Release)


@functools.cache
def same_name() -> SameName:
    """The rule for the releases that have no row."""
    return rows.table("releases", "same_name", SameName)[0]


def find(hdk: HdkVersion, chip: str) -> Release | None:
    """The row of a reported version on this chip."""
    return next((row for row in known() if row.hdk == hdk and chip in row.chips), None)


def _of_package(package: PackageVersion, chip: str) -> Release | None:
    return next((row for row in known() if package in row.packages and chip in row.chips), None)


def reported(package: PackageVersion, chip: str) -> HdkVersion | None:
    """What the driver of this package will report; None when no source says."""
    row = _of_package(package, chip)
    if row:
        return row.hdk
    return HdkVersion(str(package).lower()) if package >= same_name().since else None


def firmware_of(hdk: HdkVersion, chip: str) -> FirmwareVersion | None:
    """The firmware published with this release for this chip; None when no source gives it."""
    row = find(hdk, chip)
    return next(iter(row.firmware), None) if row else None


def firmware_for_package(package: PackageVersion, chip: str) -> FirmwareVersion | None:
    """The firmware inside a firmware file that is named by its package number (…-npu-firmware_6.0.0.run)."""
    row = _of_package(package, chip)
    return next(iter(row.firmware), None) if row else None
