from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.evidence import wire
from ascend_provision.stack.evidence import Evidence

ANSWER = """motd of the host
#ascend-provision-probe 2
#S lsmod 0 12 
#S npu-smi.info - 2003 timed out after 20 s
#S npu-smi.list - 0 skipped: npu-smi hung
#C lsmod
@lsmod 2
|Module                  Size  Used by
|drv_pcie_host         100
@npu-smi.info 1
|half
#E 3 2011
"""  # noqa: W291


def test_sections_come_with_status_seconds_and_reason() -> None:
    record = wire.parse("a1-1", ANSWER)

    assert record.complete
    assert record.get("lsmod") == Evidence(
        name="lsmod",
        text="Module                  Size  Used by\ndrv_pcie_host         100\n",
        status=0,
        seconds=0.12,
        truncated=True,
    )
    assert record.get("npu-smi.info").note == "timed out after 20 s"
    assert record.get("npu-smi.info").status is None
    assert record.get("npu-smi.list") == Evidence(
        name="npu-smi.list", status=None, seconds=0.0, note="skipped: npu-smi hung"
    )
    assert wire.hung(record) == ("npu-smi",)


def test_a_cut_connection_is_not_complete() -> None:
    assert not wire.parse("h", ANSWER[:-10]).complete
    assert not wire.parse("h", "").complete


@pytest.mark.parametrize(
    ("text", "spoke"),
    [
        (ANSWER, True),
        (ANSWER[:60], True),
        ("#ascend-provision-probe 2\n#S host 0 2 \n", True),
        ("#ascend-provision-probe 2\n", False),
        ("#ascend-provision-probe 2\n@host 1\n|#S host 0 2\n", False),
        ("#S lsmod 0 12 \n#ascend-provision-probe 2\n", False),
        ("sudo: a password is required\n", False),
        ("", False),
    ],
)
def test_an_answer_without_one_ended_section_is_none(text: str, spoke: bool) -> None:
    assert wire.spoke(text) is spoke
    assert bool(wire.parse("h", text).sections) is spoke


def test_an_end_that_counts_more_sections_than_came_is_not_complete() -> None:
    assert not wire.parse("h", ANSWER.replace("#E 3", "#E 4")).complete


def test_a_section_nobody_sent_says_so() -> None:
    assert wire.parse("h", ANSWER).get("cann").note == "not in the probe's answer"


@given(st.text())
def test_whatever_a_tool_prints_stays_in_its_own_section(output: str) -> None:
    printed = wire.clean(output).split("\n")
    answer = "#ascend-provision-probe 2\n#S a 0 1 \n#S b 0 1 \n"
    answer += f"@a {len(printed)}\n"
    answer += "".join(f"|{line}\n" for line in printed) + "@b 1\n|mine\n#E 2 5\n"
    record = wire.parse("h", answer)

    assert record.complete
    assert set(record.sections) == {"a", "b"}
    assert record.get("a").text == "".join(f"{line}\n" for line in printed)
    assert record.get("b").text == "mine\n"


@given(st.text())
def test_no_text_at_all_makes_it_raise(text: str) -> None:
    wire.parse("h", text)
    wire.parse("h", f"#ascend-provision-probe 2\n{text}")
    wire.spoke(text)


def test_a_carriage_return_cannot_start_a_line() -> None:
    assert wire.clean("|x\r#S forged 0 1 \r\n|y") == "|x #S forged 0 1 \n|y"


def test_bytes_that_are_no_utf8_become_a_replacement_and_not_an_error() -> None:
    assert wire.clean(b"|\xff\xfe".decode("utf-8", "surrogateescape")) == "|\ufffd\ufffd"


def test_a_section_that_lost_a_line_or_its_head_is_cut_and_not_a_short_answer() -> None:
    whole = "#ascend-provision-probe 2\n#S leftovers 0 1 \n#S lsmod 0 1 \n@leftovers 2\n|a\n|b\n@lsmod 0\n#E 2 5\n"

    assert wire.parse("h", whole).get("leftovers").ok
    assert wire.parse("h", whole).get("lsmod").ok
    for damaged in (
        whole.replace("|b\n", ""),
        whole.replace("|b\n", "|b\n|b\n"),
        whole.replace("@leftovers 2\n", ""),
        whole.replace("@leftovers 2", "@leftover 2"),
        whole.replace("leftovers 2", "leftovers"),
        whole.partition("@leftovers")[0],
    ):
        assert wire.parse("h", damaged).get("leftovers").truncated, damaged


def test_a_line_of_another_form_or_an_output_without_its_end_makes_an_answer_incomplete() -> None:
    whole = "#ascend-provision-probe 2\n#S lsmod 0 1 \n@lsmod 1\n|Module\n#E 1 5\n"

    assert wire.parse("h", whole).complete
    assert not wire.parse("h", whole.replace("|Module", "Module")).complete
    assert not wire.parse("h", whole.replace("@lsmod 1", "@lsmoX 1")).complete
    assert not wire.parse("h", whole.replace("#S lsmod", "#X lsmod").replace("#E 1", "#E 0")).complete


def test_a_host_s_worker_builds_no_validators_to_read_an_answer() -> None:
    loaded = "import sys; from ascend_provision.evidence import wire; print('pydantic' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"
