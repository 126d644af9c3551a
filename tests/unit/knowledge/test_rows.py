from __future__ import annotations

import re

import pytest

from ascend_provision.knowledge import products, releases, rows, stacks
from ascend_provision.stack.errors import ProvisionError
from ascend_provision.stack.model import Noun


def test_a_row_without_a_source_does_not_load() -> None:
    class Sourced(rows.Row):
        name: str

    with pytest.raises(ProvisionError) as caught:
        rows.table("sources", "sources", Sourced)

    assert "data/sources.yaml, sources row 1" in caught.value.what
    assert caught.value.next_action


def test_a_source_nobody_listed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Fact(rows.Row):
        name: str

    monkeypatch.setattr(
        rows, "section", lambda _name, _key: [{"name": "x", "source": "hearsay", "confidence": "documented"}]
    )
    monkeypatch.setattr(rows, "sources", dict)
    with pytest.raises(ProvisionError) as caught:
        rows.table("invented", "facts", Fact)

    assert "hearsay" in caught.value.why


def test_an_unknown_section_is_named() -> None:
    with pytest.raises(ProvisionError, match=r"data/stacks\.yaml") as caught:
        rows.table("stacks", "stakcs", Noun)

    assert "stakcs" in caught.value.why


def test_every_row_says_in_words_where_it_comes_from() -> None:
    for row in (*products.known(), *releases.known(), *stacks.known()):
        assert row.cited
        assert not row.cited.startswith("/")


def test_a_source_without_an_address_is_not_public() -> None:
    captured = releases.Release.model_validate(
        {"hdk": "25.2.0", "chips": ["910b"], "packages": ["25.2.0"], "source": "captured", "confidence": "captured"}
    )
    published = captured.model_copy(update={"source": ("captured", "ascend-docs")})

    assert not captured.public
    assert published.public


def test_a_date_of_a_source_is_a_month_or_a_day() -> None:
    dates = [source.date for source in rows.sources().values() if source.date]

    assert dates
    assert all(re.fullmatch(r"20\d\d-[01]\d(-[0-3]\d)?", date) for date in dates)
