"""Frameworks: torch_npu against CANN and torch, MindSpore against CANN.

A framework release is published for one CANN, beside the windows a vendor page adds; so another CANN that the tables
list is `incompatible`, and a version that no table lists is `unknown` and names the nearest rows.
"""

from __future__ import annotations

from collections.abc import Iterable

from ascend_provision.knowledge import answers, frameworks
from ascend_provision.knowledge.answers import Answer
from ascend_provision.stack.versions import CannVersion, FrameworkVersion


def torch_npu_cann(torch_npu: FrameworkVersion, cann: CannVersion) -> Answer:
    """Is this torch_npu published for this CANN?"""
    found = frameworks.torch_npu_rows(torch_npu)
    wanted = frameworks.without_beta(cann)
    for row in found:
        if row.cann == wanted:
            return answers.compatible(f"torch_npu {torch_npu} is published for CANN {cann}", row.cited)
    for row in found:
        for window in frameworks.series_windows():
            if row.series in window.series and wanted in window.cann:
                return answers.compatible(
                    f"torch_npu {torch_npu} is of series {row.series}, listed as usable with CANN {cann}", window.cited
                )
    listed = {row.cann for row in frameworks.torch_npus()}
    fitting = _ascending(row.torch_npu for row in frameworks.torch_npus() if row.cann == wanted)
    nearest = tuple(f"torch_npu {version} with CANN {cann}" for version in fitting)
    return _one_cann(
        "torch_npu", torch_npu, cann, [(row.cann, row.cited, row.public) for row in found], wanted in listed, nearest
    )


def mindspore_cann(mindspore: FrameworkVersion, cann: CannVersion) -> Answer:
    """Is this MindSpore published for this CANN?"""
    found = frameworks.mindspore_rows(mindspore)
    wanted = frameworks.without_beta(cann)
    for row in found:
        if frameworks.without_beta(row.cann) == wanted:
            return answers.compatible(f"MindSpore {mindspore} is published for CANN {cann}", row.cited)
    listed = {frameworks.without_beta(row.cann) for row in frameworks.mindspores()}
    fitting = _ascending(
        row.mindspore for row in frameworks.mindspores() if frameworks.without_beta(row.cann) == wanted
    )
    nearest = tuple(f"MindSpore {version} with CANN {cann}" for version in fitting)
    return _one_cann(
        "MindSpore", mindspore, cann, [(row.cann, row.cited, row.public) for row in found], wanted in listed, nearest
    )


def _one_cann(
    name: str,
    version: FrameworkVersion,
    cann: CannVersion,
    published: list[tuple[CannVersion, str, bool]],
    cann_listed: bool,
    nearest: tuple[str, ...],
) -> Answer:
    """The answer for a pair that no row prints: a listed version is for its own CANN, another listed one is not it."""
    if not published:
        return answers.unknown(f"no published table lists {name} {version}", "", *nearest)
    own = " or ".join(dict.fromkeys(str(row[0]) for row in published))
    source = "; ".join(dict.fromkeys(row[1] for row in published))
    nearest = (f"{name} {version} with CANN {own}", *nearest)
    if cann_listed and any(row[2] for row in published):
        return answers.incompatible(f"{name} {version} is published for CANN {own}, not for {cann}", source, *nearest)
    return answers.unknown(
        f"{name} {version} is published for CANN {own}; no table says anything about {cann}", source, *nearest
    )


def torch_torch_npu(torch: FrameworkVersion, torch_npu: FrameworkVersion) -> Answer:
    """Is this torch the one the torch_npu was built against? Another one fails at import (undefined symbols)."""
    found = frameworks.torch_npu_rows(torch_npu)
    if not found:
        return answers.unknown(f"no published table lists torch_npu {torch_npu}")
    row = found[0]
    if frameworks.plain(torch) == row.torch:
        return answers.compatible(f"torch_npu {torch_npu} is built against torch {row.torch}", row.cited)
    return answers.incompatible(
        f"torch_npu {torch_npu} is built against torch {row.torch}, not {torch}", row.cited, f"torch {row.torch}"
    )


def _ascending(versions: Iterable[FrameworkVersion]) -> list[FrameworkVersion]:
    return sorted(set(versions))
