"""The stacks the lab can put on a host: published levels only, each field with its confidence.

`get(profile, stack)` is the door. The stack `bare` exists for every profile and carries no software.
Data and sources are in `data/stacks.yaml`.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal

import yaml
from pydantic import Field, ValidationError, model_validator

from ascend_provision.lab.ascend.facts import Confidence, Fact, Record, SourceKeys, check_sources
from ascend_provision.lab.errors import LabError

BARE = "bare"
Arch = Literal["aarch64", "x86_64"]


class Package(Record):
    """File name of one vendor package; `any` where the name carries no architecture."""

    any: Fact[str] | None = None
    aarch64: Fact[str] | None = None
    x86_64: Fact[str] | None = None

    def fact(self, arch: str) -> Fact[str]:
        """The name for `arch` with its confidence; LabError when the vendor lists none."""
        for fact in (self.any, {"aarch64": self.aarch64, "x86_64": self.x86_64}.get(arch)):
            if fact is not None:
                return fact
        raise LabError(
            what=f"no package name is published for architecture {arch!r}",
            code="lab-arch-unpublished",
            next="run the lab on an aarch64 or x86_64 machine",
        )

    def name(self, arch: str) -> str:
        """The file name for `arch`."""
        return self.fact(arch).value


class Packages(Record):
    """The vendor packages that make this stack; operator binaries are kernels up to CANN 8.3 and ops from 8.5 on."""

    driver: Package
    firmware: Package
    toolkit: Package
    kernels: Package | None = None
    ops: Package | None = None
    nnal: Package | None = None

    @model_validator(mode="after")
    def _one_of_kernels_and_ops(self) -> Packages:
        if (self.kernels is None) == (self.ops is None):
            raise ValueError("exactly one of kernels and ops")
        return self

    @property
    def operators(self) -> Package:
        """The operator binaries' package, whatever its name."""
        found = self.kernels or self.ops
        if found is None:
            raise ValueError("the validator lets no stack without operator binaries pass")
        return found


class Hdk(Record):
    """Names of one HDK level: release directory, package version, version the driver reports."""

    release: Fact[str]
    package: Fact[str]
    driver: Fact[str]


class Cann(Record):
    """CANN level: version in the package name, inner version, number of its components, and which tree it makes:
    `ascend-toolkit/VERSION`, or `cann-VERSION` (from 8.5 on).
    """

    version: Fact[str]
    inner: Fact[str]
    component: Fact[str]
    tree: Fact[Literal["ascend-toolkit", "cann"]]


class Framework(Record):
    """A Python framework that belongs to the stack, with the distributions it needs beside it."""

    name: str
    version: str
    needs: dict[str, str]
    series: str | None = None
    confidence: Confidence
    source: SourceKeys
    note: str | None = None


class Software(Record):
    """Everything a stack puts on a host."""

    hdk: Hdk
    firmware: Fact[str]
    cann: Cann
    packages: Packages
    driver_version_info: Fact[list[str]]
    firmware_version_info: Fact[list[str]]
    ascend_install_info: Fact[list[str]]
    toolkit_install_info: Fact[list[str]]
    layout: Fact[Literal["n93", "n98", "n98_a3", "n106_old", "n106_new"]]
    process_table: Fact[bool]
    board: Fact[Literal["a1_hdk22", "a1_hdk23up", "a2", "a3", "p310_hdk22", "p310"]]
    frameworks: list[Framework]
    framework_python: Fact[str]

    def firmware_drivers(self) -> str:
        """The firmware's compatible_version_drv list, empty where the file has none."""
        key = "compatible_version_drv="
        return next((x[len(key) :] for x in self.firmware_version_info.value if x.startswith(key)), "")


class PublishedStack(Software):
    """One row of data/stacks.yaml."""

    profile: str
    stack: str
    title: str


class Unpublished(Record):
    """A pair that was asked about and never published, with the reason."""

    profile: str
    stack: str
    reason: str


class Book(Record):
    """The whole file."""

    schema_version: Literal[1] = Field(alias="schema")
    sources: dict[str, str]
    python_packages: Fact[dict[str, str]]
    stacks: list[PublishedStack]
    unpublished: list[Unpublished]


class Stack(Record):
    """What `lab up --stack` names: a profile's stack. `software` is None for `bare`."""

    profile: str
    stack: str
    title: str
    software: PublishedStack | None

    def require(self) -> PublishedStack:
        """The software of this stack; LabError for a bare host."""
        if self.software is None:
            raise LabError(
                what=f"stack {self.stack!r} of {self.profile} carries no software",
                code="lab-stack-bare",
                next=f"name one of: {', '.join(n for n in names(self.profile) if n != BARE)}",
            )
        return self.software


@cache
def book() -> Book:
    """The published stacks, checked; ValueError names the file and field of a bad row."""
    path = resources.files("ascend_provision.lab.ascend") / "data" / "stacks.yaml"
    text = path.read_text(encoding="utf-8")
    raw = yaml.safe_load(text)
    try:
        read = Book.model_validate(raw)
    except ValidationError as bad:
        raise ValueError(f"{path}: {bad}") from bad
    check_sources(raw, set(read.sources), str(path))
    return read


def python_packages() -> dict[str, str]:
    """What CANN wants in every Python environment that uses it: distribution and version."""
    return book().python_packages.value


def profiles() -> list[str]:
    """Names of the profiles that have a published stack, in file order."""
    return list(dict.fromkeys(s.profile for s in book().stacks))


def names(profile: str) -> list[str]:
    """Stack names of `profile` in file order, `bare` last; empty for an unknown profile."""
    found = [s.stack for s in book().stacks if s.profile == profile]
    return [*found, BARE] if found else []


def get(profile: str, stack: str) -> Stack:
    """The stack `stack` of `profile`; LabError "not published" for any other pair."""
    known = names(profile)
    if not known:
        raise LabError(
            what=f"profile {profile!r} is not published",
            code="lab-profile-unpublished",
            next=f"use one of: {', '.join(profiles())}",
        )
    if stack == BARE:
        return Stack(profile=profile, stack=BARE, title="bare host, no Ascend software", software=None)
    for row in book().stacks:
        if (row.profile, row.stack) == (profile, stack):
            return Stack(profile=profile, stack=stack, title=row.title, software=row)
    why = next((u.reason for u in book().unpublished if (u.profile, u.stack) == (profile, stack)), "")
    raise LabError(
        what=f"stack {stack!r} of profile {profile!r} is not published" + (f": {why}" if why else ""),
        code="lab-stack-unpublished",
        next=f"use one of: {', '.join(known)}",
    )
