from __future__ import annotations

from typing import Any

import pytest

from ascend_provision.evidence import npu_smi
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown

TITLE = "| npu-smi 24.1.0                   Version: 24.1.0                                               |\n"


def answer(text: str, status: int = 0) -> npu_smi.Info:
    return npu_smi.parse(Evidence(name="npu-smi.info", text=text, status=status)).facts


def test_every_published_layout_reads_as_its_chips(case: Any, plain: Any) -> None:
    reading = npu_smi.parse(case.evidence())

    assert case.facts == plain(reading.facts)
    assert case.unread == reading.unread


@pytest.mark.parametrize("keep", [0.2, 0.5, 0.8, 0.97])
def test_a_table_cut_in_the_middle_never_shows_fewer_chips(case: Any, keep: float) -> None:
    text = case.text.rstrip("\n")
    info = answer(text[: int(len(text) * keep)])

    whole = npu_smi.parse(case.evidence()).facts.chips
    assert isinstance(info.chips, Unknown) or isinstance(info.processes, Unknown) or info.chips == whole


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("dcmi module initialize failed. ret is -8005", 187),
        ("dcmi model initialized failed, because the device is used. ret is -8020", 172),
        (
            "npu-smi: error while loading shared libraries: libc_sec.so: cannot open shared object file: No such file",
            127,
        ),
        ("dcmi module initialize failed.ret is -8005", 0),
    ],
)
def test_a_failed_npu_smi_says_its_own_reason(line: str, status: int) -> None:
    info = answer(f"DrvMngGetConsoleLogLevel failed. (ret=4)\n{line}\n", status)

    assert isinstance(info.chips, Unknown)
    assert isinstance(info.driver, Unknown)
    assert line in info.chips.unknown


def test_a_host_without_npu_smi_has_no_tool_version_and_unknown_chips() -> None:
    info = npu_smi.parse(Evidence(name="npu-smi.info", note="not found")).facts

    assert info.tool is None
    assert info.driver is None
    assert isinstance(info.chips, Unknown)


def test_a_hung_npu_smi_is_unknown_and_not_zero_chips() -> None:
    info = npu_smi.parse(Evidence(name="npu-smi.info", text=TITLE, note="timed out after 20 s")).facts

    assert info.chips == Unknown(unknown="npu-smi.info: timed out after 20 s")
    assert info.driver == Unknown(unknown="npu-smi.info: timed out after 20 s")


def test_a_column_nobody_knows_announces_itself(case: Any) -> None:
    if "Power(W)" not in case.text:
        pytest.fail("a fixture without a head")
    changed = case.text.replace("Bus-Id ", "Slot-Id")
    reading = npu_smi.parse(Evidence(name="npu-smi.info", text=changed, status=0))

    assert isinstance(reading.facts.chips, Unknown)
    assert reading.unread


def test_memory_printed_in_bytes_becomes_mib() -> None:
    text = (
        TITLE.replace("24.1.0", "23.0.rc1")
        + "| NPU     Chip         | Process id    | Process name             | Process memory(B)       |\n"
        "+======================+===============+====================================================+\n"
        "| 0       0            | 77            | python                   | 1073741824              |\n"
        "+======================+===============+====================================================+\n"
    )
    processes = answer(text).processes

    assert not isinstance(processes, Unknown)
    assert [item.memory_mb for item in processes] == [1024]
