"""Tables that somebody cut, shortened or pasted without their title."""

from __future__ import annotations

import pytest

from ascend_provision.evidence import npu_smi
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown

TITLE = "| npu-smi 24.1.0                   Version: 24.1.0                                               |\n"
A2 = """| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
+===========================+===============+====================================================+
| 0     910B3               | OK            | 90.0        47                0    / 0             |
| 0                         | 0000:C1:00.0  | 0           0    / 0          3351 / 65536         |
+===========================+===============+====================================================+
| 1     910B3               | Alarm         | 91.0        48                0    / 0             |
| 0                         | 0000:01:00.0  | 0           0    / 0          3352 / 65536         |
+===========================+===============+====================================================+
"""
PROCESSES = """+---------------------------+---------------+----------------------------------------------------+
| NPU     Chip              | Process id    | Process name             | Process memory(MB)      |
+===========================+===============+====================================================+
| No running processes found                                                                     |
+===========================+===============+====================================================+
"""


def answer(text: str) -> npu_smi.Info:
    return npu_smi.parse(Evidence(name="npu-smi.info", text=text, status=0)).facts


def test_a_table_without_its_title_shows_its_chips_and_no_version() -> None:
    info = answer(A2 + PROCESSES)

    assert not isinstance(info.chips, Unknown)
    assert [chip.name for chip in info.chips] == ["910B3", "910B3"]
    assert info.driver == Unknown(unknown="npu-smi info: no title line in its output")
    assert info.processes == ()


def test_chips_are_all_there_once_the_process_table_begins_even_if_that_was_cut() -> None:
    info = answer(TITLE + A2 + "".join(PROCESSES.splitlines(keepends=True)[:-1]))

    assert not isinstance(info.chips, Unknown)
    assert info.processes == Unknown(unknown="npu-smi info: the table ends in the middle")


@pytest.mark.parametrize("left_out", ["...\n", "| 2     910B3               | OK\n"])
def test_a_table_that_is_not_whole_keeps_the_chips_that_it_shows_apart(left_out: str) -> None:
    info = answer(TITLE + A2 + left_out)

    assert isinstance(info.chips, Unknown)
    assert [(chip.npu_id, chip.health, chip.hbm_used_mb) for chip in info.seen] == [(0, "OK", 3351), (1, "Alarm", 3352)]


def test_rows_cut_at_the_right_edge_still_name_chip_and_health_but_no_figures() -> None:
    info = answer("".join(f"{line[:60].rstrip()}\n" for line in (TITLE + A2).splitlines()))

    assert isinstance(info.chips, Unknown)
    assert [(chip.name, chip.health, chip.bus, chip.hbm_used_mb) for chip in info.seen] == [
        ("910B3", "OK", "0000:c1:00.0", None),
        ("910B3", "Alarm", "0000:01:00.0", None),
    ]
    assert str(info.driver) == "24.1.0"


def test_a_title_cut_inside_its_version_names_none() -> None:
    info = answer("".join(f"{line[:47].rstrip()}\n" for line in (TITLE + A2).splitlines()))

    assert isinstance(info.driver, Unknown)


def test_a_line_that_is_no_table_is_the_reason() -> None:
    assert answer("DrvMngGetConsoleLogLevel failed. (ret=4)\n").chips == Unknown(
        unknown="npu-smi info: no table in its output: DrvMngGetConsoleLogLevel failed. (ret=4)"
    )
