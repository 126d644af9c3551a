"""Rank tables: which form a chip generation takes, and which files jobs read without being told."""

from __future__ import annotations

import functools
from typing import Literal

from ascend_provision.knowledge import rows

VARIABLE = "RANK_TABLE_FILE"


class Form(rows.Row):
    """What a family's HCCL reads: `others` is how bad any other version is.

    `super_device_in` is the version whose devices must all have a super_device_id.
    """

    family: str
    versions: tuple[str, ...]
    super_device_in: str | None = None
    others: Literal["fail", "warn"]


class Used(rows.Row):
    path: str


@functools.cache
def forms() -> tuple[Form, ...]:
    """Every family's forms."""
    return rows.table("rank_tables", "forms", Form)


def form(family: str) -> Form | None:
    """The form of a family; None for one nobody listed."""
    return next((row for row in forms() if row.family == family), None)


def used() -> tuple[str, ...]:
    """Paths that jobs read without being told."""
    return tuple(row.path for row in rows.table("rank_tables", "used", Used))
