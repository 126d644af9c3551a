from __future__ import annotations

import pytest

from ascend_provision.knowledge import hccl_ports
from ascend_provision.stack.versions import CannVersion


@pytest.mark.parametrize(
    ("cann", "last"),
    [("6.0.1", 60015), ("8.1.RC1", 60015), ("8.2.RC1.alpha002", 60015), ("8.2.RC1", 60031), ("8.5.0", 60031)],
)
def test_the_range_grew_with_one_release(cann: str, last: int) -> None:
    ports = hccl_ports.taken(hccl_ports.of(CannVersion(cann)), None)

    assert (ports[0], ports[-1]) == (60000, last)


@pytest.mark.parametrize("row", hccl_ports.known(), ids=lambda row: row.example)
def test_every_row_is_the_range_it_was_published_as(row: hccl_ports.Ports) -> None:
    ports = hccl_ports.taken(row, None)

    assert ports is not None
    assert f"{ports[0]}-{ports[-1]}" == row.example


@pytest.mark.parametrize(("base", "first"), [("50000", 50000), ("", 60000)])
def test_a_base_port_moves_the_range(base: str, first: int) -> None:
    assert hccl_ports.taken(hccl_ports.of(CannVersion("8.0.0")), base) == range(first, first + 16)


@pytest.mark.parametrize("base", ["many", "99999", "$BASE", "9" * 5000])
def test_a_base_that_is_no_port_gives_no_range(base: str) -> None:
    assert hccl_ports.taken(hccl_ports.of(CannVersion("8.0.0")), base) is None
