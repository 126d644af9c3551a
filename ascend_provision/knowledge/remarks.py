"""What else is known of versions: no archive for the chip, a mix that was only seen, no wheel, an end of support."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ascend_provision.knowledge import (
    archives,
    component_numbers,
    downgrades,
    releases,
    rows,
    seen_mixes,
    stopovers,
    wheels,
)
from ascend_provision.knowledge.answers import Remark
from ascend_provision.knowledge.components import Component
from ascend_provision.stack.versions import CannVersion, FirmwareVersion, FrameworkVersion, HdkVersion, PackageVersion

_OLD_GLIBC = "2.17"
"""What every listed system has (manylinux2014): not worth a remark."""


def remarks(versions: Mapping[Component, str], chip: str) -> tuple[Remark, ...]:
    """Everything worth saying about these versions."""
    return (
        *_hdk(versions, chip),
        *_mix(versions, chip),
        *_torch_npu(versions),
        *_torch(versions),
        *_mindspore(versions),
    )


def _hdk(versions: Mapping[Component, str], chip: str) -> Iterator[Remark]:
    if chip and "firmware" in versions:
        row = stopovers.found(chip, FirmwareVersion(versions["firmware"]))
        if row is not None:
            text = f"on firmware {versions['firmware']} of a {chip} the installer takes no HDK before {row.first}"
            yield Remark(text=text, source=row.cited)
    if "hdk" not in versions or not chip:
        return
    yield from downgrades.conditions(chip, HdkVersion(versions["hdk"]))
    yield from _other_name(versions["hdk"], chip)
    for package in releases.packages_of(HdkVersion(versions["hdk"]), chip):
        listed = archives.chips(package, chip)
        where = archives.arches(package, chip)
        source = _cited(row for row in archives.known() if row.package == package)
        if listed and chip not in listed:
            text = f"no archive of package {package} is listed for {chip}, only for {', '.join(listed)}"
            yield Remark(text=text, source=source)
        elif len(where) == 1:
            yield Remark(
                text=f"the archive of package {package} for {chip} is listed on {where[0]} only", source=source
            )


def _mix(versions: Mapping[Component, str], chip: str) -> Iterator[Remark]:
    if "hdk" in versions and "firmware" in versions:
        mix = seen_mixes.find(HdkVersion(versions["hdk"]), FirmwareVersion(versions["firmware"]), chip)
        if mix is not None:
            on = f" on {', '.join(mix.chips)}" if mix.chips else ""
            text = f"HDK {mix.hdk} was seen running with firmware {mix.firmware}{on}; nobody says that it is supported"
            yield Remark(text=text, source=mix.cited)


def _other_name(text: str, chip: str) -> Iterator[Remark]:
    """The number of a package or of the community edition, where the driver's own is asked for."""
    if releases.find(HdkVersion(text), chip) is not None:
        return
    reported, package = releases.of_community(text, chip), PackageVersion(text)
    whose = "community edition" if reported else "package"
    reported = reported or releases.reported(package, chip)
    row = releases.find(reported, chip) if reported is not None else None
    if row is not None:
        yield Remark(text=f"{text} is the number of the {whose} whose driver reports {row.hdk}", source=row.cited)


def _torch_npu(versions: Mapping[Component, str]) -> Iterator[Remark]:
    if "torch_npu" not in versions:
        return
    version = FrameworkVersion(versions["torch_npu"])
    if wheels.installable(version) is False:
        yield Remark(
            text=f"torch_npu {version} is in no package index, only in documents", source=_cited(wheels.absent())
        )
        return
    for arch in ("x86_64", "aarch64"):
        glibc = wheels.glibc(version, arch)
        if glibc is not None and glibc != _OLD_GLIBC:
            text = f"the wheel of torch_npu {version} for {arch} needs glibc {glibc}"
            yield Remark(text=text, source=_cited(wheels.platforms()))


def _torch(versions: Mapping[Component, str]) -> Iterator[Remark]:
    end = wheels.end_of_life(FrameworkVersion(versions["torch"])) if "torch" in versions else None
    if end is not None:
        yield Remark(text=f"support of torch_npu for torch {end.torch} ends on {end.day}", source=end.cited)


def _mindspore(versions: Mapping[Component, str]) -> Iterator[Remark]:
    if "mindspore" not in versions or "cann" not in versions:
        return
    mindspore, cann = FrameworkVersion(versions["mindspore"]), CannVersion(versions["cann"])
    for row in component_numbers.known():
        if row.cann == cann and component_numbers.warns(mindspore, row.number):
            wanted = " or ".join(component_numbers.expected_by(mindspore) or ())
            text = f"MindSpore {mindspore} warns at import: it expects compiler {wanted}, "
            text += f"that of CANN {cann} is {row.number}"
            yield Remark(text=text, source=_cited(component_numbers.expectations()))


def _cited(found: Iterator[rows.Row] | tuple[rows.Row, ...]) -> str:
    return "; ".join(dict.fromkeys(row.cited for row in found))
