"""Operating systems: where the vendor deploys on which chip, minimums of some, kernels of install tables."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Mapping
from typing import Literal

from ascend_provision.knowledge import answers, patterns, rows
from ascend_provision.knowledge.answers import Answer
from ascend_provision.knowledge.components import Component
from ascend_provision.stack.versions import CannVersion


class Deployed(rows.Row):
    """A system the vendor's deployer supports for these chips; on some of them without frameworks or MindCluster."""

    os: str
    version: str
    arch: str
    chips: tuple[str, ...]
    without_frameworks: tuple[str, ...] = ()
    without_mindcluster: tuple[str, ...] = ()


class Added(rows.Row):
    """A system that a CANN release was the first to support on a product."""

    os: str
    version: str
    product: str
    chip: str
    cann: CannVersion


class Minimum(rows.Row):
    """The lowest driver and firmware of a product on a system, as patterns."""

    product: str
    chip: str
    os: str
    version: str
    arches: tuple[str, ...]
    hdk: str
    firmware: str


class Kernel(rows.Row):
    """A kernel of an install table: prebuilt modules (`binary`) or a build on the host (`source`)."""

    chip: str
    os: str
    version: str
    arch: str
    kernel: str = ""
    install: Literal["binary", "source"]
    hdk: str = ""


@functools.cache
def deployed() -> tuple[Deployed, ...]:
    """Every system of the deployer."""
    return rows.table("systems", "deployed", Deployed)


@functools.cache
def added() -> tuple[Added, ...]:
    """Every system that a CANN release added."""
    return rows.table("systems", "added", Added)


@functools.cache
def minimums() -> tuple[Minimum, ...]:
    """Every printed minimum."""
    return rows.table("systems", "minimums", Minimum)


@functools.cache
def kernels() -> tuple[Kernel, ...]:
    """Every kernel of an install table."""
    return rows.table("systems", "kernels", Kernel)


def names(os: str, version: str, pretty: str) -> tuple[str, ...]:
    """What a release may be listed as, by os-release's ID, VERSION_ID and PRETTY_NAME: `22.03`, `22.03 (LTS-SP4)`."""
    found = re.search(r"V?\d.*", pretty)
    told = found[0] if found else ""
    return (version, told.removesuffix(" LTS") if _same(os, "ubuntu") else told)


def supported(os: str, versions: Collection[str], arch: str, chip: str) -> Answer:
    """Does the vendor deploy on this system? A system nobody lists is unknown, never forbidden.

    `os` is os-release's ID, `versions` what `names` makes of its release.
    """
    same = [row for row in deployed() if _same(row.os, os) and row.arch == arch and chip in row.chips]
    own = next((row for row in same if any(_same(row.version, version) for version in versions)), None)
    asked = f"{os} {max(versions, key=len)} on {arch}"
    if own is not None:
        without = " without AI frameworks" if chip in own.without_frameworks else ""
        return answers.compatible(f"{asked} is listed for {chip}{without}", own.cited)
    for late in added():
        if late.chip == chip and _same(late.os, os) and any(_same(late.version, version) for version in versions):
            return answers.compatible(f"{asked} is listed for {late.product} from CANN {late.cann} on", late.cited)
    return answers.unknown(f"{asked} is not listed for {chip}", "", *(f"{row.os} {row.version}" for row in same))


def below_minimum(
    os: str, names_: Collection[str], arch: str, product: str, versions: Mapping[Component, str]
) -> tuple[Minimum, ...]:
    """The printed minimums that this driver or firmware is under; `product` is the title of data/products.yaml."""
    return tuple(
        row
        for row in minimums()
        if row.product in product
        and _same(row.os, os)
        and any(_same(row.version, name) for name in names_)
        and arch in row.arches
        and _under(row, versions)
    )


def _under(row: Minimum, versions: Mapping[Component, str]) -> bool:
    wanted: tuple[tuple[Component, str], ...] = (("hdk", row.hdk), ("firmware", row.firmware))
    return any(
        component in versions and patterns.any_meant(component, (pattern,), versions[component]) is False
        for component, pattern in wanted
    )


def _same(a: str, b: str) -> bool:
    """Written alike but for case, spaces, brackets and dashes: `22.03 (LTS-SP4)` and `22.03LTS-SP4`."""
    return _plain(a) == _plain(b)


def _plain(text: str) -> str:
    return re.sub(r"[^0-9a-z.]", "", text.lower())
