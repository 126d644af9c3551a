from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.knowledge.components import Component
from ascend_provision.knowledge.matrix import Matrix
from ascend_provision.knowledge.relations import Relation
from ascend_provision.knowledge.statements import Says, Statement


def row(says: Says, source: str = "ascend-docs", **parts: str) -> Statement:
    return Statement(
        kind="t",
        parts={name: (text,) for name, text in parts.items()},
        says=says,
        source=(source,),
        confidence="documented",
    )


def verdict(a: tuple[Component, str], b: tuple[Component, str], *rows: Statement) -> str:
    return Matrix(rows).judge(a, b).verdict


def test_a_printed_no_outweighs_a_printed_yes_and_says_so() -> None:
    rows = (row("matched", cann="9.1.0", hdk="25.0.rc1"), row("incompatible", cann="9.1.0", hdk="25.0.X"))
    found = Matrix(rows).judge(("cann", "9.1.0"), ("hdk", "25.0.rc1"))

    assert found.verdict == "incompatible"
    assert "disagree" in found.why


def test_a_no_that_nobody_can_look_up_does_not_forbid_but_is_told() -> None:
    found = Matrix((row("incompatible", "captured", cann="9.1.0", hdk="25.0.X"),)).judge(
        ("cann", "9.1.0"), ("hdk", "25.0.rc1")
    )

    assert found.verdict == "unknown"
    assert "nobody can look it up" in found.why


def test_a_no_for_one_chip_does_not_forbid_where_no_chip_is_named() -> None:
    card = row("incompatible", cann="9.1.0", hdk="25.0.X").model_copy(update={"chips": ("950",)})
    pair = ("cann", "9.1.0"), ("hdk", "25.0.rc1")

    assert Matrix((card,)).judge(*pair, "950").verdict == "incompatible"
    assert Matrix((card,)).judge(*pair, "910b").verdict == "unknown"
    assert Matrix((card,)).judge(*pair).verdict == "unknown"


def test_a_need_that_is_not_met_is_a_no_and_names_what_is_needed() -> None:
    found = Matrix((row("needs", torch="2.8.0", python="3.9-3.13"),)).judge(("torch", "2.8.0"), ("python", "3.8.18"))

    assert found.verdict == "incompatible"
    assert found.why == "torch 2.8.0 needs Python 3.9-3.13, not 3.8.18"


def test_a_floor_printed_for_another_line_decides_nothing() -> None:
    floor = row("needs", cann="8.5.0", hdk=">=25.5.0")

    assert verdict(("cann", "8.5.0"), ("hdk", "25.3.rc1"), floor) == "incompatible"
    assert verdict(("cann", "8.5.0"), ("hdk", "25.7.rc1"), floor) == "unknown"


MINDSPORE = (
    row("matched", mindspore="2.7.1", cann="8.3.RC1"),
    row("matched", mindspore="2.7.0", cann="8.2.RC1"),
)


@pytest.mark.parametrize(
    ("cann", "expected"), [("8.3.RC1", "compatible"), ("8.2.RC1", "incompatible"), ("8.4.0", "unknown")]
)
def test_a_release_is_for_its_own_cann_and_silence_about_an_unlisted_one_is_silence(cann: str, expected: str) -> None:
    assert verdict(("mindspore", "2.7.1"), ("cann", cann), *MINDSPORE) == expected


def test_a_forum_post_that_nobody_can_look_up_does_not_lift_what_the_published_rows_say() -> None:
    rumour = row("matched", "captured", mindspore="2.7.1", cann="8.2.RC1")

    assert verdict(("mindspore", "2.7.1"), ("cann", "8.2.RC1"), *MINDSPORE, rumour) == "incompatible"


def test_the_order_of_the_question_does_not_matter() -> None:
    there = Matrix(MINDSPORE).judge(("mindspore", "2.7.1"), ("cann", "8.2.RC1"))

    assert there == Matrix(MINDSPORE).judge(("cann", "8.2.RC1"), ("mindspore", "2.7.1"))


def test_unknown_names_the_nearest_rows_on_both_sides() -> None:
    found = Matrix(MINDSPORE).judge(("mindspore", "2.7.0.post1"), ("cann", "8.9.0"))

    assert found.verdict == "unknown"
    assert found.nearest == ("MindSpore 2.7.0 with CANN 8.2.RC1", "MindSpore 2.7.1 with CANN 8.3.RC1")


def test_a_row_may_ask_for_the_same_version_as_another_component() -> None:
    same = Statement(
        kind="t",
        parts={"nnal": ("*",), "cann": ("=nnal",)},
        says="needs",
        source=("ascend-docs",),
        confidence="documented",
    )
    relation = Relation(subject="nnal", object="cann", rule="printed", source=("here",), confidence="inferred")
    matrix = Matrix((same,), (relation,))

    assert matrix.judge(("nnal", "8.0.RC3.beta1"), ("cann", "8.0.RC3")).verdict == "compatible"
    found = matrix.judge(("nnal", "8.0.RC2"), ("cann", "8.0.RC3"))
    assert found.verdict == "incompatible"
    assert found.why == "NNAL 8.0.RC2 needs CANN of the same version, not 8.0.RC3"


CANN, HDK = ["8.5.0", "8.5.1", "9.0.0", "9.1.0"], ["25.0.rc1", "25.5.0", "25.5.1", "26.0.rc1"]
OBJECTS: dict[Component, list[str]] = {"hdk": [*HDK, "25.5.X", ">=25.5.0"], "cann": [*CANN, "8.5.X", ">=9.0.0"]}
SAYS = st.sampled_from(["matched", "compatible", "incompatible", "needs"])
SOURCES = st.sampled_from(["ascend-docs", "captured"])
CANN_ROWS = st.builds(row, SAYS, SOURCES, cann=st.sampled_from(CANN), hdk=st.sampled_from(OBJECTS["hdk"]))
MINDSPORE_ROWS = st.builds(
    row, SAYS, SOURCES, mindspore=st.sampled_from(["2.7.0", "2.7.1"]), cann=st.sampled_from(OBJECTS["cann"])
)


@given(st.lists(CANN_ROWS, max_size=6), CANN_ROWS, st.sampled_from(CANN), st.sampled_from(HDK))
def test_one_more_row_never_lifts_a_printed_no(rows: list[Statement], more: Statement, cann: str, hdk: str) -> None:
    before, after = (verdict(("cann", cann), ("hdk", hdk), *given) for given in (rows, [*rows, more]))

    assert before != "incompatible" or after == "incompatible"


@given(st.lists(MINDSPORE_ROWS, max_size=6), MINDSPORE_ROWS, st.sampled_from(["2.7.0", "2.7.1"]), st.sampled_from(CANN))
def test_a_no_that_follows_from_silence_falls_only_to_a_public_row_that_prints_this_very_pair(
    rows: list[Statement], more: Statement, mindspore: str, cann: str
) -> None:
    pair: tuple[tuple[Component, str], tuple[Component, str]] = (("mindspore", mindspore), ("cann", cann))
    before, after = verdict(*pair, *rows), verdict(*pair, *rows, more)
    prints_it = more.public and more.says != "incompatible" and verdict(*pair, more) == "compatible"

    assert not (before == "incompatible" and after == "compatible") or prints_it


@given(st.lists(CANN_ROWS, max_size=6), st.sampled_from(CANN), st.sampled_from(HDK))
def test_only_a_sites_own_row_turns_a_printed_no_into_a_yes(rows: list[Statement], cann: str, hdk: str) -> None:
    site = row("compatible", cann=cann, hdk=hdk).model_copy(update={"site": True, "file": "our.yaml"})
    found = Matrix((*rows, site)).judge(("cann", cann), ("hdk", hdk))

    assert (found.verdict, found.source) == ("compatible", "site's row, our.yaml")
