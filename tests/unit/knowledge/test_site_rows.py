from __future__ import annotations

import pytest

from ascend_provision.knowledge.site_rows import site_rows
from ascend_provision.stack.errors import UsageError


def test_a_sites_row_has_the_columns_of_the_published_ones() -> None:
    (row,) = site_rows(
        "rows:\n- {mindspore: 2.7.1, cann: 8.2.RC1, says: compatible, note: ran for a week}\n", "our.yaml"
    )

    assert row.site
    assert row.cited == "site's row, our.yaml"
    assert row.parts == {"mindspore": ("2.7.1",), "cann": ("8.2.RC1",)}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("rows: [", "our.yaml"),
        ("- {cann: 8.5.0}", "no list under `rows`"),
        ("rows: []\nrow: 1", "unknown field at the head: row"),
        ("rows:\n- {cann: 8.5.0, hdk: 25.5.0, says: matched}\n- 5", "row 2"),
        ("rows:\n- {cann: 8.5.0, hdk: 25.5.0}", "field says"),
        ("rows:\n- {cann: 8.5.0, hdk: 25.5.0, says: fine}", "field says"),
        ("rows:\n- {cann: 8.5.0, hdk: latest, says: matched}", "'latest' is no version or pattern of HDK"),
        ("rows:\n- {cann: 8.5.0, gpu: '1', hdk: 25.5.0, says: matched}", "field gpu"),
    ],
)
def test_a_broken_file_is_refused_with_its_name_and_place(text: str, where: str) -> None:
    with pytest.raises(UsageError) as caught:
        site_rows(text, "our.yaml")

    assert caught.value.what.startswith("our.yaml")
    assert where in caught.value.what
    assert caught.value.next_action
