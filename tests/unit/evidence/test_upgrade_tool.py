from __future__ import annotations

from typing import Any

import pytest

from ascend_provision.evidence import upgrade_tool


@pytest.mark.of("versions")
def test_component_versions_read_as_the_distinct_ones_lowest_first(case: Any, plain: Any) -> None:
    reading = upgrade_tool.parse_versions(case.evidence())

    assert case.facts == plain(reading.facts)
    assert case.unread == reading.unread


@pytest.mark.of("status")
def test_only_a_waiting_chip_makes_firmware_pending_and_only_idle_ones_deny_it(case: Any, plain: Any) -> None:
    assert case.facts == plain(upgrade_tool.parse_status(case.evidence()).facts)
