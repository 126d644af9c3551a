from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.knowledge.components import Component
from ascend_provision.knowledge.matrix import Lists, Matrix, published
from ascend_provision.stack.errors import UsageError


def explain(chip: str = "910b", lists: Lists | None = None, **items: str) -> dict[str, str]:
    asked: dict[Component, str] = dict(items)
    found = published().explain(asked, chip, lists)
    return {"": found.verdict, **{f"{p.a.component} {p.b.component}": p.answer.verdict for p in found.pairs}}


def test_mindspore_2_7_1_with_cann_8_2_rc1_is_no_match_whatever_a_forum_says() -> None:
    found = published().judge(("mindspore", "2.7.1"), ("cann", "8.2.RC1"))

    assert found.verdict == "incompatible"
    assert "MindSpore 2.7.1 with CANN 8.3.RC1" in found.nearest
    assert found.source


def test_a_stack_of_24_1_rc2_2_is_explained_pair_by_pair() -> None:
    assert explain(hdk="24.1.rc2.2", firmware="7.3.0.1.231", cann="8.0.RC3", torch_npu="2.4.0") == {
        "": "unknown",
        "hdk firmware": "unknown",
        "hdk cann": "compatible",
        "cann torch_npu": "compatible",
    }


def test_driver_23_0_rc1_with_cann_8_0_0_is_unknown_and_the_installed_lists_can_say_more() -> None:
    assert explain(hdk="23.0.rc1", cann="8.0.0")[""] == "unknown"

    refused = Lists(
        cann_inner="V100R001C20SPC001B251",
        cann_accepts="[V100R001C15,V100R001C19],V100R001C30",
        driver_inner="V100R001C10SPC001B200",
        driver_accepts="[V100R001C81,V100R001C84]",
    )
    assert explain(hdk="23.0.rc1", cann="8.0.0", lists=refused)[""] == "incompatible"


def test_files_and_tables_that_disagree_are_both_told() -> None:
    lists = Lists(accepts_firmware="[6.4.0,6.4.99]", accepts_driver="[9.0,9.0.]")
    (pair,) = published().explain({"hdk": "23.0.3", "firmware": "7.1.0.5.220"}, "910b", lists).pairs

    assert pair.disagree
    assert pair.answer.verdict == "compatible"
    assert "disagree" in pair.answer.why


def test_the_series_of_a_torch_npu_speaks_for_it() -> None:
    matrix = published()

    assert matrix.judge(("torch_npu", "2.1.0.post10"), ("cann", "8.3.RC1")).verdict == "compatible"
    assert matrix.judge(("torch_npu", "2.1.0"), ("cann", "8.0.0")).verdict == "incompatible"
    assert matrix.judge(("torch_npu", "2.1.0"), ("cann", "7.0.1")).verdict == "unknown"


def test_components_that_nothing_relates_are_unknown_and_not_judged_in_an_explanation() -> None:
    assert published().judge(("firmware", "7.1.0.5.220"), ("python", "3.9.1")).verdict == "unknown"
    assert explain(firmware="7.1.0.5.220", python="3.9.1") == {"": "unknown"}


def test_no_version_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        published().judge(("cann", "newest"), ("hdk", "25.5.0"))
    with pytest.raises(UsageError):
        published().explain({"cann": "newest"})


def test_candidates_are_what_rows_name_for_the_chip_oldest_first() -> None:
    a2, a1 = published().candidates("hdk", "910b"), published().candidates("hdk", "910")

    assert "22.0.4" in a1
    assert "22.0.4" not in a2
    assert a2.index("23.0.3") < a2.index("24.1.rc1") < a2.index("25.5.0")
    assert "8.3.RC1" in published().candidates("cann", "910b")


SITE = (
    "rows:\n- {mindspore: 2.7.1, cann: 8.2.RC1, says: compatible}\n- {cann: 8.5.0, hdk: 25.5.X, says: incompatible}\n"
)


def test_a_sites_row_overrides_in_both_directions_and_is_named_as_the_sites() -> None:
    matrix = published().with_site(SITE, "our.yaml")
    allowed = matrix.judge(("mindspore", "2.7.1"), ("cann", "8.2.RC1"))
    forbidden = matrix.judge(("cann", "8.5.0"), ("hdk", "25.5.0"))

    assert (allowed.verdict, forbidden.verdict) == ("compatible", "incompatible")
    assert "it overrides the published rows: MindSpore 2.7.1 is published for CANN 8.3.RC1" in allowed.why
    assert allowed.source == forbidden.source == "site's row, our.yaml"
    assert published().judge(("cann", "8.5.0"), ("hdk", "25.5.0")).verdict == "compatible"


def test_the_published_matrix_is_built_once() -> None:
    assert Matrix.published() is published()


@pytest.mark.parametrize("chip", ["910", "910b", ""])
def test_the_quick_verdict_is_that_of_the_answer_with_words(chip: str) -> None:
    matrix = published().with_site(SITE, "our.yaml")
    for relation in matrix.relations:
        subjects = matrix.candidates(relation.subject, chip)[::3]
        objects = matrix.candidates(relation.object, chip)[::3]
        pairs = [((relation.subject, a), (relation.object, b)) for a in subjects for b in objects][::7]

        assert [matrix.fit(a, b, chip) for a, b in pairs] == [matrix.judge(a, b, chip).verdict for a, b in pairs]


STACK: tuple[Component, ...] = ("hdk", "firmware", "cann", "kernels", "torch_npu", "torch", "mindspore", "vllm_ascend")


@given(st.data())
def test_one_more_fact_never_turns_a_no_into_a_yes(data: st.DataObject) -> None:
    given_items = {
        component: data.draw(st.sampled_from(published().candidates("cann" if component == "kernels" else component)))
        for component in data.draw(st.lists(st.sampled_from(STACK), min_size=3, unique=True))
    }
    *fewer, _ = given_items.items()
    before, after = published().explain(dict(fewer), "910b"), published().explain(given_items, "910b")

    assert before.verdict != "incompatible" or after.verdict == "incompatible"


def test_without_a_hosts_own_files_the_lists_that_such_packages_carry_are_told() -> None:
    (pair,) = published().explain({"hdk": "24.1.rc2.2", "firmware": "7.3.0.1.231"}, "910b").pairs

    assert pair.files is not None
    assert "accepts firmware [7.0.0,7.2.99], 7.3.0.1.231 is outside" in pair.files.why
    assert pair.answer.verdict == "unknown"
    assert "HDK 24.1.rc2 with firmware 7.3.0.1.231" in pair.answer.nearest


@pytest.mark.parametrize(
    ("a", "b", "chip", "first"),
    [
        (("torch_npu", "2.6.0.post9"), ("cann", "8.2.RC1"), "", "torch_npu 2.6.0 with CANN 8.2.RC1"),
        (("vllm_ascend", "0.9.1"), ("cann", "8.1.RC1"), "", "vllm-ascend 0.9.1 with CANN 8.2.RC1"),
        (("mindspore", "2.7.1"), ("cann", "8.2.RC1"), "", "MindSpore 2.7.1 with CANN 8.3.RC1"),
        (("hdk", "24.1.rc2.2"), ("firmware", "7.3.0.1.231"), "910b", "HDK 24.1.rc2 with firmware 7.3.0.1.231"),
        (("cann", "8.0.0"), ("hdk", "23.0.rc1"), "910", "CANN 8.0.0 with HDK 24.1.0"),
    ],
    ids=str,
)
def test_the_nearest_row_is_the_matched_release_then_the_closest_version_of_the_line(
    a: tuple[Component, str], b: tuple[Component, str], chip: str, first: str
) -> None:
    assert published().judge(a, b, chip).nearest[0] == first


def test_of_the_rows_that_only_share_the_other_side_the_closest_few_are_named() -> None:
    near = published().judge(("mindspore", "2.7.1"), ("cann", "8.2.RC1")).nearest

    assert near[1] == "MindSpore 2.7.0 with CANN 8.2.RC1"
    assert len(near) <= 6
