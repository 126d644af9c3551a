"""Variables that every rank of a job must have alike, so every host that jobs run over."""

from __future__ import annotations

import functools
from typing import Literal

from ascend_provision.knowledge import rows


class EqualVariable(rows.Row):
    """`verdict` when hosts differ; `only_whether` compares whether it is set, not its value."""

    variable: str
    verdict: Literal["fail", "warn"]
    only_whether: bool = False


@functools.cache
def known() -> tuple[EqualVariable, ...]:
    """Every such variable."""
    return rows.table("equal_variables", "variables", EqualVariable)
