from __future__ import annotations

from typing import Any

import pytest

from ascend_provision.evidence import upgrade_tool
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown


@pytest.mark.of("versions")
def test_component_versions_read_as_the_distinct_ones_lowest_first(case: Any, plain: Any) -> None:
    reading = upgrade_tool.parse_versions(case.evidence())

    assert case.facts == plain(reading.facts)
    assert case.unread == reading.unread


@pytest.mark.of("status")
def test_only_a_waiting_chip_makes_firmware_pending_and_only_idle_ones_deny_it(case: Any, plain: Any) -> None:
    assert case.facts == plain(upgrade_tool.parse_status(case.evidence()).facts)


def status(text: str, status: int | None = 0, note: str = "") -> Evidence:
    return Evidence(name="upgrade-tool.status", status=status, text=text, note=note)


IDLE = '\t{"device_id":1, "status":idle}\n'


@pytest.mark.parametrize(
    "torn", ['\t{"device_id":0, "status":waitting|_restart}\n', '\t{"device_id":0, "sta', '"status":wai}\n']
)
def test_a_chip_whose_line_is_torn_may_be_the_one_that_waits(torn: str) -> None:
    assert isinstance(upgrade_tool.parse_status(status("{\n" + IDLE + torn)).facts, Unknown)


def test_another_source_may_tell_only_where_the_tool_has_no_word_of_its_own() -> None:
    assert upgrade_tool.has_no_word(status("", None, "not found"))
    assert upgrade_tool.has_no_word(status("Unknown option: --status\n", 1))
    assert upgrade_tool.has_no_word(status('{\n\t{"device_id":0, "status":not support}\n}\n'))

    assert not upgrade_tool.has_no_word(status("", None, "timed out after 20 s"))
    assert not upgrade_tool.has_no_word(status("{\n" + IDLE + '\t{"device_id":0, "sta'))
    assert not upgrade_tool.has_no_word(status('{\n\t{"device_id":0, "status":synchronizing}\n}\n'))
