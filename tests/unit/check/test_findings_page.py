from __future__ import annotations

from pathlib import Path

from ascend_provision.check.findings_page import page
from ascend_provision.knowledge import catalogue

DOCS = Path(__file__).parents[3] / "docs"


def test_the_docs_page_is_the_catalogue() -> None:
    written = (DOCS / "findings.md").read_text("utf-8")

    assert written == page(), "run: python -m ascend_provision.check.findings_page > docs/findings.md"


def test_every_finding_has_its_place_in_the_docs() -> None:
    text = page()

    for entry in catalogue.entries().values():
        assert f"\n### {entry.id}\n" in text
        assert entry.en.meaning in text
    assert "{expected}" not in text
