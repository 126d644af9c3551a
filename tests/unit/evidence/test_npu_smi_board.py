from __future__ import annotations

from typing import Any

import pytest

from ascend_provision.evidence import npu_smi_board
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown


@pytest.mark.of("board")
def test_a_board_reads_as_published(case: Any, plain: Any) -> None:
    reading = npu_smi_board.parse(case.evidence())

    assert case.facts == {"compatibility": None} | plain(reading.facts)
    assert case.unread == reading.unread


@pytest.mark.of("list")
def test_a_list_reads_as_npu_and_number_of_chips(case: Any, plain: Any) -> None:
    assert case.facts == plain(npu_smi_board.parse_list(case.evidence()).facts)


@pytest.mark.of("map")
def test_a_map_reads_as_its_rows(case: Any, plain: Any) -> None:
    assert case.facts == plain(npu_smi_board.parse_map(case.evidence()).facts)


def test_one_board_that_hangs_makes_the_boards_unknown_and_not_one_fewer() -> None:
    whole = Evidence(
        name="npu-smi.board.0",
        status=0,
        text="\tNPU ID : 0\n\tSoftware Version : 24.1.0\n\tFirmware Version : 7.5.0.3.220\n",
    )
    hung = Evidence(name="npu-smi.board.1", note="timed out after 20 s")
    listed = Evidence(name="npu-smi.list", note="not in the evidence given")

    assert len(npu_smi_board.parse_all([whole], listed).facts) == 1
    assert npu_smi_board.parse_all([whole, hung], listed).facts == Unknown(
        unknown="npu-smi.board.1: timed out after 20 s"
    )


def test_no_boards_because_of_no_npu_smi_says_so() -> None:
    facts = npu_smi_board.parse_all([], Evidence(name="npu-smi.list", note="not found")).facts

    assert isinstance(facts, Unknown)
    assert facts.unknown == "npu-smi is not installed"


BOARD = "\tNPU ID : {}\n\tSoftware Version : 24.1.0\n\tFirmware Version : {}\n"


def boards(listed: Evidence, *texts: str) -> object:
    found = [Evidence(name=f"npu-smi.board.{number}", status=0, text=text) for number, text in enumerate(texts)]
    return npu_smi_board.parse_all(found, listed).facts


@pytest.mark.parametrize(
    "listed",
    [
        Evidence(name="npu-smi.list", status=0, text="\tTotal Count : 2\n\n\tNPU ID"),
        Evidence(name="npu-smi.list", note="timed out after 20 s"),
        Evidence(name="npu-smi.list", status=1, text="dcmi module initialize failed. ret is -8005\n"),
    ],
    ids=["cut", "hung", "refused"],
)
def test_boards_beside_a_list_that_was_asked_and_not_understood_may_not_be_all(listed: Evidence) -> None:
    assert isinstance(boards(listed, BOARD.format(0, "7.5.0.3.220")), Unknown)


def test_the_same_board_twice_hides_another_one() -> None:
    nothing = Evidence(name="npu-smi.list", note="not in the evidence given")
    same = BOARD.format(0, "7.5.0.3.220")

    assert isinstance(boards(nothing, same, same), Unknown)


def test_a_firmware_version_that_is_none_is_not_the_same_as_one_that_is_not_told() -> None:
    nothing = Evidence(name="npu-smi.list", note="not in the evidence given")

    assert isinstance(boards(nothing, BOARD.format(0, "7.5.NaN.3")), Unknown)
    assert not isinstance(boards(nothing, BOARD.format(0, "NA")), Unknown)
