"""Every case of the field has its answer, and what is said to cover it exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from ascend_provision.knowledge import catalogue
from tests.unit.check.cases import every
from tests.unit.check.field_cases import FieldCase, page, table

UNIT = Path(__file__).parents[1]
DOCS = UNIT.parents[1] / "docs"
SHOWN = {f"{case.key} {case.verdict.value}: {case.name}" for case in every()}


def exists(test: str) -> bool:
    """A case of the checks by its name, or a test function of another file."""
    file, colons, function = test.partition("::")
    if not colons:
        return test in SHOWN
    path = UNIT / file
    tree = ast.parse(path.read_text("utf-8")) if path.exists() else ast.Module(body=[], type_ignores=[])
    return any(isinstance(node, ast.FunctionDef) and node.name == function for node in ast.walk(tree))


def test_a_hundred_cases_are_answered() -> None:
    cases = table()

    assert len(cases) == 100
    assert len({case.case for case in cases}) == 100


@pytest.mark.parametrize("case", table(), ids=lambda case: case.case)
def test_each_case_has_one_answer_and_what_it_names_exists(case: FieldCase) -> None:
    assert len(case.kinds) == 1
    assert [key for key in case.findings if key not in catalogue.entries()] == []
    assert [test for test in case.tests if not exists(test)] == []
    assert all(
        url.startswith("https://") or "address was not kept" in url or "addresses" in url for url in case.sources
    )


@pytest.mark.parametrize("case", [case for case in table() if case.findings], ids=lambda case: case.case)
def test_a_covered_case_has_a_test_of_each_finding_and_of_a_host_where_nothing_is_wrong(case: FieldCase) -> None:
    """Not only of the readers below it, and not only of the bad host: a twin of it is left alone."""
    given = {test.partition(" ")[0]: test for test in case.tests if "::" not in test}
    quiet = [test for test in case.tests if test.partition(" ")[2].startswith(("pass", "skip"))]

    assert [key for key in case.findings if key not in given] == []
    assert quiet, "name the near miss"


def test_no_case_is_known_by_a_number_of_our_own() -> None:
    written = page()

    assert not re.search(r"\b[A-H][0-3]\d\b", re.sub(r"https?://\S+", "", written))


def test_the_docs_page_is_the_table() -> None:
    written = (DOCS / "field-cases.md").read_text("utf-8")

    assert written == page(), "run: python -m tests.unit.check.field_cases > docs/field-cases.md"
