"""Pieces become the probe's sections; a section given twice and differently is no evidence."""

from __future__ import annotations

from ascend_provision.evidence.facts import read
from ascend_provision.evidence.pasted.recognise import recognise
from ascend_provision.evidence.pasted.sections import NOT_GIVEN
from ascend_provision.stack.model import Unknown
from tests.unit.evidence.pasted import pastes


def test_what_was_not_given_says_so() -> None:
    record = recognise("h", [("a.txt", pastes.INFO)]).record

    assert record.get("npu-smi.info").ok
    assert record.get("cann").note == NOT_GIVEN


def test_the_same_output_twice_is_one_and_two_that_differ_are_none() -> None:
    other = pastes.INFO.replace("OK  ", "Alarm", 1)

    assert recognise("h", [("a", pastes.INFO), ("b", pastes.INFO)]).record.get("npu-smi.info").ok
    note = recognise("h", [("a", pastes.INFO), ("b", f"\n{other}")]).record.get("npu-smi.info").note
    assert note == "given more than once and not alike (a:1, b:2)"


def test_a_loop_over_devices_gives_each_its_answer() -> None:
    answers = "ipaddr:10.20.0.10\nnetmask:255.255.0.0\nipaddr:10.20.0.11\nnetmask:255.255.0.0\n"
    text = f"$ for i in {{0..1}}; do hccn_tool -i $i -ip -g; done\n{answers}"

    sections = recognise("h", [("a", text)]).record.sections
    assert sections["hccn_tool.ip.0"].text == "ipaddr:10.20.0.10\nnetmask:255.255.0.0\n"
    assert sections["hccn_tool.ip.1"].text == "ipaddr:10.20.0.11\nnetmask:255.255.0.0\n"


def test_the_other_questions_to_hccn_tool_are_sections_too() -> None:
    tls = "dev_id:3, tls switch[1](0:disable, 1:enable), tls preconfigured[1](0:non-preset, 1:preset)\n"
    text = (
        f"$ hccn_tool -i 3 -tls -g\n{tls}$ hccn_tool -i 3 -net_health -g\nnet health status: Init\n"
        "$ hccn_tool -i 3 -netdetect -g\nnetdetect address: 10.20.0.1\n"
    )

    sections = recognise("h", [("a", text)]).record.sections
    assert {name: item.text.strip() for name, item in sections.items()} == {
        "hccn_tool.tls.3": tls.strip(),
        "hccn_tool.health.3": "net health status: Init",
        "hccn_tool.netdetect.3": "netdetect address: 10.20.0.1",
    }


def test_a_rank_table_is_one_under_the_path_above_it() -> None:
    table = '{\n"server_count": "1",\n"server_list": [{"device": [{"device_ip": "10.0.0.1"}]}]\n}\n'
    text = recognise("h", [("a", f"$ cat /root/hccl.json\n{table}")]).record.get("rank.tables").text

    assert text.splitlines()[:2] == ["F /root/hccl.json", " {"]


def test_answers_that_no_command_gives_a_device_are_of_none() -> None:
    given = recognise("h", [("a", "ipaddr:10.20.0.10\nnetmask:255.255.0.0\n")])

    assert not given.record.sections
    assert [(piece.kind, piece.used) for piece in given.pieces] == [("hccn_tool -ip", False)]


def test_a_list_with_lines_left_out_is_cut_and_not_short() -> None:
    listed = "c1:00.0 Processing accelerators: Huawei Technologies Co., Ltd. Device d802 (rev 20)\n... (8 lines)\n"

    assert recognise("h", [("a", listed)]).record.get("pci").truncated


def test_of_two_npu_smi_that_differ_in_what_they_measure_the_last_counts() -> None:
    later = pastes.INFO.replace("90.0        47 ", "120.5       61 ").replace("3351 / 65536", "60001/ 65536")
    found = read(recognise("h", [("a", f"$ npu-smi info\n{pastes.INFO}$ npu-smi info\n{later}")]).record)
    other = read(recognise("h", [("a", pastes.INFO), ("b", later.replace("| OK ", "| Alarm "))]).record)

    assert not isinstance(found.chips, Unknown)
    assert [(chip.temperature_c, chip.hbm_used_mb) for chip in found.chips] == [(61, 60001)]
    assert isinstance(other.chips, Unknown)
