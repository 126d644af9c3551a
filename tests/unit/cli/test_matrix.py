"""`matrix`: exit statuses, and what its texts say first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ascend_provision.cli.main import main

STACK = ["driver=23.0.3", "firmware=7.1.0.5.220", "cann=7.0.0", "chip=910b"]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["explain", "mindspore=2.7.1", "cann=8.3.RC1"], 0),
        (["explain", "mindspore=2.7.1", "cann=8.2.RC1"], 3),
        (["explain", "driver=23.0.rc1", "cann=8.0.0"], 5),
        (["explain", "mindspore=2.7.1", "cann=banana"], 4),
        (["explain", "mindspore"], 4),
        (["what-if", *STACK], 0),
        (["what-if", *STACK, "--wish", "torch_npu=2.6.0"], 0),
        (["what-if", *STACK, "--wish", "torch_npu=2.6.0", "--keep", "driver"], 5),
        (["what-if", *STACK, "--wish", "mindspore=2.7.1,cann=8.2.RC1"], 3),
        (["what-if", *STACK, "--wish", "hdk99"], 4),
        (["show", "mindspore=2.7.1"], 0),
        (["sources"], 0),
        (["lint"], 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_the_exit_status_is_the_answer(words: list[str], status: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matrix", *words]) == status
    capsys.readouterr()


def test_a_no_names_the_release_that_fits(capsys: pytest.CaptureFixture[str]) -> None:
    main(["matrix", "explain", "mindspore=2.7.1", "cann=8.2.RC1"])

    assert "published for CANN 8.3.RC1, not for 8.2.RC1" in capsys.readouterr().out


def test_what_if_says_what_to_change_in_which_order_and_what_runs(capsys: pytest.CaptureFixture[str]) -> None:
    main(["matrix", "what-if", *STACK, "torch_npu=2.1.0", "torch=2.1.0", "--wish", "torch_npu=2.6.0"])
    said = capsys.readouterr().out

    assert said.startswith("torch_npu=2.6.0: reached by the changes below")
    assert said.index("HDK 23.0.3 ->") < said.index("In this order:") < said.index("Frameworks afterwards:")
    assert "torch_npu 2.6.0  compatible" in said


def test_the_same_answers_can_be_read_by_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    main(["matrix", "explain", "mindspore=2.7.1", "cann=8.2.RC1", "--format", "json"])
    explained = json.loads(capsys.readouterr().out)
    main(["matrix", "what-if", *STACK, "--wish", "hdk=24.1.0", "--format", "json"])
    solved = json.loads(capsys.readouterr().out)

    assert explained["pairs"][0]["answer"]["verdict"] == "incompatible"
    assert {one["component"]: one["after"] for one in solved["solution"]["changes"]} == {
        "hdk": "24.1.0",
        "firmware": "7.5.0.3.220",
        "cann": "8.0.0",
    }


@pytest.mark.parametrize(
    "words",
    [
        ["explain", "mindspore=2.7.1", "cann=8.2.RC1"],
        ["what-if", *STACK],
        ["show", "mindspore=2.7.1"],
        ["sources"],
        ["lint"],
    ],
    ids=lambda words: words[0],
)
def test_every_answer_says_its_schema_version(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["matrix", *words, "--format", "json"])

    assert json.loads(capsys.readouterr().out)["schema_version"] == 1


def test_a_sites_own_row_decides_and_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ours.yaml"
    file.write_text("rows:\n- {mindspore: 2.7.1, cann: 8.2.RC1, says: compatible, note: tried on rack 7}\n", "utf-8")

    assert main(["matrix", "explain", "mindspore=2.7.1", "cann=8.2.RC1", "--matrix", str(file)]) == 0
    assert f"site's row, {file}" in " ".join(capsys.readouterr().out.split())


def test_the_rows_of_a_component_are_shown_with_their_source(capsys: pytest.CaptureFixture[str]) -> None:
    main(["matrix", "show", "mindspore=2.7.1"])
    said = capsys.readouterr().out

    assert "MindSpore 2.7.1 with CANN 8.3.RC1" in said
    assert said.rstrip().splitlines()[-1].endswith(("row", "rows"))


def test_a_sites_row_that_contradicts_the_published_ones_is_listed_and_not_hidden(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ours.yaml"
    file.write_text("rows:\n- {cann: 8.5.0, hdk: 25.5.0, says: incompatible}\n", "utf-8")

    assert main(["matrix", "lint", "--matrix", str(file)]) == 3
    assert "contradiction: " in capsys.readouterr().out
