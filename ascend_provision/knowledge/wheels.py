"""Wheels of torch_npu: whether an index has a release, what it needs of the system, how long its torch is kept up."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from ascend_provision.knowledge import patterns, rows
from ascend_provision.stack.versions import FrameworkVersion


class Releases(rows.Row):
    """Releases that an index has, or has not."""

    torch_npu: tuple[str, ...]


class Platform(rows.Row):
    """The lowest glibc by architecture for the releases of a pattern."""

    torch_npu: str
    glibc: Mapping[str, str]
    example: str


class Requires(rows.Row):
    """The torch that the wheel's metadata asks for, by architecture; {release} stands for torch's own release."""

    torch_npu: str
    torch: Mapping[str, str]
    example: str


class EndOfLife(rows.Row):
    """The last day of support for torch_npu of this torch, YYYY-MM-DD."""

    torch: FrameworkVersion
    day: str


@functools.cache
def available() -> tuple[Releases, ...]:
    """What an index has."""
    return rows.table("wheels", "available", Releases)


@functools.cache
def absent() -> tuple[Releases, ...]:
    """What documents name and no index has."""
    return rows.table("wheels", "absent", Releases)


@functools.cache
def platforms() -> tuple[Platform, ...]:
    """C libraries by release."""
    return rows.table("wheels", "platforms", Platform)


@functools.cache
def requirements() -> tuple[Requires, ...]:
    """The torch each wheel asks for."""
    return rows.table("wheels", "requires", Requires)


@functools.cache
def ends() -> tuple[EndOfLife, ...]:
    """Ends of support that are printed."""
    return rows.table("wheels", "end_of_life", EndOfLife)


def installable(torch_npu: FrameworkVersion) -> bool | None:
    """Whether a package index has this release; None for one that neither list names."""
    for listed, answer in ((available(), True), (absent(), False)):
        if any(patterns.any_meant("torch_npu", row.torch_npu, str(torch_npu)) for row in listed):
            return answer
    return None


def glibc(torch_npu: FrameworkVersion, arch: str) -> str | None:
    """The lowest glibc that its wheel for this architecture runs on; None when nobody says."""
    rows_of = (row for row in platforms() if patterns.any_meant("torch_npu", (row.torch_npu,), str(torch_npu)))
    return next((row.glibc[arch] for row in rows_of if arch in row.glibc), None)


def torch_of(torch_npu: FrameworkVersion, release: FrameworkVersion, arch: str) -> str | None:
    """How pip must be asked for torch under this torch_npu (2.4.0+cpu on x86_64); None when nobody says."""
    rows_of = (row for row in requirements() if patterns.any_meant("torch_npu", (row.torch_npu,), str(torch_npu)))
    return next((row.torch[arch].format(release=release) for row in rows_of if arch in row.torch), None)


def end_of_life(torch: FrameworkVersion) -> EndOfLife | None:
    """The printed end of support of this torch under torch_npu."""
    return next((row for row in ends() if row.torch == torch), None)
