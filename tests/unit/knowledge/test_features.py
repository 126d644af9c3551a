from __future__ import annotations

import pytest

from ascend_provision.knowledge import features
from ascend_provision.stack.versions import HdkVersion


@pytest.mark.parametrize("row", features.known(), ids=lambda row: row.name)
def test_every_feature_begins_with_its_hdk(row: features.Feature) -> None:
    assert features.has(row.hdk_since, row.name)
    assert not features.has(HdkVersion("20.1.0"), row.name)


def test_npu_smi_of_hdk_22_has_no_process_table() -> None:
    assert not features.has(HdkVersion("22.0.4"), features.PROCESS_TABLE)
    assert features.has(HdkVersion("23.0.rc2"), features.PROCESS_TABLE)


def test_a_feature_nobody_listed_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(KeyError):
        features.has(HdkVersion("23.0.0"), "time-travel")
