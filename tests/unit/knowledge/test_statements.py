from __future__ import annotations

import pytest
from pydantic import ValidationError

from ascend_provision.knowledge import statements
from ascend_provision.knowledge.statements import Statement

ROW = {"kind": "k", "says": "matched", "source": "ascend-docs", "confidence": "documented"}


def test_the_columns_of_a_row_are_its_components_and_the_first_is_its_subject() -> None:
    row = Statement.model_validate({**ROW, "cann": "8.5.0", "driver": ["25.5.0", "25.3.X"]})

    assert row.parts == {"cann": ("8.5.0",), "hdk": ("25.5.0", "25.3.X")}
    assert row.subject == "cann"
    assert str(row) == "CANN 8.5.0 with HDK 25.5.0 or 25.3.X"


@pytest.mark.parametrize(
    ("column", "why"),
    [
        ({"hdk": "newest"}, "no version or pattern of HDK"),
        ({}, "at least two components"),
        ({"hdk": "25.5.0", "gpu": "1.0"}, "Extra inputs"),
        ({"hdk": 25.5}, "tuple"),
    ],
)
def test_a_row_that_cannot_be_read_is_refused(column: dict[str, object], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        Statement.model_validate({**ROW, "cann": "8.5.0", **column})


def test_a_row_speaks_of_its_chips_or_of_all() -> None:
    everywhere = Statement.model_validate({**ROW, "cann": "8.5.0", "hdk": "25.5.0"})
    card = everywhere.model_copy(update={"chips": ("950",)})

    assert everywhere.covers("910b")
    assert everywhere.covers("")
    assert card.covers("950")
    assert not card.covers("910b")
    assert card.covers(""), "where no chip is named, every row may speak"


def test_every_shipped_row_has_a_source_and_a_table() -> None:
    assert statements.known()
    for row in statements.known():
        assert row.cited
        assert row.kind
        assert not row.site


def test_a_row_is_as_new_as_the_newest_place_it_was_read_in() -> None:
    row = Statement.model_validate(
        {**ROW, "source": ["mindspore-install", "modelzoo-pytorch", "ascend-docs"], "cann": "8.5.0", "hdk": "25.5.0"}
    )
    undated = row.model_copy(update={"source": ("captured",)})

    assert row.dated == "2026-07-14"
    assert undated.dated == ""
    assert all(row.date == row.dated for row in statements.known())
