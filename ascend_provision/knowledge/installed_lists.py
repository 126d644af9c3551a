"""The lists that installed packages carry about each other, read exactly as the vendor's tools read them.

Driver and firmware: npu-smi's `Compatibility` (DCMI, dcmi_verison_compat_cmp and dcmi_judge_compatibility) compares
text, not numbers: 7.10 sorts before 7.2 there, and so it does here. Driver and CANN: branches of inner versions.
"""

from __future__ import annotations

import re

from ascend_provision.knowledge import answers, rows
from ascend_provision.knowledge.answers import Answer
from ascend_provision.stack.versions import FirmwareVersion, HdkVersion

_BRANCH = re.compile(r"V\d+R\d+C\d+")
_GROUP = re.compile(r"\[([^\]]*)\]|(V\d+R\d+C\d+)")
_NUMBER = re.compile(r"(V\d+R\d+C)(\d{1,9})(?!\d)")


def _cited(key: str) -> str:
    return rows.sources()[key].where


def pairs(listed: str) -> tuple[tuple[str, str], ...]:
    """The (low, high) pairs of `[23.0.0,23.0.0.],[24.0,24.0.]`: split on any of `]`, `,`, `[`, taken two by two."""
    words = [word.strip() for word in re.split(r"[\],\[]", listed) if word.strip()]
    return tuple(zip(words[::2], words[1::2], strict=False))


def within(version: str, listed: str) -> bool:
    """As DCMI does: cut `version` to the longer bound, then compare as text."""
    return any(low <= version[: max(len(low), len(high))] <= high for low, high in pairs(listed))


def driver_firmware(
    driver: HdkVersion, firmware: FirmwareVersion, accepts_firmware: str | None, accepts_driver: str | None
) -> Answer:
    """What npu-smi would print as `Compatibility`: OK, NOK, or UNKNOWN when no list says.

    `accepts_firmware` is compatible_version_fw of the driver's version.info, `accepts_driver` compatible_version_drv
    of the firmware's; None when the file has no such line (HDK 22 has neither).
    """
    source = _cited("dcmi-source")
    if accepts_firmware is None and accepts_driver is None:
        return answers.unknown(
            f"neither driver {driver} nor firmware {firmware} carries a list of what it accepts", source
        )
    floor = dcmi_floor()
    if str(firmware) < floor:
        return answers.incompatible(
            f"firmware {firmware} sorts before {floor}, which every driver with such a list calls NOK", source
        )
    if accepts_firmware is not None and within(str(firmware), accepts_firmware):
        return answers.compatible(f"driver {driver} accepts firmware {accepts_firmware}, {firmware} is inside", source)
    if accepts_driver is None:
        return answers.unknown(
            f"driver {driver} accepts firmware {accepts_firmware}, {firmware} is outside; "
            "the firmware's own list, which could still allow it, is not there",
            source,
        )
    if within(str(driver), accepts_driver):
        return answers.compatible(f"firmware {firmware} accepts drivers {accepts_driver}, {driver} is inside", source)
    return answers.incompatible(
        f"driver {driver} accepts firmware {accepts_firmware or 'nothing it names'}, "
        f"firmware {firmware} accepts drivers {accepts_driver}: neither holds the other",
        source,
    )


def dcmi_floor() -> str:
    """The text below which DCMI calls every firmware NOK."""
    return str(rows.section("pairs", "dcmi_floor")["text"])


def branch(inner: str) -> str | None:
    """The branch of an inner version: V100R001C84SPC001B316 -> V100R001C84."""
    found = _BRANCH.match(inner)
    return found[0] if found else None


def branch_listed(inner: str, listed: str) -> bool | None:
    """Is the branch of `inner` in a `compatible_version` list? `[A,B]` is a range, `[A]` and a bare A a single one.

    None when `inner` is no inner version or the list holds no branch at all. Numbers are compared inside one
    V…R… line only: later CANN starts again at C10.
    """
    mine = _NUMBER.match(inner)
    groups = [found[1] if found[1] is not None else found[2] for found in _GROUP.finditer(listed)]
    ranges = [numbers for group in groups if (numbers := _NUMBER.findall(group))]
    if mine is None or not ranges:
        return None
    line, number = mine[1], int(mine[2])
    return any(
        bounds[0][0] == line and bounds[-1][0] == line and int(bounds[0][1]) <= number <= int(bounds[-1][1])
        for bounds in ranges
    )


def cann_driver(
    cann_inner: str | None, cann_accepts: str | None, driver_inner: str | None, driver_accepts: str | None
) -> Answer:
    """Do the installed files let this toolkit run on this driver? Either list is enough; both must say no for a no.

    One list alone would call 24.1.0 with CANN 7.0.0 broken, the normal state between two steps of an upgrade.
    """
    source = _cited("toolbox-guide")
    forward = branch_listed(driver_inner, cann_accepts) if driver_inner and cann_accepts else None
    backward = branch_listed(cann_inner, driver_accepts) if cann_inner and driver_accepts else None
    if forward:
        return answers.compatible(f"the toolkit accepts driver branch {branch(driver_inner or '')}", source)
    if backward:
        return answers.compatible(f"the driver accepts CANN branch {branch(cann_inner or '')}", source)
    if forward is False and backward is False:
        return answers.incompatible(
            f"the toolkit accepts drivers {cann_accepts} and not {branch(driver_inner or '')}; "
            f"the driver accepts CANN {driver_accepts} and not {branch(cann_inner or '')}",
            source,
        )
    return answers.unknown("the installed files do not list enough inner versions to tell", source)
