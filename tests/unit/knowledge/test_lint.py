from __future__ import annotations

import pytest

from ascend_provision.knowledge import lint
from ascend_provision.knowledge.matrix import Matrix, published
from ascend_provision.knowledge.statements import Says, Statement
from ascend_provision.stack.errors import ProvisionError


def row(says: Says = "matched", source: str = "ascend-docs", chips: tuple[str, ...] = (), **parts: str) -> Statement:
    return Statement(
        kind="t",
        parts={name: (text,) for name, text in parts.items()},
        says=says,
        chips=chips,
        source=(source,) if source else (),
        confidence="documented",
    )


def kinds(*rows: Statement) -> list[str]:
    return [problem.kind for problem in lint.lint(Matrix(rows)).problems]


def test_the_shipped_rows_are_clean_but_for_contradictions_that_are_listed_with_a_reason() -> None:
    report = lint.shipped()

    assert [problem for problem in report.problems if not problem.known] == []
    assert report.clean
    assert {problem.about for problem in report.problems} == {known.about for known in lint.known()}
    assert sum(report.rows.values()) == len(published().statements)


@pytest.mark.parametrize(
    "about",
    [
        "MindSpore 2.6.0 and its CANN",
        "torch_npu for CANN 8.0.RC1 and torch 2.1.0",
        "torch_npu for CANN 8.2.RC1 and torch 2.1.0",
        "MindSDK 7.1.RC1 and HDK 25.1.rc1",
        "MindSDK 7.2.RC1 and HDK 25.2.rc1",
        "MindSpore 2.5.0 and its CANN",
        "torch_npu 2.7.1.post4 and 2.7.1.post6 and their CANN",
        "CANN 9.1.0 and its HDK",
        "HDK 24.1.rc2 and firmware 7.3.0.1.231",
    ],
)
def test_the_contradictions_everybody_asks_about_are_among_them(about: str) -> None:
    assert about in {problem.about for problem in lint.shipped().problems}


def test_a_row_without_a_source_is_found() -> None:
    assert "no-source" in kinds(row(source="", cann="8.5.0", hdk="25.5.0"))


def test_the_same_row_twice_is_found_however_its_versions_are_written() -> None:
    assert kinds(row(cann="8.0.RC1", hdk="24.1.rc1"), row(cann="8.0.RC1.beta1", hdk="24.1.RC1")) == ["duplicate"]


def test_a_contradiction_is_found_and_a_known_one_is_told_as_known() -> None:
    rows = (row(cann="9.1.0", hdk="25.0.rc1"), row("incompatible", cann="9.1.0", hdk="25.0.X"))
    about = "CANN 9.1.0 with HDK 25.0.rc1"
    kept = lint.Known(about=about, why="two pages", source=("ascend-docs",), confidence="documented")

    (problem,) = lint.lint(Matrix(rows)).problems
    assert (problem.kind, problem.about, problem.known) == ("contradiction", about, "")
    assert not lint.lint(Matrix(rows)).clean
    assert lint.lint(Matrix(rows), [kept]).clean


def test_a_kept_contradiction_names_every_place_that_disagrees() -> None:
    for problem in lint.shipped().problems:
        assert problem.sources
    found = next(problem for problem in lint.shipped().problems if problem.about == "MindSDK 7.1.RC1 and HDK 25.1.rc1")
    assert found.known


def test_a_contradiction_that_only_a_reader_sees_is_listed_and_never_stale() -> None:
    kept = lint.Known(
        about="CANN 1 and its HDK", why="two pages", by="reading", source=("ascend-docs",), confidence="documented"
    )

    (problem,) = lint.lint(Matrix(()), [kept]).problems
    assert (problem.kind, problem.known) == ("contradiction", "two pages")
    assert "Ascend/docs" in problem.sources


def test_what_is_kept_and_no_longer_there_is_stale() -> None:
    kept = lint.Known(about="CANN 1 and its HDK", why="once", source=("ascend-docs",), confidence="documented")

    (problem,) = lint.lint(Matrix(()), [kept]).problems
    assert problem.kind == "stale"


def test_an_hdk_of_ascend950_in_a_row_for_other_chips_is_found_and_the_other_way_round() -> None:
    assert kinds(row(mindsdk="7.1.RC1", hdk="25.1.rc1")) == ["foreign-line"]
    assert kinds(row(cann="9.0.0", hdk="26.0.rc1", chips=("950",))) == ["foreign-line"]
    assert kinds(row(cann="9.0.0", hdk="25.7.rc1", chips=("950",))) == []


def test_a_row_that_can_decide_nothing_is_found() -> None:
    assert kinds(row(firmware="7.1.0.5.220", python="3.9")) == ["decides-nothing"]
    assert kinds(row("incompatible", "captured", cann="9.1.0", hdk="25.0.X")) == ["decides-nothing"]


def test_a_row_that_cannot_be_read_is_reported_and_not_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> tuple[Statement, ...]:
        raise ProvisionError("data/statements/x.yaml row 3", code="knowledge-broken", why="cann: 'newest'")

    monkeypatch.setattr(lint.statements, "known", broken)
    (problem,) = lint.shipped().problems

    assert (problem.kind, problem.about) == ("unreadable", "data/statements/x.yaml row 3")


def test_a_sites_file_is_linted_with_the_published_rows() -> None:
    site = published().with_site("rows:\n- {firmware: 7.1.0.5.220, python: '3.9', says: matched}\n", "our.yaml")

    assert [problem.kind for problem in lint.lint(site, lint.known()).problems if not problem.known] == [
        "decides-nothing"
    ]
