"""HBM that an idle chip uses by itself: what is above it, somebody holds."""

from __future__ import annotations

import functools

from ascend_provision.knowledge import products, rows
from ascend_provision.knowledge.products import Product


class Idle(rows.Row):
    """Of chips of this family with so much HBM, what the driver's own part takes at most, MiB."""

    family: str
    hbm_total_mb: int
    idle_mb: int
    example: str


@functools.cache
def known() -> tuple[Idle, ...]:
    """Every row."""
    return rows.table("idle_hbm", "idle", Idle)


def limit_mb(product: Product, hbm_total_mb: int | None) -> int | None:
    """Up to here a chip counts as idle, with the slack that measurements have; None where no figure is published."""
    exact = next(
        (row.idle_mb for row in known() if (row.family, row.hbm_total_mb) == (product.family, hbm_total_mb)), None
    )
    idle = product.idle_hbm_mb if exact is None else exact
    return None if idle is None else idle + products.hbm_slack_mb()
