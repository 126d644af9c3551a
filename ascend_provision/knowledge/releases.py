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
    an empty list means that no source gives the number. `community` are the community edition's own numbers.
    """

    hdk: HdkVersion
    chips: tuple[str, ...]
    packages: tuple[PackageVersion, ...]
    firmware: tuple[FirmwareVersion, ...] = ()
    community: rows.Keys = ()


class Unreported(rows.Row):
    """A package number of which no source says what its driver reports; `hdk_name` is the vendor's own name of it."""

    package: PackageVersion
    hdk_name: HdkVersion
    chips: tuple[str, ...]


class SameName(rows.Row):
    """From `since` on the number in the package name is the number the driver reports."""

    since: PackageVersion
    example: PackageVersion


@functools.cache
def known() -> tuple[Release, ...]:
    """Every release listed, oldest first."""
    return rows.table("releases", "releases", Release)


@functools.cache
def unreported() -> tuple[Unreported, ...]:
    """Packages that a table names and whose reported version is not known."""
    return rows.table("releases", "unreported", Unreported)


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
    if any(package == row.package for row in unreported()):
        return None
    return HdkVersion(str(package).lower()) if package >= same_name().since else None


def packages_of(hdk: HdkVersion, chip: str) -> tuple[PackageVersion, ...]:
    """The numbers of the packages that report this version on this chip: several up to HDK 22 (5.1.RC1 and 5.1.RC2)."""
    row = find(hdk, chip)
    if row:
        return row.packages
    package = PackageVersion(str(hdk))
    return (package,) if package >= same_name().since else ()


def of_community(number: str, chip: str) -> HdkVersion | None:
    """What the driver of a community edition's number (1.0.18, 1.0.21.alpha) reports on this chip."""
    return next((row.hdk for row in known() if number in row.community and chip in row.chips), None)


def firmware_of(hdk: HdkVersion, chip: str) -> FirmwareVersion | None:
    """The firmware published with this release for this chip; None when no source gives it."""
    row = find(hdk, chip)
    return next(iter(row.firmware), None) if row else None


def firmware_for_package(package: PackageVersion, chip: str) -> FirmwareVersion | None:
    """The firmware inside a firmware file that is named by its package number (…-npu-firmware_6.0.0.run)."""
    row = _of_package(package, chip)
    return next(iter(row.firmware), None) if row else None
