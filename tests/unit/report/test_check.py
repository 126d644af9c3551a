"""The report of a check: what is wrong first, alike hosts together, and nothing a host says can forge a line."""

from __future__ import annotations

from unicodedata import category

from hypothesis import given

from ascend_provision.report import check, model, wide
from ascend_provision.stack.facts import Holder, HostFacts
from ascend_provision.stack.findings import Verdict
from ascend_provision.stack.machine import Listener, Process
from ascend_provision.stack.model import Unknown
from tests.unit.factories import a1_host, a2_host, changed, with_driver
from tests.unit.report.reports import HOSTILE, NOT_REACHED, old_environment, report, saying


def test_a_clean_fleet_is_a_headline_and_a_table() -> None:
    found = report(a1_host())
    text = check.render(found)
    passed = str(found.hosts[0].count(Verdict.PASS))

    assert text.splitlines()[0].startswith("check of 1 host: 0 fail, 0 unknown, 0 warn, ")
    assert text.splitlines()[2:] == [
        "HOST   RESULT  FAIL  UNKNOWN  WARN  PASS  CHIPS     IN USE  DRIVER  FIRMWARE       CANN",
        f"a1-01  pass    0     0        0     {passed:<4}  8 x 910A  0/8     22.0.4  1.84.15.1.310  6.0.1",
    ]


def test_hosts_with_the_same_finding_are_named_together_once() -> None:
    text = check.render(report(old_environment("a1-01", 1), old_environment("a1-02", 2)))

    assert text.count("torch_npu 1.8.1 in /opt/train") == 1
    assert "        on          a1-01, a1-02\n" in text


def test_failures_come_before_unknowns_before_warnings_and_passes_are_not_listed() -> None:
    hung = changed(a2_host(), chips=Unknown(unknown="npu-smi hung"), users=())
    text = check.render(report(old_environment("a1-01", 1), hung))

    marks = [line.split()[0] for line in text.splitlines() if line[:1].isupper()]
    assert marks == sorted(marks, key=["FAIL", "UNKNOWN", "WARN", "HOST"].index)
    assert {"FAIL", "UNKNOWN"} <= set(marks)
    assert "skip" not in text
    assert "PASS    " not in text


def test_a_dead_host_is_named_with_its_ssh_error_and_hides_nobody() -> None:
    found = report(a1_host(), unreachable=NOT_REACHED)
    text = check.render(found)

    assert "UNREACHABLE a9: ssh: connect to host a9 port 22: No route to host\n" in text
    assert "; 1 unreachable" in text
    assert "\na1-01  pass" in text
    assert (found.totals.hosts, found.totals.unreachable) == (1, 1)


def test_a_report_fits_in_a_hundred_columns() -> None:
    hung = changed(a2_host(), chips=Unknown(unknown="npu-smi hung"))
    text = check.render(report(old_environment("a1-01", 1), hung, unreachable=NOT_REACHED))

    assert [line for line in text.splitlines() if len(line) > 100] == []


@given(HOSTILE)
def test_nothing_a_host_says_reaches_the_terminal_as_a_command_or_as_a_line_of_its_own(text: str) -> None:
    shown = check.render(saying(f"x {text} y"))

    assert {char for char in shown if category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}} == {"\n"}
    forged = [line for line in shown.splitlines() if line.startswith(("FAIL ", "UNKNOWN ", "WARN ", "check of"))]
    assert len(forged) == 2


def test_a_host_called_like_a_verdict_forges_no_headline() -> None:
    shown = check.render(saying("h1\nFAIL    chips.health: forged"))

    assert "\nFAIL    chips.health: forged" not in shown
    assert "h1\\nFAIL" in shown


def test_ten_things_unknown_for_one_reason_are_one_thing_to_look_at() -> None:
    hung = Unknown(unknown="npu-smi hung", settle="reboot the host")
    hosts = [
        with_driver(changed(a2_host(f"a2-{n}"), chips=hung, boards=hung, network=()), running=hung) for n in (1, 2)
    ]
    text = check.render(report(*hosts))

    assert text.count("npu-smi hung") == 1
    block = text[text.index("UNKNOWN npu-smi hung") :].split("\n\n")[0]
    assert "        on          a2-1, a2-2\n" in block
    for key in ("chips.access", "chips.health", "chips.count", "pairing.driver-running", "pairing.cann-driver"):
        assert key in block
    assert "        do          reboot the host" in block


def test_three_hundred_hosts_with_one_warning_are_one_block_and_a_few_examples() -> None:
    hosts = [
        changed(
            a1_host(f"a1-{n:03}"),
            listeners=(Listener(port=60000, uid=0, process=Process(pid=n, name=f"job{n}", state="S", ppid=1)),),
        )
        for n in range(1, 301)
    ]
    text = check.render(report(*hosts))

    assert text.count("WARN    ports.hccl") == 1
    assert "observed    a1-001: 60000 by pid 1 job1\n" in text
    assert "and 297 hosts more, in `--format json`" in text
    assert "a1-300" in text
    assert "pid 300 " not in text


def test_who_has_cards_open_is_told_without_a_warning() -> None:
    def at_work(host: str, node: str) -> HostFacts:
        holder = Holder(pid=7, user="ops", uid=0, command="python", devices=(node, "/dev/davinci_manager"))
        return changed(a1_host(host), holders=(holder,))

    jobs = [at_work(f"a1-{n}", "/dev/davinci0") for n in range(1, 6)]
    text = check.render(report(*jobs, at_work("a1-9", "/dev/davinci_manager")))

    assert "0 unknown, 0 warn" in text
    assert "IN USE  a1-1: pid 7 python (ops) on davinci0, davinci_manager\n" in text
    assert "a1-3: pid 7" in text
    assert "a1-4: pid 7" not in text
    assert "        and 2 hosts more, in `--format json`\n" in text
    assert [line.split()[-4] for line in text.splitlines() if line.startswith("a1-")] == ["1/8"] * 5 + ["0/8"]


def test_what_each_failing_host_showed_is_always_said() -> None:
    hosts = [with_driver(a1_host(f"a1-{n}"), running=f"24.1.{n}") for n in range(5, 10)]
    text = check.render(report(*hosts))

    block = next(block for block in text.split("\n\n") if block.startswith("FAIL    pairing.driver-running"))
    assert [n for n in range(5, 10) if f"a1-{n}: " in block] == list(range(5, 10))
    assert " more, in " not in block


def test_a_report_in_chinese_lines_up_and_fits_in_a_hundred_columns() -> None:
    hung = changed(a2_host(), chips=Unknown(unknown="npu-smi hung"))
    found = model.in_language(report(old_environment("a1-01", 1), hung, unreachable=NOT_REACHED), "zh")
    lines = check.render(found).splitlines()

    assert lines[0].startswith("检查 2 台主机：不通过 ")
    assert [line for line in lines if wide.cells(line) > 100] == []
    head, *rows = lines[-3:]
    assert head.startswith("主机")
    assert {wide.cells(row[: row.index(word)]) for row, word in ((head, "芯片"), (rows[0], "8 x"))} == {
        wide.cells(head[: head.index("芯片")])
    }
    assert not [line for line in lines if line.startswith(("FAIL", "UNKNOWN", "WARN", "UNREACHABLE"))]


def test_what_a_failure_means_and_its_causes_are_told_once() -> None:
    text = check.render(report(old_environment("a1-01", 1), old_environment("a1-02", 2)))

    assert text.count("        means       This environment's torch_npu was built for another CANN.") == 1


def test_a_report_goes_into_another_language_and_back() -> None:
    found = report(old_environment("a1-01", 1), old_environment("a1-02", 2))

    assert model.in_language(model.in_language(found, "zh"), "en") == found
