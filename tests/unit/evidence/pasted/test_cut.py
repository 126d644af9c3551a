"""A pasted file falls into pieces of one kind each."""

from __future__ import annotations

import pytest

from ascend_provision.evidence.pasted import cut
from ascend_provision.evidence.pasted.lines import lines
from tests.unit.evidence.pasted import pastes


def kinds(text: str, file: str = "paste.txt") -> list[str]:
    return [piece.kind for piece in cut.pieces(file, lines(text))]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (pastes.INFO, "npu-smi info"),
        (pastes.BOARD, "card"),
        (pastes.DRIVER, "assignments"),
        (pastes.LSMOD, "lsmod"),
        (pastes.LSPCI, "lspci"),
        (pastes.PIP, "pip list"),
        (pastes.UNAME, "uname -a"),
        (pastes.FLASH, "upgrade-tool"),
        (pastes.STATUS, "json"),
        (pastes.INSTALLER, "installer output"),
        (pastes.HCCL_TEST, "hccl_test"),
        ("torch==2.4.0\ntorch-npu==2.4.0.post2\n", "pip freeze"),
        ("# packages in environment at /opt/conda:\n#\n# Name  Version\ntorch   2.1.0  pypi_0  pypi\n", "conda list"),
        ("dcmi module initialize failed. ret is -8005\n", "npu-smi info"),
        ("link status: UP\n", "hccn_tool -link"),
        ("[    1.234567] [ascend] [uda] init\n", "kernel log"),
        ("docker run -it --device /dev/davinci0 image bash\n", "docker run command"),
        ("HwHiAiUser:x:1000:1000::/home/HwHiAiUser:/bin/bash\n", "getent"),
        ("RuntimeError: NPU out of memory. Tried to allocate 5.03 GiB\n", "log of CANN or a program"),
    ],
)
def test_each_kind_is_told_by_its_look(text: str, kind: str) -> None:
    assert kinds(text) == [kind]


def test_several_commands_in_one_paste_are_several_pieces_with_their_commands() -> None:
    text = (
        f"[root@worker7 ~]# npu-smi info\n{pastes.INFO}[root@worker7 ~]# npu-smi info -t board -i 0\n{pastes.BOARD}"
        "[root@worker7 ~]# hccn_tool -i 0 -lldp -g\nChassis ID TLV\n\tMAC: 00:11:22:33:44:55\n[root@worker7 ~]# \n"
    )
    found = [piece for piece in cut.pieces("p", lines(text)) if piece.kind != "prompt"]

    assert [(piece.kind, piece.above.command) for piece in found] == [
        ("npu-smi info", "npu-smi info"),
        ("card", "npu-smi info -t board -i 0"),
        ("hccn_tool -lldp", "hccn_tool -i 0 -lldp -g"),
    ]
    assert found[0].lines[0].number == 2


def test_two_tables_of_npu_smi_one_under_the_other_are_two() -> None:
    assert kinds(pastes.INFO + pastes.INFO) == ["npu-smi info", "npu-smi info"]


def test_what_nobody_knows_is_one_piece_with_its_place() -> None:
    found = list(cut.pieces("p", lines(f"hello,\nour card is gone\n\n{pastes.HCCN}\nthanks\n")))

    assert [(piece.kind, piece.lines[0].number, piece.lines[-1].number) for piece in found] == [
        ("", 1, 2),
        ("assignments", 4, 6),
        ("", 8, 8),
    ]


def test_a_shell_profile_is_taken_whole_by_the_path_above_it_and_a_mentioned_script_is_not() -> None:
    profile = "# comment\nif [ -d /x ]; then\n  export HCCL_BUFFSIZE=200\nfi\n"

    assert kinds(f"$ cat ~/.bashrc\n{profile}$ ls\n") == ["shell profile"]
    assert kinds(profile, "set_env.sh") == ["shell profile"]
    assert "shell profile" not in kinds("# bash /usr/local/Ascend/driver/script/uninstall.sh --force\nVersion=24.1.0\n")


def test_an_elision_marks_the_piece_as_cut() -> None:
    piece = next(iter(cut.pieces("p", lines("c1:00.0 Processing accelerators: Huawei Device d802\n... (8 lines)\n"))))

    assert piece.cut
