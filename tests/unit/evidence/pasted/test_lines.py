"""What stands above pasted output: prompts as shells write them, headings, fences; and what is cleaned away."""

from __future__ import annotations

import pytest

from ascend_provision.evidence.facts import read
from ascend_provision.evidence.pasted.lines import Above, Line, above, elided, fence, lines, title
from ascend_provision.evidence.pasted.recognise import recognise
from ascend_provision.stack.model import Unknown
from tests.unit.evidence.pasted import pastes


@pytest.mark.parametrize(
    ("line", "command", "user", "host"),
    [
        ("[root@worker7 ~]# npu-smi info", "npu-smi info", "root", "worker7"),
        ("[root@worker7 ~]#npu-smi info", "npu-smi info", "root", "worker7"),
        ("root@worker7:/home/a# cat /etc/hccn.conf", "cat /etc/hccn.conf", "root", "worker7"),
        ("(base) ma-user@pod-0:~$ pip list", "pip list", "ma-user", "pod-0"),
        ("$ hccn_tool -i 3 -ip -g", "hccn_tool -i 3 -ip -g", "", ""),
        ("host$ npu-smi info", "npu-smi info", "", "host"),
        ("sh-5.1# npu-smi info", "npu-smi info", "", ""),
        ("# npu-smi info", "npu-smi info", "", ""),
        ("npu-smi info -t board -i 0", "npu-smi info -t board -i 0", "", ""),
    ],
)
def test_a_prompt_gives_the_command_and_who_typed_it(line: str, command: str, user: str, host: str) -> None:
    found = above(Line(1, line))

    assert found is not None
    assert (found.command, found.user, found.host) == (command, user, host)


@pytest.mark.parametrize(
    "line",
    [
        "npu-smi info shows one chip too few",
        "Version=24.1.0",
        "| 0     910B3               | OK            | 90.0        47                0    / 0             |",
        "torch @ file:///tmp/torch-2.1.0.whl#sha256=abc",
        "please write to admin@example.org",
        "[Driver] [2025-07-17 10:36:24] [INFO]End time: 2025-07-17 10:36:24",
    ],
)
def test_output_and_prose_are_no_prompt(line: str) -> None:
    assert above(Line(1, line)) is None


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("## /usr/local/Ascend/driver/version.info", "/usr/local/Ascend/driver/version.info"),
        ("==> /etc/hccn.conf <==", "/etc/hccn.conf"),
        ("/etc/ascend_install.info:", "/etc/ascend_install.info"),
        ("# tail of ~/.bashrc", "~/.bashrc"),
        ("-- firmware", ""),
    ],
)
def test_a_heading_names_a_file_or_a_part(line: str, path: str) -> None:
    found = title(Line(1, line), Above(user="root", host="worker7"))

    assert found is not None
    assert (found.path, found.user, found.host) == (path, "root", "worker7")


def test_colours_progress_bars_quotes_and_odd_blanks_go_and_numbers_stay() -> None:
    text = "\ufeff\x1b[32mVersion=24.1.0\x1b[0m\r\n> quoted\n10%\r100%\n a\u00a0b\x07 \n"

    assert lines(text) == [Line(1, "Version=24.1.0"), Line(2, "quoted"), Line(3, "100%"), Line(4, " a b"), Line(5, "")]


def test_what_somebody_left_out_is_seen() -> None:
    assert [elided(Line(1, text)) for text in ("...", "   … (to NPU 7)", "a ... b")] == [True, True, False]
    assert [fence(Line(1, text)) for text in ("```console", "  ~~~", "`code`")] == [True, True, False]


def test_a_table_that_a_narrow_terminal_wrapped_is_whole_again() -> None:
    wrapped = "".join(f"{line[:80].rstrip()}\n{line[80:]}\n" for line in pastes.INFO.splitlines() if line)
    given = read(recognise("h", [("a", f"hello\n{wrapped}")]).record)

    assert given.chips == read(recognise("h", [("a", pastes.INFO)]).record).chips
    assert not isinstance(given.chips, Unknown)
    assert given.card_processes == ()
