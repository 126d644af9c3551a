from __future__ import annotations

import pytest

from ascend_provision.knowledge import patterns
from ascend_provision.knowledge.components import Component, parse

CASES: list[tuple[Component, str, str, bool | None]] = [
    ("cann", "8.5.0", "8.5.0", True),
    ("cann", "8.0.0", "8.0.0.beta1", True),
    ("cann", "8.5.0", "8.5.1", False),
    ("cann", "8.5.X", "8.5.1", True),
    ("cann", "9.0.X", "9.0.0-beta.1", True),
    ("cann", "8.5.X", "8.50.1", False),
    ("hdk", "25.0.X", "25.0.RC1.1", True),
    ("hdk", "25.0.rc1", "25.0.rc1.1", False),
    ("hdk", ">=23.0.0", "23.0.rc3", False),
    ("hdk", ">=23.0.0", "24.1.rc1", True),
    ("hdk", ">=25.5.0", "25.7.rc1", None),
    ("hdk", ">=24.1.rc1,<25.0.rc1", "24.1.0.3", True),
    ("firmware", ">=7.5.0.2.220", "7.5.0.3.220", True),
    ("python", "3.9-3.11", "3.11.9", True),
    ("python", "3.9-3.11", "3.12.0", False),
    ("python", "3.9-3.11", "3.8.18", False),
    ("python", "3.7.0-3.11.4", "3.11.5", False),
    ("python", "3.7.5-3.10", "3.7.4", False),
    ("python", ">=3.10,<3.13", "3.12.7", True),
    ("mindspore", "2.3.0-rc1", "2.3.0rc1", True),
    ("mindspore", "1.10", "1.10.0", True),
    ("torch_npu", "2.1.0.post3", "2.1.0.post3+cpu", True),
    ("torch_npu", "2.9.0.post1+git4c901a4", "2.9.0.post1", False),
    ("torch_npu", "2.9.X", "2.9.0.post2", True),
    ("kernels", "*", "8.0.RC1", True),
]


@pytest.mark.parametrize(("component", "pattern", "version", "expected"), CASES)
def test_a_pattern_means_what_a_table_means(
    component: Component, pattern: str, version: str, expected: bool | None
) -> None:
    assert patterns.understood(component, pattern)

    assert patterns.meant(component, pattern, parse(component, version)) is expected


def test_a_release_stands_for_its_patches_only_where_asked() -> None:
    assert patterns.meant("hdk", "25.0.rc1", parse("hdk", "25.0.RC1.1"), patches=True)
    assert not patterns.meant("hdk", "25.0.rc1", parse("hdk", "25.0.rc2"), patches=True)
    assert not patterns.meant("hdk", "24.1.0", parse("hdk", "24.1.01"), patches=True)


@pytest.mark.parametrize(
    ("component", "pattern"),
    [("cann", "same as 8.5.0"), ("hdk", "latest"), ("python", ">=three"), ("cann", ""), ("hdk", "=gpu"), ("hdk", ">=")],
)
def test_what_is_no_pattern_is_not_understood(component: Component, pattern: str) -> None:
    assert not patterns.understood(component, pattern)


def test_a_pattern_may_repeat_another_component() -> None:
    assert patterns.same_as("=cann") == "cann"
    assert patterns.same_as("8.5.0") is None
