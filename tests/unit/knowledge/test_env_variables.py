from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.knowledge import env_variables
from ascend_provision.knowledge.env_variables import Scope, Variable
from ascend_provision.stack.versions import CannVersion


def one(name: str, chip: str | None = None, mode: str | None = None, cann: str | None = None) -> Variable:
    scope = Scope(chip=chip, mode=mode, cann=CannVersion(cann) if cann else None)
    (row,) = env_variables.rows_of(name, scope)
    return row


@pytest.mark.parametrize("row", env_variables.known(), ids=lambda row: f"{row.variable}-{'-'.join(row.chips)}")
def test_every_row_takes_its_own_example_and_default(row: Variable) -> None:
    assert row.stands(row.example) == "right"
    assert not row.default or row.stands(row.default) == "right"
    assert row.public


@pytest.mark.parametrize(
    ("value", "standing"),
    [
        ("1", "right"),
        ("2048", "right"),
        ("2049", "odd"),
        ("8193", "wrong"),
        ("1048576", "wrong"),
        ("0", "wrong"),
        ("-1", "wrong"),
        ("200M", "not-a-value"),
        ("1.5", "not-a-value"),
        ("", "not-a-value"),
        ("２００", "not-a-value"),
    ],
)
def test_hccl_buffsize_is_in_megabytes(value: str, standing: str) -> None:
    assert one("HCCL_BUFFSIZE").stands(value) == standing


def test_the_same_wait_has_another_range_on_another_chip_and_in_another_mode() -> None:
    assert one("HCCL_EXEC_TIMEOUT", "910").range == "above 0 to 17340 s"
    assert one("HCCL_EXEC_TIMEOUT", "910").stands("0") == "wrong"
    assert one("HCCL_EXEC_TIMEOUT", "910b").stands("0") == "right"
    assert one("HCCL_EXEC_TIMEOUT", "910b", mode="AIV").stands("1836") == "wrong"
    assert one("HCCL_EXEC_TIMEOUT", "910_93", mode="AI_CPU").stands("20000") == "right"


def test_without_a_known_chip_every_row_may_hold() -> None:
    assert len(env_variables.rows_of("HCCL_RDMA_TIMEOUT", Scope())) == 2


def test_a_row_holds_from_its_cann_on() -> None:
    assert one("ACLNN_CACHE_LIMIT", cann="8.5.0").stands("0") == "wrong"
    assert one("ACLNN_CACHE_LIMIT", cann="9.1.0").stands("0") == "right"


def test_a_variable_nobody_listed_has_no_rows() -> None:
    assert env_variables.rows_of("HCCL_SOMETHING_NEW", Scope()) == ()


@pytest.mark.parametrize("order", env_variables.orders(), ids=lambda order: order.shorter)
def test_the_published_defaults_are_in_order_themselves(order: env_variables.Order) -> None:
    for chip in ("910", "910b", "910_93", "310p"):
        low, high = (one(name, chip) for name in (order.shorter, order.longer))
        assert float(low.default) < float(high.default)


def test_what_the_shell_works_out_is_no_literal() -> None:
    assert env_variables.literal("200")
    assert not env_variables.literal("${HCCL_BUFFSIZE:-200}")
    assert not env_variables.literal("`nproc`")


@given(st.text(max_size=20))
def test_a_number_is_a_number_or_none_and_never_raises(text: str) -> None:
    found = env_variables.number(text)

    assert found is None or found == float(text)
