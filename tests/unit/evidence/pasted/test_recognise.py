"""A whole paste as one host's facts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.check import judge_host
from ascend_provision.evidence.facts import read
from ascend_provision.evidence.pasted.recognise import PROBE, by_host, recognise
from ascend_provision.stack.findings import Verdict
from ascend_provision.stack.model import Unknown
from tests.unit.evidence.pasted import pastes

PASTE = f"""Our host, please help:

```console
[root@worker7 ~]# npu-smi info
{pastes.INFO}
[root@worker7 ~]# npu-smi info -t board -i 0
{pastes.BOARD}
[root@worker7 ~]# cat /usr/local/Ascend/driver/version.info
{pastes.DRIVER}[root@worker7 ~]# cat /usr/local/Ascend/firmware/version.info
{pastes.FIRMWARE}[root@worker7 ~]# cat /etc/hccn.conf
{pastes.HCCN}[root@worker7 ~]# lsmod | grep drv
drv_pcie_host         512000  3
[root@worker7 ~]# lspci -nn
{pastes.LSPCI}[root@worker7 ~]# upgrade-tool --device_index -1 --status
{pastes.STATUS}```
"""


def verdicts(text: str) -> dict[str, Verdict]:
    return {finding.id: finding.verdict for finding in judge_host(read(recognise("h", [("a", text)]).record))}


def test_a_paste_of_many_commands_is_judged_like_a_host() -> None:
    found = verdicts(PASTE)

    for key in ("pairing.driver-running", "pairing.firmware-flash", "pairing.driver-firmware", "chips.health"):
        assert found[key] is Verdict.PASS, key
    assert found["pending.firmware"] is Verdict.PASS
    assert found["prerequisites.space"] is Verdict.UNKNOWN


def test_line_ends_of_windows_and_a_tab_in_front_change_nothing() -> None:
    assert verdicts(PASTE.replace("\n", "\r\n")) == verdicts(PASTE)
    assert verdicts("".join(f"\t{line}\n" for line in PASTE.splitlines())) == verdicts(PASTE)


def test_a_table_that_was_cut_says_nothing_about_chips_and_still_names_the_driver() -> None:
    found = read(recognise("h", [("a", "\n".join(pastes.INFO.splitlines()[:7]))]).record)

    assert isinstance(found.chips, Unknown)
    assert str(found.driver.running) == "24.1.0"


def test_what_nobody_gave_is_never_said_to_be_absent() -> None:
    text = f"[root@w7 ~]# cat /etc/ascend_install.info\n{pastes.INSTALL_INFO}"
    text += f"[root@w7 ~]# cat /etc/hccn.conf\n{pastes.HCCN}"
    found = read(recognise("h", [("a", text), ("b", pastes.TOOLKIT)]).record)

    assert isinstance(found.kernel.headers_of, Unknown)
    assert not isinstance(found.install_record, Unknown)
    assert found.install_record is not None
    assert isinstance(found.install_record.aicpu, Unknown)
    assert not isinstance(found.network, Unknown)
    assert found.network[0].live_address == Unknown(unknown="hccn_tool -i 0: not in the evidence given")
    assert not isinstance(found.cann, Unknown)
    assert [item.hccl_test for item in found.cann] == [None]
    live = read(recognise("h", [("a", "$ hccn_tool -i 1 -ip -g\nipaddr:10.0.0.1\nnetmask:255.255.0.0\n")]).record)
    assert not isinstance(live.network, Unknown)
    assert isinstance(live.network[0].conf_gateway, Unknown)


def test_boards_alone_name_the_running_driver() -> None:
    found = read(recognise("h", [("a", pastes.BOARD)]).record)

    assert str(found.driver.running) == "24.1.0"
    assert not isinstance(found.firmware.flash, Unknown)
    assert [str(version) for version in found.firmware.flash] == ["7.5.0.3.220"]


def test_what_was_recognised_and_what_not_is_told_with_its_place() -> None:
    given = recognise("h", [("a.txt", f"hello\n\n{pastes.INSTALLER}\n{pastes.HCCL_TEST}\n{pastes.DRIVER}")])

    assert [(piece.file, piece.line, piece.kind, piece.used) for piece in given.pieces] == [
        ("a.txt", 3, "installer output", True),
        ("a.txt", 9, "hccl_test", False),
        ("a.txt", 13, "driver/version.info", True),
    ]
    assert "installed successfully" in given.pieces[0].says
    assert given.pieces[1].says == "pass"
    assert [(piece.line, piece.says) for piece in given.unrecognised] == [(1, "hello")]


def test_the_answer_of_a_probe_is_read_as_it_is() -> None:
    answer = "#ascend-provision-probe 2\n#S driver.version 0 1 \n@driver.version 1\n|Version=24.1.0\n#E 1 5\n"
    given = recognise("h", [("a1.probe", answer)])

    assert [piece.kind for piece in given.pieces] == [PROBE]
    assert str(read(given.record).driver.file) == "24.1.0"
    assert read(recognise("h", [("a", answer), ("b", answer)]).record).driver.file == Unknown(
        unknown="driver.version: two answers of a probe were given for one host"
    )


def test_the_name_of_the_host_is_what_prompts_and_uname_agree_on() -> None:
    (one,) = by_host([("a", PASTE), ("b", pastes.UNAME.replace("worker7", "worker7.example"))])
    (nameless,) = by_host([("a", pastes.INFO)])

    assert one.host == "worker7"
    assert nameless.host == ""


def test_prompts_of_several_hosts_in_one_file_are_several_hosts() -> None:
    sick = pastes.INFO.replace("| OK ", "| Alarm ").replace("24.1.0", "24.1.1")
    text = f"me@laptop:~$ ssh w7\nwelcome\n{PASTE}\nroot@w8:~# npu-smi info\n{sick}\n"
    text += f"root@3f2a9c1b7d5e:/# pip list\n{pastes.PIP}"
    found = {item.host: item for item in by_host([("a", text)])}

    assert sorted(found) == ["3f2a9c1b7d5e", "w8", "worker7"]
    assert str(read(found["worker7"].record).driver.running) == "24.1.0"
    w8 = read(found["w8"].record)
    assert str(w8.driver.running) == "24.1.1"
    assert isinstance(w8.environments, Unknown)
    assert [piece.says for item in found.values() for piece in item.unrecognised] == ["welcome"]


def test_files_of_hosts_that_uname_tells_apart_are_not_mixed() -> None:
    other = pastes.UNAME.replace("worker7", "worker8")
    found = by_host([("a", pastes.UNAME + "\n" + pastes.INFO), ("b", f"{other}\n{pastes.DRIVER}")])

    assert [item.host for item in found] == ["worker7", "worker8"]
    assert isinstance(read(found[0].record).driver.file, Unknown)
    assert str(read(found[1].record).driver.file) == "24.1.0"


@given(st.text())
def test_no_text_makes_it_raise(text: str) -> None:
    read(recognise("h", [("a", text), ("b", pastes.INFO[: len(text)] + text)]).record)
