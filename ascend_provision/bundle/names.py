"""What the file name of a `.run` package says: component, version, chip, arch.

Grammar (Ascend/docs `_static/package_info.js`, package lists of Ascend/ascend-deployer):

    Ascend-hdk-<chip>-npu-driver_<package version>_linux-<arch>.run     HDK names spell x86 as x86-64
    Ascend-hdk-<chip>-npu-firmware_<version>.run                        no arch
    <product>-npu-driver_… <product>-npu-firmware_…                     products.yaml: product -> chip
    Ascend-cann-toolkit_<version>_linux-<arch>.run   Ascend-cann-nnal_…
    Ascend-cann-kernels-<chip>_<version>_linux[-<arch>].run             arch in the name from 8.0.RC3 on
    Ascend-cann-<chip>-ops_<version>_linux-<arch>.run                   the kernels' name from 8.5 on
    Atlas-A3-cann-kernels_<version>_linux-<arch>.run
"""

from __future__ import annotations

import functools
import importlib.resources
import re
from typing import cast

import yaml

from ascend_provision.stack.model import Noun
from ascend_provision.stack.packages import Component
from ascend_provision.stack.versions import CannVersion, FirmwareVersion, PackageVersion


class PackageName(Noun):
    """The parts of a package's file name; `chip` and `arch` are None where the name carries none."""

    component: Component
    version: str
    chip: str | None
    arch: str | None


class _ProductRow(Noun):
    product: str
    chip: str
    example: str


_HDK = re.compile(
    r"(?P<product>.+)-npu-(?P<component>driver|firmware)_(?P<version>[0-9][^_]*?)(?:_linux-(?P<arch>[^_]+|x86_64))?\.run"
)
_CANN = re.compile(
    r"(?:Ascend-cann-(?P<neutral>toolkit|nnal)"
    r"|Ascend-cann-kernels-(?P<kernels>[0-9a-zA-Z]+)"
    r"|Ascend-cann-(?P<ops>[0-9a-zA-Z]+)-ops"
    r"|Atlas-(?P<atlas>A3)-cann-kernels)"
    r"_(?P<version>[0-9][^_]*)_linux(?:-(?P<arch>.+))?\.run"
)
_CHIP_IN_NAME = re.compile(r"Ascend-hdk-([0-9][0-9a-z]*)")
_ARCH = {"aarch64": "aarch64", "x86_64": "x86_64", "x86-64": "x86_64"}


def parse(filename: str) -> PackageName | None:
    """The parts of `filename` (a name, not a path), or None when it follows no published form."""
    return _hdk(filename) or _cann(filename)


def examples() -> tuple[str, ...]:
    """One name of each published form, for messages that must say what is expected."""
    return (
        "Ascend-hdk-910-npu-driver_<version>_linux-aarch64.run",
        "Ascend-hdk-910-npu-firmware_<version>.run",
        "Ascend-cann-toolkit_<version>_linux-x86_64.run",
        "Ascend-cann-kernels-910b_<version>_linux.run",
    )


def _hdk(filename: str) -> PackageName | None:
    found = _HDK.fullmatch(filename)
    chip = _chip(found["product"]) if found else None
    if not found or chip is None:
        return None
    version, arch = found["version"], found["arch"]
    if found["component"] == "driver":
        if arch not in _ARCH or not PackageVersion.maybe(version):
            return None
        return PackageName(component="driver", version=version, chip=chip, arch=_ARCH[arch])
    if arch is not None or not (FirmwareVersion.maybe(version) or PackageVersion.maybe(version)):
        return None
    return PackageName(component="firmware", version=version, chip=chip, arch=None)


def _cann(filename: str) -> PackageName | None:
    found = _CANN.fullmatch(filename)
    if not found or not CannVersion.maybe(found["version"]):
        return None
    arch = found["arch"]
    chip = found["kernels"] or found["ops"] or found["atlas"]
    if (arch is None and not found["kernels"]) or (arch is not None and arch not in _ARCH):
        return None
    return PackageName(
        component=cast(Component, found["neutral"] or "kernels"),
        version=found["version"],
        chip=products().get(chip, chip.lower()) if chip else None,
        arch=_ARCH[arch] if arch else None,
    )


def _chip(product: str) -> str | None:
    found = _CHIP_IN_NAME.fullmatch(product)
    return found[1] if found else products().get(product)


@functools.cache
def products() -> dict[str, str]:
    """Product name -> chip token, from products.yaml."""
    return {row.product: row.chip for row in product_rows()}


@functools.cache
def product_rows() -> tuple[_ProductRow, ...]:
    text = importlib.resources.files("ascend_provision.bundle").joinpath("products.yaml").read_text(encoding="utf-8")
    return tuple(_ProductRow.model_validate(row) for row in yaml.safe_load(text)["products"])
