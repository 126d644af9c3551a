from __future__ import annotations

import pytest

from ascend_provision.knowledge.components import Component
from ascend_provision.knowledge.remarks import remarks

CASES: list[tuple[dict[Component, str], str, str]] = [
    ({"hdk": "23.0.rc1"}, "310", "no archive of package 23.0.rc1 is listed for 310, only for 310p, 910"),
    (
        {"firmware": "1.11.0.1.220"},
        "910b",
        "on firmware 1.11.0.1.220 of a 910b the installer takes no HDK before 23.0.rc1",
    ),
    (
        {"hdk": "23.0.5"},
        "910b",
        "cards with clock chips HUYANG024 take no HDK below 23.0.7; HDK 23.0.5 is refused",
    ),
    ({"hdk": "6.0.0"}, "910", "6.0.0 is the number of the package whose driver reports 22.0.4"),
    ({"hdk": "1.0.18"}, "910", "1.0.18 is the number of the community edition whose driver reports 22.0.4"),
    ({"torch_npu": "2.1.0.post11"}, "910b", "torch_npu 2.1.0.post11 is in no package index, only in documents"),
    ({"torch_npu": "2.6.0"}, "910b", "the wheel of torch_npu 2.6.0 for aarch64 needs glibc 2.28"),
    ({"torch": "2.1.0"}, "910b", "support of torch_npu for torch 2.1.0 ends on 2025-12-30"),
    (
        {"hdk": "25.5.0", "firmware": "7.8.0.2.212"},
        "910b",
        "HDK 25.5.0 was seen running with firmware 7.8.0.2.212 on 910b; nobody says that it is supported",
    ),
    (
        {"hdk": "23.0.rc3", "firmware": "7.1.0.3.220"},
        "910",
        "HDK 23.0.rc3 was seen running with firmware 7.1.0.3.220; nobody says that it is supported",
    ),
    (
        {"mindspore": "2.3.1", "cann": "8.5.0"},
        "910b",
        "MindSpore 2.3.1 warns at import: it expects compiler 7.2 or 7.3, that of CANN 8.5.0 is 8.5.0.2.220",
    ),
]


@pytest.mark.parametrize(("versions", "chip", "expected"), CASES, ids=[case[2][:30] for case in CASES])
def test_what_is_published_of_a_single_version_is_told(
    versions: dict[Component, str], chip: str, expected: str
) -> None:
    (found,) = remarks(versions, chip)

    assert found.text == expected
    assert found.source


def test_nothing_is_said_of_versions_nothing_is_published_of() -> None:
    plain: dict[Component, str] = {"hdk": "24.1.0", "torch_npu": "2.4.0.post2", "torch": "2.9.0", "cann": "8.0.0"}

    assert remarks(plain, "910b") == ()
    assert remarks({"hdk": "23.0.rc1"}, "") == ()
