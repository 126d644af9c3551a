from __future__ import annotations

import pytest

from ascend_provision.knowledge import components
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.versions import CannVersion, FrameworkVersion, HdkVersion


@pytest.mark.parametrize(
    ("typed", "component"),
    [("driver", "hdk"), ("CANN", "cann"), ("torch-npu", "torch_npu"), ("vllm-ascend", "vllm_ascend"), ("gpu", None)],
)
def test_a_component_is_found_by_the_name_people_type(typed: str, component: str | None) -> None:
    assert components.named(typed) == component


def test_each_component_has_its_own_kind_of_version() -> None:
    assert components.parse("hdk", "24.1.rc2.2") == HdkVersion("24.1.rc2.2")
    assert components.parse("kernels", "8.0.RC1.beta1") == CannVersion("8.0.RC1")
    assert components.parse("mindspore", "2.3.0-rc1") == FrameworkVersion("2.3.0rc1")


@pytest.mark.parametrize("component", components.NAMES)
def test_no_version_is_a_usage_error_that_names_component_and_text(component: components.Component) -> None:
    with pytest.raises(UsageError) as caught:
        components.parse(component, "latest")

    assert "`latest`" in caught.value.what
    assert component in caught.value.why
    assert caught.value.next_action


def test_an_item_reads_as_people_say_it() -> None:
    assert str(components.Item(component="hdk", version="25.5.0")) == "HDK 25.5.0"
