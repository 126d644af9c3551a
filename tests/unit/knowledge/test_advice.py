from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from ascend_provision.knowledge import advice

PACKAGE = Path(advice.__file__).parents[1]


def test_a_sentence_of_the_code_is_said_in_chinese_and_back() -> None:
    assert advice.said("probe as root", "zh") == "以 root 执行探测"
    assert advice.said("以 root 执行探测", "en") == "probe as root"
    assert advice.said("probe as root", "en") == "probe as root"


def test_what_is_not_in_the_table_comes_back_as_it_is() -> None:
    assert advice.said("ask the moon", "zh") == "ask the moon"


def advised(tree: ast.AST) -> Iterator[str]:
    """The sentences given as `settle=` or `action=` in code."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in {"settle", "action"} and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def test_every_sentence_that_the_code_gives_has_its_chinese() -> None:
    files = [path for part in ("evidence", "check") for path in (PACKAGE / part).rglob("*.py")]
    given = {text for path in files for text in advised(ast.parse(path.read_text("utf-8"))) if text}

    assert "install the driver" in given
    assert {text for text in given if advice.said(text, "zh") == text} == set(), "add them to data/advice.yaml"
