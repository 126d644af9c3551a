from __future__ import annotations

import pytest

from ascend_provision.knowledge.components import Component
from ascend_provision.knowledge.explanation import Lists
from ascend_provision.knowledge.told_by_files import told_by_files

HDK_CANN: dict[Component, str] = {"hdk": "24.1.0", "cann": "8.5.0"}
NEITHER = {
    "cann_inner": "V100R001C25SPC001B212",
    "cann_accepts": "[V100R001C23]",
    "driver_inner": "V100R001C19SPC002B226",
    "driver_accepts": "[V100R001C19]",
}


def test_installed_lists_that_both_say_no_are_a_no() -> None:
    found = told_by_files(HDK_CANN, Lists(**NEITHER))

    assert found is not None
    assert found.verdict == "incompatible"


@pytest.mark.parametrize(("public", "verdict"), [(True, "incompatible"), (False, "unknown")])
def test_a_recorded_list_forbids_only_if_somebody_can_look_it_up(public: bool, verdict: str) -> None:
    found = told_by_files(HDK_CANN, Lists(**NEITHER, recorded=True, public=public))

    assert found is not None
    assert found.verdict == verdict
    assert "seen to say elsewhere" in found.why


def test_pairs_that_no_package_lists_are_not_judged_by_files() -> None:
    assert told_by_files({"torch_npu": "2.4.0", "cann": "8.0.RC3"}, Lists(**NEITHER)) is None
    assert told_by_files(HDK_CANN, Lists()) is None


def test_a_recorded_inner_version_alone_says_nothing_and_is_not_told() -> None:
    assert told_by_files(HDK_CANN, Lists(cann_inner="V100R001C25SPC001B212", recorded=True)) is None
