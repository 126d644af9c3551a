"""The Python packages CANN's operator compiler imports, their ranges by CANN, its own wheels, and torch's Pythons."""

from __future__ import annotations

import functools
from typing import Literal

from packaging.version import Version as Pep440

from ascend_provision.knowledge import prerequisites, rows
from ascend_provision.stack.versions import CannVersion, FrameworkVersion


class Needed(rows.Row):
    """One package by its normalised name; `example` a directory name that it has in site-packages."""

    package: str
    example: str


class Range(rows.Row):
    """A range, from `minimum` to what is `below`, for the CANN releases named; `verdict` what being outside is."""

    package: str
    minimum: FrameworkVersion | None = None
    below: FrameworkVersion | None = None
    cann_since: CannVersion | None = None
    cann_before: CannVersion | None = None
    verdict: Literal["fail", "warn"]

    @property
    def words(self) -> str:
        """`numpy>=1.19.2`, `protobuf>=3.11.3,<3.21`: as pip takes it."""
        parts = [f">={self.minimum}" if self.minimum else "", f"<{self.below}" if self.below else ""]
        return self.package + ",".join(part for part in parts if part)

    def holds(self, version: FrameworkVersion) -> bool:
        """Whether this version is inside."""
        if self.minimum is not None and version < self.minimum:
            return False
        return self.below is None or version < self.below


class TorchPythons(rows.Row):
    """The Pythons a torch is published for: first and last minor version."""

    torch: FrameworkVersion
    lowest: FrameworkVersion
    highest: FrameworkVersion


@functools.cache
def needed() -> tuple[Needed, ...]:
    """Every package CANN's compiler imports."""
    return rows.table("python_packages", "needed", Needed)


@functools.cache
def wheels() -> tuple[Needed, ...]:
    """CANN's own wheels that guides install into an environment."""
    return rows.table("python_packages", "wheels", Needed)


@functools.cache
def _ranges() -> tuple[Range, ...]:
    return rows.table("python_packages", "ranges", Range)


@functools.cache
def _torch_pythons() -> tuple[TorchPythons, ...]:
    return rows.table("python_packages", "torch", TorchPythons)


def broken(package: str, version: FrameworkVersion, cann: CannVersion) -> Range | None:
    """The range this version is outside of under this CANN; a failing one before one that only warns."""
    outside = [
        row
        for row in _ranges()
        if row.package == package
        and (row.cann_since is None or cann >= row.cann_since)
        and (row.cann_before is None or cann < row.cann_before)
        and not row.holds(version)
    ]
    return min(outside, key=lambda row: row.verdict, default=None)


def torch_pythons(torch: FrameworkVersion) -> TorchPythons | None:
    """The row of this torch (a local part or a post release does not matter); None for one nobody listed."""
    base = Pep440(str(torch)).base_version
    return next((row for row in _torch_pythons() if Pep440(str(row.torch)).base_version == base), None)


def cann_pythons(cann: CannVersion) -> prerequisites.Pythons | None:
    """The newest published window of a CANN that is not newer than this one."""
    older = [row for row in prerequisites.pythons() if row.cann <= cann]
    newest = max((row.cann for row in older), default=None)
    return next((row for row in older if row.cann == newest), None)


def within(python: FrameworkVersion, lowest: FrameworkVersion, highest: FrameworkVersion) -> bool:
    """By minor version: pages that end at a patch release (3.11.4) do not mean that the next one fails."""
    minor, low, high = (Pep440(str(version)).release[:2] for version in (python, lowest, highest))
    return low <= minor <= high
