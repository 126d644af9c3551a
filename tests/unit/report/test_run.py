"""The report of a run: what happened to every host, and what a person must do."""

from __future__ import annotations

from ascend_provision.report.run import render
from ascend_provision.stack.findings import Finding, Verdict
from ascend_provision.stack.plan import Ending
from ascend_provision.stack.runs import HostOutcome, HostResult, RunResult, StepTime

DONE = HostResult(
    host="a1-1",
    outcome=HostOutcome.DONE,
    before={"driver": "22.0.4", "toolkit": "6.0.1"},
    after={"driver": "23.0.3", "toolkit": "6.0.1"},
    reboots=2,
    tasks=40,
    steps=(
        StepTime(step="driver-install", ending=Ending.DONE, seconds=90, acted=84),
        StepTime(step="verify", ending=Ending.DONE, seconds=3),
    ),
    smoke="pass: 8 ranks, 10 sizes",
)
FAILED = HostResult(
    host="a1-2",
    outcome=HostOutcome.FAILED,
    step="driver-install",
    reason="installer exit 1: \x1b[31mdkms build failed",
    next_action="see /var/log/ascend_seclog/ascend_install.log",
    before={"driver": "22.0.4"},
    findings=(
        Finding(
            id="verify.driver-running",
            verdict=Verdict.FAIL,
            component="driver",
            title="running driver",
            observed="none",
            expected="23.0.3",
        ),
    ),
    steps=(StepTime(step="driver-install", ending=Ending.FAILED, seconds=200, acted=190),),
)


def run(*hosts: HostResult, **changed: object) -> RunResult:
    values = {"run": "r1", "verb": "upgrade", "wish": "hdk23", "started_at": 100.0, "ended_at": 400.0, "hosts": hosts}
    return RunResult.model_validate({**values, **changed})


def test_every_host_has_a_row_with_before_and_after() -> None:
    lines = render(run(DONE, FAILED)).splitlines()

    assert lines[0] == "Run r1: upgrade to hdk23 took 5 min 00 s: 1 of 2 hosts as asked for"
    rows = {line.split()[0]: line.split() for line in lines[2:5]}
    assert rows["a1-1"] == ["a1-1", "done", "2", "93", "s", "22.0.4", "->", "23.0.3", "-", "6.0.1", "-"]
    assert rows["a1-2"][:3] == ["a1-2", "failed", "0"]
    assert lines[2].split()[-2:] == ["TOOLKIT", "KERNELS"]


def test_toolkit_and_kernels_that_moved_together_are_one_column() -> None:
    moved = DONE.model_copy(
        update={"before": {"toolkit": "6.0.1", "kernels": "6.0.1"}, "after": {"toolkit": "7.0.0", "kernels": "7.0.0"}}
    )
    lines = render(run(moved)).splitlines()

    assert lines[2].split()[-1] == "CANN"
    assert lines[3].endswith("6.0.1 -> 7.0.0")


def test_a_failed_host_is_named_with_step_reason_and_next_action() -> None:
    text = render(run(DONE, FAILED))

    assert (
        "a1-2: failed at driver-install: installer exit 1: \\x1b[31mdkms build failed\n"
        "  next: see /var/log/ascend_seclog/ascend_install.log\n"
        "  fail verify.driver-running: running driver: none, expected 23.0.3\n"
    ) in text
    assert "\nHCCL smoke test on a1-1: pass: 8 ranks, 10 sizes\n" in text


def test_the_slowest_host_of_each_step_is_told_with_its_own_part() -> None:
    text = render(run(DONE, FAILED))

    assert ["driver-install", "3", "min", "20", "s", "3", "min", "10", "s", "a1-2"] in [
        line.split() for line in text.splitlines()
    ]


def test_a_run_that_was_cut_or_stopped_says_so() -> None:
    assert "was cut before its end" in render(run(DONE, ended_at=None)).splitlines()[0]
    assert render(run(DONE, interrupted=True)).splitlines()[0].endswith("; stopped by hand")


def test_a_run_with_nothing_to_do_has_no_times() -> None:
    idle = HostResult(host="a1-1", outcome=HostOutcome.NOTHING, before={"driver": "23.0.3"}, after={"driver": "23.0.3"})

    text = render(run(idle))

    assert "1 of 1 host as asked for" in text
    assert "STEP" not in text


def test_a_host_that_failed_before_its_stack_changed_is_not_said_to_mismatch_already() -> None:
    mismatch = ("/opt/env: torch_npu 1.8.1 does not match CANN 7.0.0",)
    done, failed = (host.model_copy(update={"mismatches": mismatch}) for host in (DONE, FAILED))

    assert "  does not match any more: /opt/env" in render(run(done))
    text = render(run(failed))
    assert "  will not match afterwards: /opt/env" in text
    assert "any more" not in text


def test_hosts_of_which_the_same_is_to_be_said_are_named_together() -> None:
    mismatch = DONE.model_copy(update={"outcome": HostOutcome.MISMATCH, "reason": "torch_npu 1.8.1 is too old " * 6})
    text = render(run(*(mismatch.model_copy(update={"host": f"a1-{n}"}) for n in (1, 2)), FAILED))

    assert "\na1-1, a1-2: done-with-mismatch: torch_npu 1.8.1 is too old" in text
    assert "\na1-2: failed at driver-install" in text
    paragraph = text[text.index("a1-1, a1-2:") :].split("\n\n")[0]
    assert max(len(line) for line in paragraph.splitlines()) <= 100
