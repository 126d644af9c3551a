"""torch_npu and MindSpore: the CANN each version was published for, and the series a torch_npu belongs to."""

from __future__ import annotations

import functools

from packaging.version import Version as Pep440

from ascend_provision.knowledge import rows
from ascend_provision.stack.model import Noun
from ascend_provision.stack.versions import CannVersion, FrameworkVersion, SeriesVersion


class TorchNpu(rows.Row):
    """One torch_npu release: the torch and CANN it was built against; `series` from its branch name, where printed."""

    torch_npu: FrameworkVersion
    torch: FrameworkVersion
    cann: CannVersion
    series: SeriesVersion | None = None


class SeriesWindow(rows.Row):
    """Whole series the vendor lists as usable with each of these CANN releases."""

    series: tuple[SeriesVersion, ...]
    cann: tuple[CannVersion, ...]


class MindSpore(rows.Row):
    """One MindSpore release and the CANN its pages name."""

    mindspore: FrameworkVersion
    cann: CannVersion


class Series(Noun):
    """The series of a torch_npu. `exact` is False where it is only known to be at least this one."""

    series: SeriesVersion
    exact: bool
    source: str


@functools.cache
def torch_npus() -> tuple[TorchNpu, ...]:
    """Every torch_npu row."""
    return rows.table("frameworks", "torch_npu", TorchNpu)


@functools.cache
def series_windows() -> tuple[SeriesWindow, ...]:
    """The published series windows."""
    return rows.table("frameworks", "series_windows", SeriesWindow)


@functools.cache
def mindspores() -> tuple[MindSpore, ...]:
    """Every MindSpore row."""
    return rows.table("frameworks", "mindspore", MindSpore)


def plain(version: FrameworkVersion) -> FrameworkVersion:
    """Without the local part (2.1.0.post3+cpu -> 2.1.0.post3), which names a build and not a release."""
    return FrameworkVersion(Pep440(str(version)).public)


def without_beta(cann: CannVersion) -> CannVersion:
    """7.0.0.beta1 is the community edition of 7.0.0: the vendor's tables pair both with the same MindSpore."""
    head, _, tail = str(cann).rpartition(".beta")
    return CannVersion(head) if tail.isdigit() else cann


def torch_npu_rows(version: FrameworkVersion) -> tuple[TorchNpu, ...]:
    """The rows of exactly this release."""
    return tuple(row for row in torch_npus() if row.torch_npu == plain(version))


def mindspore_rows(version: FrameworkVersion) -> tuple[MindSpore, ...]:
    """The rows of exactly this release."""
    return tuple(row for row in mindspores() if row.mindspore == plain(version))


def torch_npu_series(version: FrameworkVersion) -> Series | None:
    """The series, or for an unlisted build of a listed torch the series of the newest listed release before it.

    Builds of one torch only move forward (2.1.0, 2.1.0.post3 … 2.1.0.post17 are series 5.0.0 to 7.2.0), so that is
    a lower bound. A torch nobody listed gives None.
    """
    wanted = plain(version)
    base = Pep440(str(wanted)).base_version
    listed = [row for row in torch_npus() if row.series and Pep440(str(row.torch_npu)).base_version == base]
    before = [row for row in listed if row.torch_npu <= wanted]
    if not before:
        return None
    row = max(before, key=lambda item: Pep440(str(item.torch_npu)))
    if row.series is None:
        return None
    return Series(series=row.series, exact=row.torch_npu == wanted, source=row.cited)
