"""HDK archives that the vendor lists: whether a package number exists for a chip and an architecture."""

from __future__ import annotations

import functools

from ascend_provision.knowledge import rows
from ascend_provision.stack.versions import PackageVersion


class Archive(rows.Row):
    """One package number for one chip."""

    package: PackageVersion
    chip: str
    arches: tuple[str, ...]


@functools.cache
def known() -> tuple[Archive, ...]:
    """Every listed archive."""
    return rows.table("archives", "archives", Archive)


def listed(package: PackageVersion, chip: str, arch: str) -> bool | None:
    """Whether the archive is listed; None when the number itself is in no list, so that nothing follows."""
    of_package = [row for row in known() if row.package == package]
    if not of_package:
        return None
    return any(row.chip == chip and arch in row.arches for row in of_package)


def chips(package: PackageVersion) -> tuple[str, ...]:
    """The chips this package number is listed for."""
    return tuple(dict.fromkeys(row.chip for row in known() if row.package == package))
