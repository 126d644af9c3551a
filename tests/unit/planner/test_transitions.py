"""The table of transitions is what the architecture page prints."""

from __future__ import annotations

from pathlib import Path

from ascend_provision.planner import transitions

PAGE = Path(__file__).resolve().parents[3] / "docs" / "architecture.md"


def test_the_architecture_page_prints_the_table_as_it_is() -> None:
    assert transitions.as_markdown() in PAGE.read_text(encoding="utf-8")
