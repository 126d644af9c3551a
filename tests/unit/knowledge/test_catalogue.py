from __future__ import annotations

import pytest

from ascend_provision.knowledge import catalogue


@pytest.mark.parametrize("entry", catalogue.entries().values(), ids=lambda entry: entry.id)
def test_every_entry_reads_at_three_in_the_morning(entry: catalogue.Entry) -> None:
    assert entry.en.meaning.endswith(".")
    assert len(entry.en.meaning.split()) >= 8
    assert not entry.en.title.endswith(".")
    assert not entry.en.next_action.endswith(".")
    assert entry.en.settle
