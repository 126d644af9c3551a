"""Is a kernel one the vendor lists for a chip's driver, and how does the driver get its modules there?"""

from __future__ import annotations

import functools
from typing import Literal

from ascend_provision.knowledge import rows, systems

Way = Literal["prebuilt", "built", "changed", "replace"]


class Kernel(rows.Row):
    """One listed kernel: `os` as os-release's ID in lower case, `kernel` how the release begins.

    `changed`: only a changed driver package builds on it; `replace`: another kernel must be booted (`note` says which).
    """

    chip: str
    os: str
    arch: str
    kernel: str
    way: Way


@functools.cache
def known() -> tuple[Kernel, ...]:
    """The kernels of the install tables, and those of the page that knows changed packages."""
    tables = tuple(
        Kernel(
            chip=row.chip, os=row.os.lower(), arch=row.arch, kernel=row.kernel, note=row.note,
            way="prebuilt" if row.install == "binary" else "built", source=row.source, confidence=row.confidence,
        )
        for row in systems.kernels()
        if row.kernel
    )  # fmt: skip
    return (*tables, *rows.table("os_kernels", "kernels", Kernel))


def listed(chip: str, os_id: str, arch: str) -> tuple[Kernel, ...]:
    """The kernels listed for this chip on this system."""
    return tuple(row for row in known() if (row.chip, row.os, row.arch) == (chip, os_id.lower(), arch))


def find(chip: str, os_id: str, arch: str, release: str) -> Kernel | None:
    """The row of this kernel release, the longest that fits: `5.4.0-26` is not how `5.4.0-260` begins."""
    fitting = [row for row in listed(chip, os_id, arch) if _begins(release, row.kernel)]
    return max(fitting, key=lambda row: len(row.kernel), default=None)


def _begins(release: str, prefix: str) -> bool:
    return release.startswith(prefix) and not release[len(prefix) : len(prefix) + 1].isdigit()
