from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.cli.site_matrix import load
from ascend_provision.knowledge.matrix import published
from ascend_provision.stack.errors import UsageError


def test_without_a_file_it_is_the_published_matrix() -> None:
    assert load(None) is published()


def test_a_file_that_is_not_there_or_broken_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "ours.yaml"
    broken.write_text("rows:\n- {cann: 8.0.0}\n", encoding="utf-8")

    with pytest.raises(UsageError, match=r"nowhere\.yaml cannot be read"):
        load(tmp_path / "nowhere.yaml")
    with pytest.raises(UsageError, match=r"ours\.yaml, row 1"):
        load(broken)
