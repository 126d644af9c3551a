"""Two installed versions at a time, typed: the questions that rules ask the published matrix.

What no table prints is `unknown` and names the nearest rows. Rows that nobody can look up never forbid anything.
`matrix` is the published one where none is given; a site's has rows of its own.
"""

from __future__ import annotations

from ascend_provision.knowledge import installed_lists
from ascend_provision.knowledge.answers import Answer
from ascend_provision.knowledge.explanation import files_first, table_first
from ascend_provision.knowledge.frameworks import Series, torch_npu_series
from ascend_provision.knowledge.matrix import Matrix, published
from ascend_provision.stack.versions import CannVersion, FirmwareVersion, FrameworkVersion, HdkVersion

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


def driver_firmware(
    driver: HdkVersion,
    firmware: FirmwareVersion,
    chip: str,
    *,
    accepts_firmware: str | None = None,
    accepts_driver: str | None = None,
    matrix: Matrix | None = None,
) -> Answer:
    """Files and tables together: a published pair is compatible whatever a stale list says, else the files decide."""
    files = installed_lists.driver_firmware(driver, firmware, accepts_firmware, accepts_driver)
    return files_first(published_driver_firmware(driver, firmware, chip, matrix), files)


def published_driver_firmware(
    driver: HdkVersion, firmware: FirmwareVersion, chip: str, matrix: Matrix | None = None
) -> Answer:
    """By the release table alone. A firmware of another number line that belongs to another release is not a pair."""
    return (matrix or published()).judge(("hdk", str(driver)), ("firmware", str(firmware)), chip)


def cann_driver(
    cann: CannVersion,
    driver: HdkVersion,
    chip: str = "",
    *,
    cann_inner: str | None = None,
    cann_accepts: str | None = None,
    driver_inner: str | None = None,
    driver_accepts: str | None = None,
    matrix: Matrix | None = None,
) -> Answer:
    """Files and tables together: a printed no or a published pair wins, else the inner-version lists decide."""
    files = installed_lists.cann_driver(cann_inner, cann_accepts, driver_inner, driver_accepts)
    return table_first(published_cann_driver(cann, driver, chip, matrix), files)


def published_cann_driver(
    cann: CannVersion, driver: HdkVersion, chip: str = "", matrix: Matrix | None = None
) -> Answer:
    """By the published tables alone; outside the printed cells nothing is promised."""
    return (matrix or published()).judge(("cann", str(cann)), ("hdk", str(driver)), chip)


def torch_npu_cann(torch_npu: FrameworkVersion, cann: CannVersion, matrix: Matrix | None = None) -> Answer:
    """Is this torch_npu, or its whole series, published for this CANN?"""
    return (matrix or published()).judge(("torch_npu", str(torch_npu)), ("cann", str(cann)))


def mindspore_cann(mindspore: FrameworkVersion, cann: CannVersion, matrix: Matrix | None = None) -> Answer:
    """Is this MindSpore published for this CANN?"""
    return (matrix or published()).judge(("mindspore", str(mindspore)), ("cann", str(cann)))


def torch_torch_npu(torch: FrameworkVersion, torch_npu: FrameworkVersion, matrix: Matrix | None = None) -> Answer:
    """Is this torch the one the torch_npu was built against? Another one fails at import (undefined symbols)."""
    return (matrix or published()).judge(("torch_npu", str(torch_npu)), ("torch", str(torch)))
