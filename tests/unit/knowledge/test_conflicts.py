from __future__ import annotations

from ascend_provision.knowledge import relations
from ascend_provision.knowledge.conflicts import between
from ascend_provision.knowledge.statements import Says, Statement


def row(cann: str, hdk: str, says: Says, *chips: str) -> Statement:
    return Statement(
        kind="t",
        parts={"cann": (cann,), "hdk": (hdk,)},
        says=says,
        chips=chips,
        source=("ascend-docs",),
        confidence="documented",
    )


def test_a_pair_published_and_forbidden_at_once_is_listed_with_both_rows() -> None:
    (found,) = between([row("9.1.0", "25.0.rc1", "matched"), row("9.1.0", "25.0.X", "incompatible")], relations.known())

    assert str(found).startswith("CANN 9.1.0 with HDK 25.0.rc1: CANN 9.1.0 with HDK 25.0.rc1, matched (")
    assert [statement.says for statement in found.statements] == ["matched", "incompatible"]


def test_rows_for_different_chips_do_not_contradict() -> None:
    rows = [row("9.1.0", "25.0.rc1", "matched", "950"), row("9.1.0", "25.0.X", "incompatible", "910b")]

    assert between(rows, relations.known()) == ()


def test_a_cann_may_have_several_drivers_without_a_contradiction() -> None:
    assert between([row("9.1.0", "26.0.rc1", "matched"), row("9.1.0", "26.1.0", "matched")], relations.known()) == ()


def build(torch_npu: str, cann: str, torch: str = "2.3.1") -> Statement:
    return Statement(
        kind="t",
        parts={"torch_npu": (torch_npu,), "torch": (torch,), "cann": (cann,)},
        says="matched",
        source=("ascend-docs",),
        confidence="documented",
    )


def test_a_later_build_of_one_torch_for_an_older_cann_is_a_contradiction() -> None:
    rows = [build("2.3.1.post6", "8.1.RC1"), build("2.3.1.post5", "8.2.RC1"), build("2.3.1.post4", "8.0.0")]

    (found,) = between(rows, relations.known())
    assert found.about == "torch_npu 2.3.1.post5 and 2.3.1.post6 and their CANN"
    assert [statement.parts["cann"] for statement in found.statements] == [("8.2.RC1",), ("8.1.RC1",)]


def test_builds_of_different_torches_have_no_order_between_them() -> None:
    assert between([build("2.3.1.post6", "8.1.RC1"), build("2.4.0", "8.0.RC3", "2.4.0")], relations.known()) == ()
