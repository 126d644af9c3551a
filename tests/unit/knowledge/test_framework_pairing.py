from __future__ import annotations

import pytest

from ascend_provision.knowledge import framework_pairing, frameworks
from ascend_provision.stack.versions import CannVersion, FrameworkVersion


@pytest.mark.parametrize("row", frameworks.torch_npus(), ids=lambda row: f"{row.torch_npu}-{row.cann}")
def test_every_torch_npu_fits_its_own_cann_and_torch(row: frameworks.TorchNpu) -> None:
    assert framework_pairing.torch_npu_cann(row.torch_npu, row.cann).verdict == "compatible"
    assert framework_pairing.torch_torch_npu(row.torch, row.torch_npu).verdict == "compatible"


@pytest.mark.parametrize("row", frameworks.mindspores(), ids=lambda row: f"{row.mindspore}-{row.cann}")
def test_every_mindspore_fits_its_own_cann(row: frameworks.MindSpore) -> None:
    assert framework_pairing.mindspore_cann(row.mindspore, row.cann).verdict == "compatible"


@pytest.mark.parametrize("window", frameworks.series_windows(), ids=lambda window: str(window.series[0]))
def test_every_series_of_a_window_fits_each_of_its_cann(window: frameworks.SeriesWindow) -> None:
    rows = [row for row in frameworks.torch_npus() if row.series in window.series]

    assert rows
    for row in rows:
        for cann in window.cann:
            assert framework_pairing.torch_npu_cann(row.torch_npu, cann).verdict == "compatible"


def torch_npu(version: str, cann: str) -> framework_pairing.Answer:
    return framework_pairing.torch_npu_cann(FrameworkVersion(version), CannVersion(cann))


def test_torch_npu_1_8_1_of_hdk_22_does_not_fit_cann_7_and_what_does_is_named() -> None:
    found = torch_npu("1.8.1", "7.0.0")

    assert found.verdict == "incompatible"
    assert found.nearest[0] == "torch_npu 1.8.1 with CANN 6.0.1"
    assert "torch_npu 2.1.0 with CANN 7.0.0" in found.nearest


def test_the_one_row_of_torch_npu_2_1_0_says_nothing_about_an_unlisted_cann() -> None:
    assert torch_npu("2.1.0", "7.0.1").verdict == "unknown"


def test_a_torch_npu_nobody_listed_is_unknown() -> None:
    assert torch_npu("2.4.1", "8.0.0").verdict == "unknown"


def test_a_local_build_suffix_does_not_change_the_release() -> None:
    assert torch_npu("2.1.0.post3+cpu", "8.0.RC1").verdict == "compatible"


def test_mindspore_2_7_1_with_cann_8_2_rc1_is_no_match_whatever_a_forum_says() -> None:
    found = framework_pairing.mindspore_cann(FrameworkVersion("2.7.1"), CannVersion("8.2.RC1"))

    assert found.verdict == "incompatible"
    assert "8.3.RC1" in found.why


def test_a_mindspore_nobody_listed_is_unknown() -> None:
    assert framework_pairing.mindspore_cann(FrameworkVersion("2.2.99"), CannVersion("7.0.0")).verdict == "unknown"


def test_another_torch_under_torch_npu_is_incompatible() -> None:
    found = framework_pairing.torch_torch_npu(FrameworkVersion("2.4.1"), FrameworkVersion("2.4.0.post2"))

    assert found.verdict == "incompatible"
    assert found.nearest == ("torch 2.4.0",)
