from __future__ import annotations

from ascend_provision.knowledge.components import Component
from ascend_provision.knowledge.matrix import published
from ascend_provision.knowledge.solution import Part, Request, Want
from ascend_provision.knowledge.tables import tables
from ascend_provision.knowledge.what_if import WhatIf, answer, published_for


def ask(chip: str, component: Component, version: str, stopover: str | None = None, **installed: str) -> WhatIf:
    parts = tuple(Part.model_validate({"component": name, "version": told}) for name, told in installed.items())
    want = Want(text=f"{component}={version}", component=component, versions=(version,))
    request = Request(parts=parts, wants=(want,), complete=True, stopover=stopover)
    return answer(request, tables(published(), chip), chip)


def test_driver_and_firmware_come_before_the_restart_then_cann_then_packages_with_torch_first() -> None:
    found = ask("910b", "torch_npu", "2.6.0", hdk="23.0.3", firmware="7.1.0.5.220", cann="7.0.0", torch_npu="2.1.0")
    firsts = [step.split()[0] for step in found.order]

    assert firsts[:6] == ["HDK", "firmware", "restart:", "CANN", "CANN", "torch"]
    assert firsts[-1] == "torch_npu"
    assert found.order_source


def test_a_stopover_is_the_first_step() -> None:
    found = ask("910b", "hdk", "24.1.0", stopover="23.0.rc2.3", hdk="22.0.3", firmware="1.11.0.1.220")

    assert found.order[0].startswith("HDK 23.0.rc2.3 with firmware 6.4.0.3.220 first")


def test_a_framework_runs_if_everything_it_stands_on_is_published_with_it() -> None:
    found = ask("910b", "mindspore", "2.7.1", hdk="25.3.rc1", firmware="7.8.0.2.212", cann="8.2.RC1", mindspore="2.7.1")

    assert [(one.name, one.verdict) for one in found.runs] == [("MindSpore", "compatible")]
    assert "2.7.1" in found.published["MindSpore"]


def test_nothing_to_change_has_no_order() -> None:
    found = ask("910b", "cann", "8.3.RC1", hdk="25.3.rc1", firmware="7.8.0.2.212", cann="8.3.RC1")

    assert (found.order, found.order_source, found.solution.outcome) == ((), "", "nothing")


def test_what_is_published_for_a_cann_names_versions_not_lines() -> None:
    assert "2.7.1" in published_for(tables(published(), "910b"), "8.3.RC1")["MindSpore"]
    assert published_for(tables(published(), "910b"), "1.0.0") == {}


def test_a_step_back_is_named_with_the_cards_that_would_refuse_it() -> None:
    found = ask("910b", "hdk", "23.0.3", hdk="24.1.0", firmware="7.5.0.3.220")

    assert any("is a step back" in remark.text and remark.source for remark in found.remarks)
    assert any("clock chips HUYANG024" in remark.text for remark in found.remarks)
    assert ask("910b", "hdk", "24.1.0", hdk="23.0.3", firmware="7.1.0.5.220").remarks == ()
