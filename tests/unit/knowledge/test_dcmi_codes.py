from __future__ import annotations

import pytest

from ascend_provision.knowledge import dcmi_codes


@pytest.mark.parametrize("row", dcmi_codes.known(), ids=lambda row: row.said)
def test_every_code_is_found_in_the_line_it_was_seen_in(row: dcmi_codes.Code) -> None:
    assert dcmi_codes.find(row.example) == row


def test_no_code_is_listed_twice() -> None:
    assert len({row.code for row in dcmi_codes.known()}) == len(dcmi_codes.known())


@pytest.mark.parametrize("line", ["ret is -1", "ret is -80050", "npu-smi info ended 187", "took -8005 ms", ""])
def test_a_number_that_is_no_code_is_none(line: str) -> None:
    assert dcmi_codes.find(line) is None


def test_the_device_plugins_wording_is_the_same_code() -> None:
    found = dcmi_codes.find("prepare dcmi failed, err: dcmi init failed, error code: -8005")

    assert found is not None
    assert found.said == "-8005 (internal error)"
