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


def chips(package: PackageVersion, chip: str) -> tuple[str, ...]:
    """The chips this package number is listed for; () where the lists never name `chip`, so that nothing follows."""
    if not any(row.chip == chip for row in known()):
        return ()
    return tuple(dict.fromkeys(row.chip for row in known() if row.package == package))


def arches(package: PackageVersion, chip: str) -> tuple[str, ...]:
    """The architectures this package number is listed for on this chip."""
    return tuple(arch for row in known() if row.package == package and row.chip == chip for arch in row.arches)
