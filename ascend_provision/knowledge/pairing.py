"""Which versions go together: what the installed files say, what the published tables say, and both in one answer.

What no table prints is `unknown` and names the nearest rows. Rows that nobody can look up never forbid anything.
The frameworks' own part is in framework_pairing.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from ascend_provision.knowledge import answers, frameworks, installed_lists, releases, rows
from ascend_provision.knowledge.answers import Answer
from ascend_provision.knowledge.framework_pairing import mindspore_cann, torch_npu_cann, torch_torch_npu
from ascend_provision.knowledge.frameworks import Series, torch_npu_series
from ascend_provision.stack.versions import CannVersion, FirmwareVersion, HdkVersion

__all__ = [
    "Answer",
    "Series",
    "cann_driver",
    "driver_firmware",
    "mindspore_cann",
    "published_cann_driver",
    "published_driver_firmware",
    "torch_npu_cann",
    "torch_npu_series",
    "torch_torch_npu",
]


class Matched(rows.Row):
    """A CANN and the HDK releases it was published with."""

    cann: CannVersion
    hdk: tuple[HdkVersion, ...]


class Window(rows.Row):
    """A printed yes or no: for HDK releases, or for whole lines (`25.2`)."""

    cann: CannVersion
    compatible: bool
    hdk: tuple[HdkVersion, ...] = ()
    lines: tuple[str, ...] = ()


@functools.cache
def matched() -> tuple[Matched, ...]:
    """CANN and HDK released together."""
    return rows.table("pairs", "matched", Matched)


@functools.cache
def windows() -> tuple[Window, ...]:
    """CANN and HDK printed as compatible or not."""
    return rows.table("pairs", "windows", Window)


def covers(listed: HdkVersion, version: HdkVersion) -> bool:
    """A row for 25.0.rc1 covers 25.0.rc1.1: the release or a patch of it."""
    return listed == version or str(version).lower().startswith(str(listed).lower() + ".")


def driver_firmware(
    driver: HdkVersion,
    firmware: FirmwareVersion,
    chip: str,
    *,
    accepts_firmware: str | None = None,
    accepts_driver: str | None = None,
) -> Answer:
    """Files and tables together: a published pair is compatible whatever a stale list says, else the files decide."""
    files = installed_lists.driver_firmware(driver, firmware, accepts_firmware, accepts_driver)
    table = published_driver_firmware(driver, firmware, chip)
    if files.verdict == "unknown":
        return table if table.verdict != "unknown" else _both(files, table)
    if table.verdict == "compatible" and files.verdict == "incompatible":
        return answers.compatible(f"{table.why}; the installed lists disagree: {files.why}", table.source)
    return files


def published_driver_firmware(driver: HdkVersion, firmware: FirmwareVersion, chip: str) -> Answer:
    """By the release table alone. A firmware of another number line that belongs to another release is not a pair."""
    own = releases.find(driver, chip)
    if own and firmware in own.firmware:
        return answers.compatible(f"{driver} was released with firmware {firmware} for {chip}", own.cited)
    if own is None or not own.firmware:
        return answers.unknown(f"no table gives the firmware of {driver} on {chip}", "", *_firmware_rows(driver, chip))
    usual = f"{own.hdk} with {own.firmware[0]}"
    foreign = next((row for row in releases.known() if firmware in row.firmware and chip in row.chips), None)
    if foreign and _line(firmware) != _line(own.firmware[0]) and foreign.public and own.public:
        return answers.incompatible(
            f"{driver} was released with firmware {own.firmware[0]} for {chip}; {firmware} belongs to {foreign.hdk}",
            f"{own.cited}; {foreign.cited}",
            usual,
        )
    return answers.unknown(
        f"{driver} was released with firmware {own.firmware[0]} for {chip}; nothing is printed about {firmware}",
        own.cited,
        usual,
    )


def _line(firmware: FirmwareVersion) -> tuple[str, ...]:
    return tuple(str(firmware).split(".")[:2])


def _firmware_rows(driver: HdkVersion, chip: str) -> tuple[str, ...]:
    listed = [row for row in releases.known() if chip in row.chips and row.firmware]
    close = sorted(listed, key=lambda row: row.hdk <= driver)[-1:]
    return tuple(f"{row.hdk} with {row.firmware[0]}" for row in close)


def cann_driver(
    cann: CannVersion,
    driver: HdkVersion,
    *,
    cann_inner: str | None = None,
    cann_accepts: str | None = None,
    driver_inner: str | None = None,
    driver_accepts: str | None = None,
) -> Answer:
    """Files and tables together: a printed no or a published pair wins, else the inner-version lists decide."""
    files = installed_lists.cann_driver(cann_inner, cann_accepts, driver_inner, driver_accepts)
    table = published_cann_driver(cann, driver)
    if table.verdict == "unknown":
        return files if files.verdict != "unknown" else _both(files, table)
    if files.verdict not in {"unknown", table.verdict}:
        return table.model_copy(update={"why": f"{table.why}; the installed lists disagree: {files.why}"})
    return table


def published_cann_driver(cann: CannVersion, driver: HdkVersion) -> Answer:
    """By the published tables alone; outside the printed cells nothing is promised."""
    wanted = frameworks.without_beta(cann)
    for row in matched():
        if row.cann == wanted and any(covers(hdk, driver) for hdk in row.hdk):
            return answers.compatible(f"CANN {cann} and HDK {driver} were published together", row.cited)
    for window in windows():
        if window.cann == wanted and _in_window(driver, window):
            if window.compatible:
                return answers.compatible(f"CANN {cann} is printed as usable on HDK {driver}", window.cited)
            return answers.incompatible(
                f"CANN {cann} is printed as not usable on HDK {driver}", window.cited, *_hdk_rows(wanted)
            )
    return answers.unknown(f"no published row has CANN {cann} with HDK {driver}", "", *_hdk_rows(wanted))


def _in_window(driver: HdkVersion, window: Window) -> bool:
    return any(covers(hdk, driver) for hdk in window.hdk) or any(
        str(driver).startswith(line + ".") for line in window.lines
    )


def _hdk_rows(cann: CannVersion) -> tuple[str, ...]:
    own = [f"CANN {row.cann} with HDK {', '.join(map(str, row.hdk))}" for row in matched() if row.cann == cann]
    if own:
        return tuple(own)
    close = _closest((row.cann for row in matched()), cann)
    return tuple(f"CANN {row.cann} with HDK {', '.join(map(str, row.hdk))}" for row in matched() if row.cann in close)


def _both(files: Answer, table: Answer) -> Answer:
    return answers.unknown(f"{files.why}; {table.why}", table.source or files.source, *table.nearest)


def _closest(versions: Iterable[CannVersion], wanted: CannVersion) -> tuple[CannVersion, ...]:
    """The nearest listed version on either side."""
    below: CannVersion | None = None
    above: CannVersion | None = None
    for version in versions:
        if version < wanted and (below is None or below < version):
            below = version
        if wanted < version and (above is None or version < above):
            above = version
    return tuple(version for version in (below, above) if version is not None)
