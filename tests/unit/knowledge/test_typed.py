from __future__ import annotations

import pytest

from ascend_provision.knowledge.matrix import published
from ascend_provision.knowledge.typed import read, rows_naming, token
from ascend_provision.stack.errors import UsageError


def test_words_become_versions_and_a_chip() -> None:
    found = read(["driver=24.1.rc2.2", "torch-npu=2.4.0", "chip=910b"])

    assert found.versions == {"hdk": "24.1.rc2.2", "torch_npu": "2.4.0"}
    assert found.chip == "910b"


@pytest.mark.parametrize(
    ("text", "chip"),
    [
        ("910b", "910b"),
        ("910B", "910"),
        ("910B3", "910b"),
        ("A2", "910b"),
        ("a3", "910_93"),
        ("310P3", "310p"),
        ("310P", "310p"),
    ],
)
def test_a_chip_is_known_by_its_token_its_name_and_its_family(text: str, chip: str) -> None:
    assert token(text) == chip


@pytest.mark.parametrize(
    ("word", "said"),
    [("cann", "cann"), ("cann=", "cann="), ("kann=8.0.0", "kann"), ("cann=eight", "eight"), ("chip=rtx", "rtx")],
)
def test_a_word_that_cannot_be_read_is_named(word: str, said: str) -> None:
    with pytest.raises(UsageError, match=f"`{said}`"):
        read([word])


def test_a_part_to_be_kept_is_fixed() -> None:
    parts = {part.component: part.fixed for part in read(["driver=23.0.3", "cann=7.0.0"]).parts(["driver"])}

    assert parts == {"hdk": True, "cann": False}


def test_an_old_firmware_of_an_a2_demands_its_stopover() -> None:
    assert read(["firmware=1.11.0.1.220", "chip=910b"]).stopover == "23.0.rc1"
    assert read(["firmware=7.1.0.5.220", "chip=910b"]).stopover is None


def test_rows_are_found_by_what_they_name_and_by_version() -> None:
    rows = published().statements

    assert rows_naming(rows, ["mindspore=2.7.1"])
    assert all("mindspore" in row.parts for row in rows_naming(rows, ["mindspore=2.7.1", "cann"]))
    assert len(rows_naming(rows, ["mindspore=2.7.1"])) < len(rows_naming(rows, ["mindspore"]))
    assert rows_naming(rows, []) == rows


def test_a_chip_that_only_rows_name_is_known_too() -> None:
    assert token("950") == "950"
