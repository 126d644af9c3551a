"""`npu-smi info`, compared byte for byte with rows written from the published printf formats."""

from __future__ import annotations

import pytest

from tests.unit.lab.ascend.conftest import Host, MakeHost

N98_RULE = "+" + "=" * 27 + "+" + "=" * 15 + "+" + "=" * 52 + "+"
N93_RULE = "+" + "=" * 22 + "+" + "=" * 15 + "+" + "=" * 52 + "+"


def row98(first: str, second: str, third: str) -> str:
    return f"| {first:<26}| {second:<14}| {third:<51}|"


def row106(first: str, second: str, third: str) -> str:
    return f"| {first:<30}| {second:<16}| {third:<53}|"


def rows(text: str) -> list[str]:
    assert text.endswith("\n")
    return text.splitlines()


@pytest.mark.parametrize(
    ("profile", "stack", "width"),
    [
        ("atlas-800-9000", "hdk22", 93),
        ("atlas-800-9000", "hdk23", 98),
        ("atlas-800-9000", "hdk24", 98),
        ("atlas-800t-a2", "hdk23rc", 98),
        ("atlas-800t-a2", "hdk23", 98),
        ("atlas-800t-a2", "hdk24", 98),
        ("atlas-800t-a2", "hdk25", 98),
        ("atlas-800t-a2", "hdk255", 98),
        ("atlas-800t-a3", "hdk25", 98),
        ("atlas-300i-duo", "hdk22", 106),
        ("atlas-300i-duo", "hdk23", 106),
    ],
)
def test_every_line_has_the_width_of_its_chip_and_version(
    make_host: MakeHost, profile: str, stack: str, width: int
) -> None:
    table = rows(make_host(profile, stack).run("npu-smi", "info").stdout)

    assert {len(line) for line in table} == {width}


def test_hdk_22_on_a1_prints_93_columns_and_no_process_table(a1_hdk22: Host) -> None:
    table = rows(a1_hdk22.run("npu-smi", "info").stdout)

    assert table[0] == "+" + "-" * 91 + "+"
    assert table[1] == "| npu-smi 22.0.4                   Version: 22.0.4" + " " * 42 + "|"
    assert table[2] == "+" + "-" * 22 + "+" + "-" * 15 + "+" + "-" * 52 + "+"
    assert table[5] == N93_RULE
    first = a1_hdk22.root.joinpath("opt/ascend-lab/hw/chips").read_text().split("\n")[0].split()
    assert table[6] == f"| 0     {first[3]:<15}| {'OK':<13} | {first[10]:<11} {first[11]:<17} 0    / {'0':<13} |"
    assert (
        table[7]
        == f"| {'0':<21}| {first[4]:<13} | {'0':<11} {first[6]:<5}/ {first[7]:<10} {first[8]:<5}/ 32768         |"
    )
    assert len(table) == 6 + 8 * 3


def test_a1_from_23_prints_98_columns_and_a_process_table(a1_hdk23: Host) -> None:
    table = rows(a1_hdk23.run("npu-smi", "info").stdout)

    assert table[1] == "| npu-smi 23.0.3                   Version: 23.0.3" + " " * 47 + "|"
    assert table[5] == N98_RULE
    header = table.index(
        "| NPU     Chip              | Process id    | Process name             | Process memory(MB)      |"
    )
    assert table[header - 1] == N98_RULE.replace("=", "-")
    assert table[header + 2] == "| No running processes found in NPU 0" + " " * 60 + "|"


def test_a2_prints_zero_ddr_and_its_resting_hbm(a2_hdk24: Host) -> None:
    table = rows(a2_hdk24.run("npu-smi", "info").stdout)

    assert "0    / 0          3403 / 65536         |" in table[7]
    assert table[6].startswith("| 0     910B3               | OK            | ")


def test_the_left_version_is_the_tools_and_the_right_one_the_running_drivers(a1_hdk22: Host) -> None:
    after_install_before_reboot = a1_hdk22.run("npu-smi", "info", version="23.0.3").stdout

    title = rows(after_install_before_reboot)[1]
    assert title.startswith("| npu-smi 23.0.3 ")
    assert "Version: 22.0.4 " in title
    assert len(title) == 98


def test_a_process_with_a_card_open_is_in_the_table_and_uses_its_memory(a1_hdk23: Host) -> None:
    a1_hdk23.hold(4711, "python", "davinci2", "davinci_manager")
    a1_hdk23.hold(4712, "a-very-long-process-name-of-someone", "davinci2")

    table = rows(a1_hdk23.run("npu-smi", "info").stdout)

    assert f"| 2       {'0':<18}| {'4711':<13} | {'python':<24} | {'30784':<23} |" in table
    assert f"| 2       {'0':<18}| {'4712':<13} | a-very-long-process-name | {'30784':<23} |" in table
    assert "| No running processes found in NPU 2" not in "\n".join(table)
    assert "32768/ 32768 " in table[6 + 2 * 3 + 1]  # two jobs want more than there is
    assert {len(line) for line in table} == {98}


def test_the_monitoring_agent_holds_the_manager_and_is_no_process_of_a_chip(a1_hdk23: Host) -> None:
    a1_hdk23.hold(99, "npu-exporter", "davinci_manager")

    assert "npu-exporter" not in a1_hdk23.run("npu-smi", "info").stdout


def test_without_a_loaded_driver_npu_smi_ends_187(a1_hdk22: Host) -> None:
    (a1_hdk22.root / "run/ascend-lab/driver").unlink()

    done = a1_hdk22.run("npu-smi", "info")

    assert done.returncode == 187
    assert done.stdout.splitlines() == [
        "DrvMngGetConsoleLogLevel failed. (g_conLogLevel=3)",
        "dcmi module initialize failed. ret is -8005",
    ]


@pytest.mark.parametrize(
    ("fault", "status", "line"),
    [
        ("dcmi-8005", 187, "dcmi module initialize failed. ret is -8005"),
        ("dcmi-8020", 172, "dcmi model initialized failed, because the device is used. ret is -8020"),
    ],
)
def test_dcmi_faults_print_their_line_and_the_low_byte_of_their_code(
    a1_hdk23: Host, fault: str, status: int, line: str
) -> None:
    a1_hdk23.fault(fault)

    done = a1_hdk23.run("npu-smi", "info")

    assert (done.returncode, done.stdout.splitlines()[-1]) == (status, line)


def test_a_chip_with_the_alarm_fault_says_alarm_and_the_others_do_not(a1_hdk23: Host) -> None:
    a1_hdk23.fault("health-alarm", "3")

    table = rows(a1_hdk23.run("npu-smi", "info").stdout)

    assert [line.split("|")[2].strip() for line in table[6:30:3]] == ["OK"] * 3 + ["Alarm"] + ["OK"] * 4
    health = a1_hdk23.run("npu-smi", "info", "-t", "health", "-i", "3", "-c", "0").stdout
    assert health.splitlines()[0] == "\tHealth Status                  : Alarm"


def test_a3_prints_two_dies_an_npu_with_their_physical_ids(make_host: MakeHost) -> None:
    host = make_host("atlas-800t-a3", "hdk25")
    chips = [line.split() for line in (host.root / "opt/ascend-lab/hw/chips").read_text().splitlines()]

    table = rows(host.run("npu-smi", "info").stdout)

    assert (
        table[4] == "| Chip  Phy-ID              | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |"
    )
    first, second = chips[2], chips[3]
    assert table[12] == row98("1     Ascend910", "OK", f"{first[10]:<11} {first[11]:<17} 0    / 0")
    assert table[13] == row98("0     2", "0000:99:00.0", f"0           0    / 0          {first[8]:<5}/ 65536")
    assert table[14] == "+" + "-" * 96 + "+"
    assert table[15] == row98("1     Ascend910", "OK", f"-           {second[11]:<17} 0    / 0")
    assert table[16] == row98("1     3", "0000:9B:00.0", f"0           0    / 0          {second[8]:<5}/ 65536")
    assert table[17] == N98_RULE
    assert sum(line.startswith("| No running processes") for line in table) == 8


def test_the_processes_of_both_dies_are_one_block(make_host: MakeHost) -> None:
    host = make_host("atlas-800t-a3", "hdk25")
    host.hold(100, "pt_main_thread", "davinci8")
    host.hold(101, "pt_main_thread", "davinci9")

    table = rows(host.run("npu-smi", "info").stdout)

    at = table.index(
        "| 4       0                 | 100           | pt_main_thread           | 49207                   |"
    )
    assert (
        table[at + 1]
        == "| 4       1                 | 101           | pt_main_thread           | 49207                   |"
    )
    assert table[at - 1] == table[at + 2] == N98_RULE
    assert "| No running processes found in NPU 4 " not in "\n".join(table)


def test_a_310p_card_prints_its_two_chips_with_one_bus_and_no_hbm(make_host: MakeHost) -> None:
    host = make_host("atlas-300i-duo", "hdk23")
    chips = [line.split() for line in (host.root / "opt/ascend-lab/hw/chips").read_text().splitlines()]

    table = rows(host.run("npu-smi", "info").stdout)

    assert table[1] == "| npu-smi 23.0.1                                   Version: 23.0.1" + " " * 39 + "|"
    assert table[6] == row106("1       310P3", "OK", f"NA           {chips[0][11]:<17} 0     / 0")
    assert table[7] == row106("0       0", "0000:01:00.0", f"0            {chips[0][6]:<5}/ 44280")
    assert table[8] == "+" + "-" * 31 + "+" + "-" * 17 + "+" + "-" * 54 + "+"
    assert table[10] == row106("1       1", "0000:01:00.0", f"0            {chips[1][6]:<5}/ 43693")
    assert table[11] == table[8].replace("-", "=")
    assert table[12].startswith("| 2       310P3 ")
    assert [line for line in table if "No running" in line] == [
        f"| No running processes found in NPU {npu}" + " " * 68 + "|" for npu in (1, 2)
    ]


def test_a_310p_at_22_prints_a_narrower_hugepages_field_and_no_process_table(make_host: MakeHost) -> None:
    table = rows(make_host("atlas-300i-duo", "hdk22").run("npu-smi", "info").stdout)

    assert table[6].endswith(" 0    / 0              |")
    assert len(table) == 6 + 4 * 3


def test_a_job_on_a_chip_without_hbm_uses_its_ddr(make_host: MakeHost) -> None:
    host = make_host("atlas-300i-duo", "hdk23")
    host.hold(7, "mindie_llm_back", "davinci3")

    table = rows(host.run("npu-smi", "info").stdout)

    assert (
        "| 2       1                     | 7               | mindie_llm_back          | 14513                     |"
        in table
    )
    assert table[16].split("|")[3].split()[1].rstrip("/").isdigit()
    assert int(table[16].split("|")[3].split()[1].rstrip("/")) > 14513
