"""What a host needs before an Ascend installer can succeed, and which package brings it."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from ascend_provision.knowledge import rows
from ascend_provision.stack.machine import Mount
from ascend_provision.stack.versions import CannVersion, FrameworkVersion

PackageFamily = Literal["debian", "rpm"]


class Tool(rows.Row):
    """A program the installers call, and the package that brings it on each family of distributions."""

    tool: str
    needed_for: str
    debian: str
    rpm: str


class Pythons(rows.Row):
    """The Pythons a CANN release documents, both ends included."""

    cann: CannVersion
    lowest: FrameworkVersion
    highest: FrameworkVersion


class Space(rows.Row):
    """Free space wanted under `path` before an install, MiB."""

    path: str
    free_mb: int
    what: str


class Ground(rows.Row):
    """Mount options that an install cannot live with under `path`."""

    path: str
    refused: tuple[str, ...]
    what: str


class Distributions(rows.Row):
    """os-release IDs of one package family; `headers` names the kernel header package of a release."""

    family: PackageFamily
    ids: tuple[str, ...]
    headers: str


class Account(rows.Row):
    """The account of the driver's user-space part; ids are those the vendor's container images use."""

    name: str
    group: str
    uid: int
    gid: int


@functools.cache
def known() -> tuple[Tool, ...]:
    """Every tool with what needs it."""
    return rows.table("prerequisites", "tools", Tool)


@functools.cache
def space() -> tuple[Space, ...]:
    """Free space wanted by path."""
    return rows.table("prerequisites", "space", Space)


@functools.cache
def grounds() -> tuple[Ground, ...]:
    """The places an install needs, with the mount options that stop it there."""
    return rows.table("prerequisites", "mounts", Ground)


def unusable(mounts: Sequence[Mount]) -> tuple[str, ...]:
    """What is wrong with the file systems under those places: `/tmp (tmpfs on /tmp) is noexec`."""
    wrong: list[str] = []
    for ground in grounds():
        over = [one for one in mounts if f"{ground.path}/".startswith(one.point.rstrip("/") + "/")]
        seen = max(over, key=lambda one: len(one.point), default=None)
        if seen is not None:
            bad = [option for option in ground.refused if option in seen.options]
            wrong += [f"{ground.path} ({seen.kind} on {seen.point}) is {option}" for option in bad]
    return tuple(wrong)


@functools.cache
def pythons() -> tuple[Pythons, ...]:
    """The documented window of each CANN release that printed one."""
    return rows.table("prerequisites", "pythons", Pythons)


@functools.cache
def oldest_python() -> FrameworkVersion:
    """Every published window starts here: with only older ones a CANN installer ends before its first change."""
    return min(row.lowest for row in pythons())


def usable_python(found: Mapping[str, str]) -> str | None:
    """Of a host's Pythons (path -> version) the first that a CANN installer takes, as `PATH VERSION`."""
    versions = {path: FrameworkVersion.maybe(text) for path, text in sorted(found.items())}
    return next((f"{path} {v}" for path, v in versions.items() if v is not None and v >= oldest_python()), None)


@functools.cache
def account() -> Account:
    """The account that must exist, with equal ids on every host."""
    return rows.table("prerequisites", "account", Account)[0]


@functools.cache
def _families() -> tuple[Distributions, ...]:
    return rows.table("prerequisites", "families", Distributions)


def tools() -> tuple[str, ...]:
    """The programs the installers call."""
    return tuple(row.tool for row in known())


def family(os_id: str) -> PackageFamily | None:
    """The package family of an os-release ID; None for one nobody listed."""
    return next((row.family for row in _families() if os_id.lower() in {known.lower() for known in row.ids}), None)


def packages(missing: Iterable[str], os_id: str) -> tuple[str, ...]:
    """The packages that bring these tools, each once. An unlisted system gets the RPM names: they are the same here."""
    names = {row.tool: row.debian if family(os_id) == "debian" else row.rpm for row in known()}
    return tuple(dict.fromkeys(names[tool] for tool in missing if tool in names))


def headers_package(kernel: str, os_id: str) -> str:
    """The package with the headers of exactly this kernel release."""
    found = family(os_id) or "rpm"
    return next(row.headers for row in _families() if row.family == found).format(kernel=kernel)
