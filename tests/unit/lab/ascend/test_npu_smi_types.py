"""The key and value outputs of npu-smi: one TAB, a key of 30 columns, ` : `."""

from __future__ import annotations

import pytest

from tests.unit.lab.ascend.conftest import Host, MakeHost

A1_BOARD = [
    "NPU ID", "Software Version", "Firmware Version", "Compatibility", "Board ID", "PCB ID", "BOM ID", "PCIe Bus Info",
    "Slot ID", "Class ID", "PCI Vendor ID", "PCI Device ID", "Subsystem Vendor ID", "Subsystem Device ID", "Chip Count",
]  # fmt: skip


def keys(text: str) -> list[str]:
    return [line[1:31].rstrip() for line in text.splitlines() if line]


def value(text: str, key: str) -> str:
    return next(line[34:] for line in text.splitlines() if line[1:31].rstrip() == key)


def test_hdk_22_prints_no_compatibility_line(a1_hdk22: Host) -> None:
    board = a1_hdk22.run("npu-smi", "info", "-t", "board", "-i", "0").stdout

    assert keys(board) == [key for key in A1_BOARD if key != "Compatibility"]
    assert value(board, "Firmware Version") == "1.84.15.1.310"
    assert value(board, "PCI Device ID") == "0xD801"


def test_a1_from_23_prints_compatibility_and_never_a_product_name(a1_hdk23: Host) -> None:
    board = a1_hdk23.run("npu-smi", "info", "-t", "board", "-i", "7").stdout

    assert keys(board) == A1_BOARD
    assert board.splitlines()[3] == "\tCompatibility                  : OK"


def test_a2_prints_the_products_lines_before_the_software_version(a2_hdk24: Host) -> None:
    board = keys(a2_hdk24.run("npu-smi", "info", "-i", "0", "-t", "board").stdout)

    assert board == [A1_BOARD[0], "Product Name", "Model", "Manufacturer", "Serial Number", *A1_BOARD[1:]]


def test_a_chips_own_board_names_the_chip(a1_hdk23: Host) -> None:
    board = a1_hdk23.run("npu-smi", "info", "-t", "board", "-i", "0", "-c", "0").stdout

    assert keys(board) == [
        "NPU ID", "Chip ID", "Chip Type", "Chip Name", "Chip Version", "Board ID", "PCB ID", "BOM ID", "VDie ID",
        "NDie ID", "Chip Position ID", "PCIe Bus Info", "Firmware Version",
    ]  # fmt: skip


def test_the_list_counts_the_chips(a1_hdk23: Host) -> None:
    listing = a1_hdk23.run("npu-smi", "info", "-l").stdout.splitlines()

    assert listing[:5] == [
        "\tTotal Count                    : 8",
        "",
        "\tNPU ID                         : 0",
        "\tChip Count                     : 1",
        "",
    ]
    assert len(listing) == 1 + 8 * 3


@pytest.mark.parametrize(("profile", "mcu_rows"), [("atlas-800-9000", 0), ("atlas-800t-a2", 8)])
def test_only_a2_maps_an_mcu_beside_each_chip(make_host: MakeHost, profile: str, mcu_rows: int) -> None:
    mapping = make_host(profile, "hdk24").run("npu-smi", "info", "-m").stdout.splitlines()

    assert mapping[0] == "\t" + " ".join(f"{c:<30}" for c in ("NPU ID", "Chip ID", "Chip Logic ID", "Chip Name"))
    assert sum("Mcu" in line for line in mapping) == mcu_rows
    assert sum("Ascend 910" in line for line in mapping) == 8


def test_aivector_is_in_the_usages_of_a2_only(make_host: MakeHost) -> None:
    a1 = make_host("atlas-800-9000", "hdk24").run("npu-smi", "info", "-t", "usages", "-i", "0").stdout
    a2 = make_host("atlas-800t-a2", "hdk24").run("npu-smi", "info", "-t", "usages", "-i", "0").stdout

    assert "Aivector Usage Rate(%)" in keys(a2)
    assert [key for key in keys(a2) if key != "Aivector Usage Rate(%)"] == keys(a1)


def test_proc_mem_names_the_process_or_says_there_is_none(a1_hdk23: Host) -> None:
    a1_hdk23.hold(4711, "python", "davinci2")

    held = a1_hdk23.run("npu-smi", "info", "-t", "proc-mem", "-i", "2").stdout
    idle = a1_hdk23.run("npu-smi", "info", "-t", "proc-mem", "-i", "3").stdout

    assert "\tProcess id:4711" in held
    assert "Process name:python" in held
    assert "\tNo process in device.\n" in idle


@pytest.mark.parametrize("kind", ["common", "usages", "memory", "health", "proc-mem", "ecc", "err-count"])
def test_every_type_answers_for_its_npu(a2_hdk24: Host, kind: str) -> None:
    done = a2_hdk24.run("npu-smi", "info", "-t", kind, "-i", "5")

    assert done.returncode == 0
    assert done.stdout.splitlines()[0].endswith(" : 5")


@pytest.mark.parametrize(
    "arguments", [["info", "-t", "board", "-i", "8"], ["info", "-t", "npu", "-i", "0"], ["info", "--all"], ["upgrade"]]
)
def test_a_wrong_parameter_is_an_error(a1_hdk23: Host, arguments: list[str]) -> None:
    done = a1_hdk23.run("npu-smi", *arguments)

    assert (done.returncode, done.stdout[:18]) == (255, "Error parameter of")


def test_the_tool_says_its_own_version(a1_hdk22: Host) -> None:
    assert a1_hdk22.run("npu-smi", "-v", version="23.0.3").stdout == "npu-smi version: 23.0.3\n"
