from __future__ import annotations

from ascend_provision.evidence import facts
from ascend_provision.stack.evidence import Evidence, ProbeRecord
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.model import Unknown

LIST = "\tTotal Count                    : 2\n\n\tNPU ID : 0\n\tChip Count : 1\n\n\tNPU ID : 1\n\tChip Count : 1\n"
INFO = """+------------------------------------------------------------------------------------------------+
| npu-smi 24.1.0                   Version: 24.1.0                                               |
+---------------------------+---------------+----------------------------------------------------+
| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
+===========================+===============+====================================================+
| 0     910B3               | OK            | 90.0        47                0    / 0             |
| 0                         | 0000:C1:00.0  | 0           0    / 0          3351 / 65536         |
+===========================+===============+====================================================+
"""


def record(complete: bool = True, **texts: str) -> ProbeRecord:
    names = {name.replace("__", "."): text for name, text in texts.items()}
    names = {name.replace("npu_smi", "npu-smi"): text for name, text in names.items()}
    sections = {name: Evidence(name=name, status=0, text=text) for name, text in names.items()}
    return ProbeRecord(host="node1", sections=sections, complete=complete)


def test_a_host_that_answered_nothing_is_unknown_in_everything_but_its_name() -> None:
    found = facts.read(record(complete=False))

    nested = {
        "host",
        "os",
        "kernel",
        "boot",
        "driver",
        "firmware",
        "unread",
        "hung",
        "super_pod",
        "chips_seen",
        "hardware",
    }
    flat = set(HostFacts.model_fields) - nested
    assert {name for name in flat if not isinstance(getattr(found, name), Unknown)} == set()
    assert isinstance(found.driver.running, Unknown)
    assert isinstance(found.firmware.pending, Unknown)
    assert found.unread == ("the probe's answer is not complete",)


def test_a_user_who_is_not_root_makes_the_chips_unknown_not_broken() -> None:
    refused = "DrvMngGetConsoleLogLevel failed. (g_conLogLevel=3)\ndcmi module initialize failed. ret is -8005\n"
    found = facts.read(record(npu_smi__info=refused, host="uid=1000\n"))

    assert isinstance(found.chips, Unknown)
    assert "not root" in found.chips.unknown
    assert "ansible_become" in found.chips.settle


def test_two_counts_of_chips_that_differ_are_said() -> None:
    found = facts.read(record(npu_smi__info=INFO, npu_smi__list=LIST))

    assert found.unread == ("npu-smi: -l counts 2 chips, info shows 1",)


def test_lines_nobody_understood_are_named_with_their_reader_and_once_a_kind() -> None:
    text = "address_0=10.0.0.1\nthe 1st surprise\nthe 2nd surprise\nthe 3nd surprise\n"
    found = facts.read(record(hccn__conf=text))

    assert found.unread == ("hccn.conf: the 1st surprise", "hccn.conf: the 2nd surprise")


def test_a_board_that_is_missing_among_the_others_makes_them_unknown() -> None:
    board = "\tNPU ID : 0\n\tSoftware Version : 24.1.0\n\tFirmware Version : 7.5.0.3.220\n\tCompatibility : OK\n"
    one = {"npu-smi.list": LIST, "npu-smi.board.0": board}
    sections = {name: Evidence(name=name, status=0, text=text) for name, text in one.items()}

    assert facts.read(ProbeRecord(host="h", sections=sections)).boards == Unknown(
        unknown="npu-smi: -l and the boards differ about NPU 1"
    )


def test_an_answer_that_is_not_complete_says_nothing_about_all_boards_or_all_devices() -> None:
    ip = Evidence(name="hccn_tool.ip.0", status=0, text="ipaddr:10.0.0.1\nnetmask:255.255.0.0\n")
    found = facts.read(ProbeRecord(host="h", sections={"hccn_tool.ip.0": ip}, complete=False))

    assert isinstance(found.network, Unknown)
    assert isinstance(found.boards, Unknown)


def test_an_upgrade_tool_that_tells_versions_and_no_status_leaves_it_unknown_whether_firmware_waits() -> None:
    told = Evidence(
        name="upgrade-tool.version", status=0, text='\t{"device_id":0, "component":nve, "version":7.5.0.3.220}\n'
    )
    gone = [Evidence(name=name, note="not found") for name in ("upgrade-tool.status", "install.log")]
    sections = {item.name: item for item in (told, *gone)}

    found = facts.read(ProbeRecord(host="h", sections=sections)).firmware.pending
    assert isinstance(found, Unknown)
    assert "yet upgrade-tool.version answered" in found.unknown
