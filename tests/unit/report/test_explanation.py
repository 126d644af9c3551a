from __future__ import annotations

from typing import get_args

import pytest

from ascend_provision.knowledge import catalogue
from ascend_provision.report.explanation import explain, render
from ascend_provision.report.wide import cells
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.findings import Language

LANGUAGES = get_args(Language)


def test_all_about_a_finding_is_told_with_its_causes_in_order() -> None:
    told = explain("pairing.driver-running", "en")
    text = render(told)

    assert text.startswith("pairing.driver-running (driver): the running driver is the installed one\n")
    assert "  can be        fail, unknown\n" in text
    assert [line.strip()[:2] for line in text.splitlines() if line.strip()[:2] in {"1.", "2.", "3."}] == ["2.", "3."]
    assert "causes        1. the host was not restarted after the install\n" in text
    assert "when unknown  compare the right-hand Version" in text
    assert "source        npu-smi command reference" in text


def test_it_is_told_in_chinese() -> None:
    text = render(explain("pairing.driver-running", "zh"))

    assert text.startswith("pairing.driver-running (driver): 正在运行的驱动就是已安装的驱动\n")
    assert "可能的结果    不通过、未知\n" in text


def test_what_depends_on_the_host_is_marked_and_a_source_nobody_can_open_says_so() -> None:
    assert "(<what is expected>)" in render(explain("pairing.driver-firmware", "en"))
    assert "〈应有的值〉" in render(explain("pairing.driver-firmware", "zh"))
    closed = next(entry for entry in catalogue.entries().values() if "captured" in entry.source)
    assert "(not public)" in render(explain(closed.id, "en"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", catalogue.entries())
def test_every_finding_can_be_explained_in_a_hundred_columns(key: str, language: Language) -> None:
    text = render(explain(key, language))

    assert [line for line in text.splitlines() if cells(line) > 100 and len(line.split()[-1]) < 84] == []
    assert "{" not in text


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("pairing.driver-firmwear", "pairing.driver-firmware"), ("firmware", "pairing.driver-firmware")],
)
def test_an_id_nobody_knows_is_refused_with_those_near_it(typed: str, meant: str) -> None:
    with pytest.raises(UsageError) as refused:
        explain(typed, "en")

    assert refused.value.code == "finding-unknown"
    assert meant in refused.value.why


def test_an_id_with_nothing_near_it_says_where_the_ids_are() -> None:
    with pytest.raises(UsageError, match="there is no finding `zzz`") as refused:
        explain("zzz", "en")

    assert refused.value.why == "no finding is near it"
    assert "docs/findings.md" in refused.value.next_action
