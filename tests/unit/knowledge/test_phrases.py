from __future__ import annotations

import ast
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ascend_provision.knowledge import phrases, rows

PACKAGE = Path(phrases.__file__).parents[1]


def test_a_sentence_of_the_code_is_said_in_chinese_and_back() -> None:
    assert phrases.said("probe as root", "zh") == "以 root 执行探测"
    assert phrases.said("以 root 执行探测", "en") == "probe as root"
    assert phrases.said("probe as root", "en") == "probe as root"


def test_what_is_not_in_the_table_comes_back_as_it_is() -> None:
    assert phrases.said("ask the moon", "zh") == "ask the moon"


@pytest.mark.parametrize(
    ("text", "chinese"),
    [
        ("link down on devices 2, 5", "设备 2, 5 的链路为 down"),
        ("davinci0: container a1 and session-3.scope", "davinci0：容器 a1 和 session-3.scope"),
        ("device 5 has no address, file says 192.0.2.15", "设备 5 没有地址，文件中为 192.0.2.15"),
        ("/tmp 90 MB free", "/tmp 可用 90 MB"),
        ("6.0.1 on a1-01, a1-02; 7.0.0 on a1-03", "a1-01, a1-02 上为 6.0.1；a1-03 上为 7.0.0"),
        ("NPU 0 NOK, NPU 1 NOK and 6 more", "NPU 0 NOK, NPU 1 NOK 等，另有 6 项"),
        ("npu-smi info: dcmi module initialize failed. ret is -8005", None),
        ("fatal: the disk of the host is on fire", None),
    ],
)
def test_forms_are_filled_and_a_hosts_own_words_stay(text: str, chinese: str | None) -> None:
    assert phrases.said(text, "zh") == (chinese or text)


@pytest.mark.parametrize("text", ["a: " * 400, "in " * 330, "(" * 900, "pid 1 x (" * 100, "1 or " * 190, "; " * 450])
def test_a_hosts_endless_line_is_said_in_no_time(text: str) -> None:
    began = time.process_time()

    assert phrases.said(text, "zh")
    assert time.process_time() - began < 2


def test_every_form_says_in_chinese_what_it_was_given_and_no_more() -> None:
    gaps = re.compile(r"\{(\w+)")
    for row in rows.table("phrases", "phrases", phrases.Phrase):
        assert sorted(set(gaps.findall(row.zh))) == sorted(set(gaps.findall(re.sub(r":\w+}", "}", row.en)))), row.en


def advised(tree: ast.AST) -> Iterator[str]:
    """The sentences given as `settle=` or `action=` in code."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in {"settle", "action"} and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def test_every_sentence_that_the_code_gives_has_its_chinese() -> None:
    files = [path for part in ("evidence", "check") for path in (PACKAGE / part).rglob("*.py")]
    given = {text for path in files for text in advised(ast.parse(path.read_text("utf-8"))) if text}

    assert "install the driver" in given
    assert {text for text in given if phrases.said(text, "zh") == text} == set(), "add them to data/phrases.yaml"
