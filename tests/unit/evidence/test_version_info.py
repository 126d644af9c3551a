from __future__ import annotations

from typing import Any

import pytest

from ascend_provision.evidence import version_info


@pytest.mark.of("driver")
def test_a_drivers_file_reads_as_published(case: Any, plain: Any) -> None:
    reading = version_info.parse_driver(case.evidence())

    assert case.facts == plain(reading.facts)
    assert case.unread == reading.unread


@pytest.mark.of("firmware")
def test_a_firmwares_file_reads_as_published(case: Any, plain: Any) -> None:
    reading = version_info.parse_firmware(case.evidence())

    assert case.facts == plain(reading.facts)
    assert case.unread == reading.unread
