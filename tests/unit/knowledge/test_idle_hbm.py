from __future__ import annotations

import pytest

from ascend_provision.knowledge import idle_hbm, products

BY_ID = {product.id: product for product in products.known()}


@pytest.mark.parametrize(
    ("product", "total", "limit"),
    [
        ("atlas-800-9000", 32768, 3),
        ("atlas-800t-a2", 65536, 4500),
        ("atlas-800t-a2", 32768, 2830),
        ("atlas-900-a3", 65536, 3400),
        ("atlas-800t-a2", 98304, 4500),
        ("atlas-800t-a2", None, 4500),
    ],
)
def test_a_card_of_half_the_memory_has_a_lower_floor_and_an_unlisted_size_its_products(
    product: str, total: int | None, limit: int
) -> None:
    assert idle_hbm.limit_mb(BY_ID[product], total) == limit + products.hbm_slack_mb()


def test_a_card_without_hbm_has_no_figure() -> None:
    assert idle_hbm.limit_mb(BY_ID["atlas-300i-duo"], None) is None
