from __future__ import annotations

from ascend_provision.knowledge import releases
from ascend_provision.knowledge.published_rows import published_rows


def test_every_release_with_a_firmware_is_a_row_for_its_chips() -> None:
    rows = [row for row in published_rows() if row.kind == "releases"]

    assert len(rows) == sum(len(row.firmware) for row in releases.known())
    assert all(row.chips for row in rows)


def test_no_published_row_is_a_sites() -> None:
    assert not any(row.site for row in published_rows())
