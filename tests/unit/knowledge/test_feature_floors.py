from __future__ import annotations

import pytest
from pydantic import ValidationError

from ascend_provision.knowledge import feature_floors, patterns
from ascend_provision.knowledge.feature_floors import Floor

ROWS = feature_floors.known()


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.name}-{'-'.join(row.chips)}" for row in ROWS])
def test_at_its_floor_a_feature_works_and_below_it_the_old_part_is_named(row: Floor) -> None:
    chip = row.chips[0] if row.chips else "910b"
    at = {part: patterns.example(written[0]) for part, written in row.parts.items()}

    assert row.parts
    assert feature_floors.floor(row.name, chip) == row
    assert feature_floors.missing(row.name, at, chip) == ()
    for part in row.parts:
        below = {**at, part: "25.1.rc1" if row.chips == ("950",) and part == "hdk" else "1.0.0"}
        expected = () if part == "mindie" and at[part] == "1.0.0" else (part,)
        assert feature_floors.missing(row.name, below, chip) == expected


def test_a_feature_listed_for_other_chips_only_is_not_judged() -> None:
    assert feature_floors.missing("page_size", {"hdk": "22.0.4"}, "910") is None
    assert feature_floors.missing("no-such-feature", {"hdk": "22.0.4"}) is None


def test_expandable_segments_needs_hdk_23_and_series_5() -> None:
    found = feature_floors.missing("expandable_segments", {"hdk": "22.0.4", "torch_npu_series": "3.0.0"}, "910")

    assert set(found or ()) == {"hdk", "torch_npu_series"}


def test_a_floor_of_the_main_line_does_not_call_ascend950_too_old() -> None:
    assert feature_floors.missing("pin_memory_expandable_segments", {"hdk": "25.1.rc1"}, "950") == ()


def test_every_name_is_told_once() -> None:
    assert len(feature_floors.names()) == len(set(feature_floors.names()))
    assert "mc2" in feature_floors.names()


def test_a_floor_that_is_no_pattern_does_not_load() -> None:
    with pytest.raises(ValidationError, match="is no pattern"):
        Floor.model_validate(
            {"name": "x", "hdk": "newest", "source": "here", "confidence": "assumed"},
        )


def test_npu_smi_of_hdk_22_has_no_process_table() -> None:
    assert feature_floors.missing(feature_floors.PROCESS_TABLE, {"hdk": "22.0.4"}) == ("hdk",)
    assert feature_floors.missing(feature_floors.PROCESS_TABLE, {"hdk": "23.0.rc2"}) == ()


def test_a_feature_of_some_chips_names_them_and_its_lowest_versions() -> None:
    floor = feature_floors.floor("page_size")

    assert floor is not None
    assert feature_floors.chips("page_size") == floor.chips == ("910b", "910_93")
    assert feature_floors.chips("mc2") == feature_floors.chips("no-such-feature") == ()
    assert (floor.lowest("hdk"), floor.lowest("cann"), floor.lowest("python")) == ("25.0.rc1", "8.1.RC1", "")
