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


A2_BOARD = [A1_BOARD[0], "Product Name", "Model", "Manufacturer", "Serial Number", *A1_BOARD[1:]]


def test_a3_names_its_main_board_and_counts_two_chips(make_host: MakeHost) -> None:
    board = make_host("atlas-800t-a3", "hdk25").run("npu-smi", "info", "-t", "board", "-i", "7").stdout

    after = A2_BOARD.index("Board ID") + 1
    assert keys(board) == [*A2_BOARD[:after], "Main Board ID", *A2_BOARD[after:]]
    assert value(board, "Chip Count") == "2"
    assert value(board, "Compatibility") == "OK"


def test_one_chip_of_an_npu_with_other_firmware_makes_the_npu_incompatible(make_host: MakeHost) -> None:
    host = make_host("atlas-800t-a3", "hdk25")
    flash = host.root / "opt/ascend-lab/hw/flash"
    flash.write_text(flash.read_text().replace("3 7.7.0.3.228", "3 1.84.15.1.310"))

    said = [value(host.run("npu-smi", "info", "-t", "board", "-i", npu).stdout, "Compatibility") for npu in "012"]

    assert said == ["OK", "NOK", "OK"]


def test_a_310p_card_says_how_many_chips_are_faulty_and_at_22_not_whether_they_fit(make_host: MakeHost) -> None:
    new = make_host("atlas-300i-duo", "hdk23").run("npu-smi", "info", "-t", "board", "-i", "2").stdout
    old = make_host("atlas-300i-duo", "hdk22").run("npu-smi", "info", "-t", "board", "-i", "2").stdout

    assert keys(new) == [*A2_BOARD, "Chip Fault"]
    assert keys(old) == [key for key in keys(new) if key != "Compatibility"]


@pytest.mark.parametrize(
    ("profile", "stack", "total", "chips"), [("atlas-800t-a3", "hdk25", 8, 2), ("atlas-300i-duo", "hdk23", 2, 2)]
)
def test_the_list_names_npus_and_not_chips(
    make_host: MakeHost, profile: str, stack: str, total: int, chips: int
) -> None:
    listing = make_host(profile, stack).run("npu-smi", "info", "-l").stdout

    assert listing.splitlines()[0] == f"\tTotal Count                    : {total}"
    assert listing.count("NPU ID") == total
    assert listing.count(f"\tChip Count                     : {chips}\n") == total
    assert ("Product Name" in listing) == (profile == "atlas-300i-duo")


def test_the_map_of_a3_has_physical_ids_and_an_mcu_without_any(make_host: MakeHost) -> None:
    mapping = make_host("atlas-800t-a3", "hdk25").run("npu-smi", "info", "-m").stdout.splitlines()

    cells = ("NPU ID", "Chip ID", "Chip Logic ID", "Chip Phy-ID", "Chip Name")
    assert mapping[0] == "\t" + " ".join(f"{cell:<30}" for cell in cells)
    assert [line.split() for line in mapping[1:4]] == [
        ["0", "0", "0", "0", "Ascend910"],
        ["0", "1", "1", "1", "Ascend910"],
        ["0", "2", "-", "-", "Mcu"],
    ]
    assert len(mapping) == 1 + 24


def test_a_type_answers_for_both_chips_of_an_npu_or_for_the_one_asked_for(make_host: MakeHost) -> None:
    host = make_host("atlas-800t-a3", "hdk25")

    both = host.run("npu-smi", "info", "-t", "usages", "-i", "3").stdout
    one = host.run("npu-smi", "info", "-t", "usages", "-i", "3", "-c", "1").stdout

    assert (both.count("NPU ID"), both.count("Chip ID"), both.count("HBM Usage Rate(%)")) == (1, 2, 2)
    assert value(one, "Chip ID") == "1"
    assert host.run("npu-smi", "info", "-t", "usages", "-i", "3", "-c", "2").returncode == 255


def test_a3_dies_are_joined_by_sio_and_npus_by_a_switch(make_host: MakeHost) -> None:
    topology = make_host("atlas-800t-a3", "hdk25").run("npu-smi", "info", "-t", "topo").stdout.splitlines()

    assert topology[1].split()[:5] == ["Phy-ID0", "X", "SIO", "HCCS_SW", "HCCS_SW"]
    assert topology[4].split()[:5] == ["Phy-ID3", "HCCS_SW", "HCCS_SW", "SIO", "X"]
