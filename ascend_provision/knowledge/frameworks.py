"""torch_npu: the releases that are listed, and the series a version belongs to."""

from __future__ import annotations

import functools

from packaging.version import Version as Pep440

from ascend_provision.knowledge.published_rows import published_rows
from ascend_provision.stack.model import Noun
from ascend_provision.stack.versions import FrameworkVersion, SeriesVersion


class TorchNpu(Noun):
    """One listed torch_npu; `series` from its branch name, None where none is printed."""

    torch_npu: FrameworkVersion
    series: SeriesVersion | None
    source: str


class Series(Noun):
    """The series of a torch_npu. `exact` is False where it is only known to be at least this one."""

    series: SeriesVersion
    exact: bool
    source: str


@functools.cache
def torch_npus() -> tuple[TorchNpu, ...]:
    """Every release of the torch_npu table."""
    return tuple(
        TorchNpu(
            torch_npu=FrameworkVersion(version),
            series=SeriesVersion(series[0]) if (series := row.parts.get("torch_npu_series")) else None,
            source=row.cited,
        )
        for row in published_rows()
        if row.kind == "torch_npu"
        for version in row.parts["torch_npu"]
    )


def plain(version: FrameworkVersion) -> FrameworkVersion:
    """Without the local part (2.1.0.post3+cpu -> 2.1.0.post3), which names a build and not a release."""
    return FrameworkVersion(Pep440(str(version)).public)


@functools.cache
def _by_torch() -> dict[str, tuple[TorchNpu, ...]]:
    """Those with a series, oldest first, under the torch they are for."""
    found: dict[str, list[TorchNpu]] = {}
    for row in sorted(torch_npus(), key=lambda row: Pep440(str(row.torch_npu))):
        if row.series is not None:
            found.setdefault(Pep440(str(row.torch_npu)).base_version, []).append(row)
    return {torch: tuple(rows) for torch, rows in found.items()}


@functools.lru_cache(maxsize=4096)
def torch_npu_series(version: FrameworkVersion) -> Series | None:
    """The series, or for an unlisted build of a listed torch the series of the newest listed release before it.

    Builds of one torch only move forward (2.1.0, 2.1.0.post3 … 2.1.0.post17 are series 5.0.0 to 7.2.0), so that is
    a lower bound. A torch nobody listed gives None.
    """
    wanted = plain(version)
    listed = _by_torch().get(Pep440(str(wanted)).base_version, ())
    row = next((row for row in reversed(listed) if row.torch_npu <= wanted), None)
    if row is None or row.series is None:
        return None
    return Series(series=row.series, exact=row.torch_npu == wanted, source=row.source)
