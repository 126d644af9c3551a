"""What exists only from some HDK on, so that an old host is not asked for it."""

from __future__ import annotations

import functools

from ascend_provision.knowledge import rows
from ascend_provision.stack.versions import HdkVersion

PROCESS_TABLE = "npu-smi-process-table"
"""`npu-smi info` lists the processes on the cards."""


class Feature(rows.Row):
    """A feature and the first HDK that has it."""

    name: str
    hdk_since: HdkVersion


@functools.cache
def known() -> tuple[Feature, ...]:
    """Every listed feature."""
    return rows.table("features", "features", Feature)


def has(hdk: HdkVersion, name: str) -> bool:
    """Whether this HDK has the feature; KeyError for one nobody listed."""
    found = {row.name: row.hdk_since for row in known()}
    return hdk >= found[name]
