from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.check.findings_page import page
from ascend_provision.knowledge import catalogue
from ascend_provision.stack.findings import Language

DOCS = Path(__file__).parents[3] / "docs"


IN_LANGUAGES = pytest.mark.parametrize(("name", "language"), [("findings.md", "en"), ("findings.zh.md", "zh")])


@IN_LANGUAGES
def test_the_docs_page_is_the_catalogue(name: str, language: Language) -> None:
    written = (DOCS / name).read_text("utf-8")

    assert written == page(language), f"run: python -m ascend_provision.check.findings_page {language} > docs/{name}"


@IN_LANGUAGES
def test_every_finding_has_its_place_in_the_docs(name: str, language: Language) -> None:
    text = page(language)

    for entry in catalogue.entries().values():
        assert f"\n### {entry.id}\n" in text
        assert entry.words(language).meaning in text
        assert all(f". {cause}\n" in text for cause in entry.words(language).causes)
    assert "{expected}" not in text


def test_the_name_of_a_program_gets_no_capital() -> None:
    assert "**npu-smi can talk to the cards.**" in page()
    assert "**Driver and firmware fit together.**" in page()
