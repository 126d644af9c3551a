"""Consent: nothing is applied that was not shown and agreed to, and the report says how it ended."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ascend_provision.bundle import store
from ascend_provision.cli import changing
from ascend_provision.cli.main import main
from ascend_provision.cli.terminal import Terminal
from ascend_provision.fleet.progress import Progress
from ascend_provision.stack.plan import Plan
from ascend_provision.stack.runs import HostOutcome, HostResult, RunResult
from tests.unit.cli.fleets import Fleet, behind
from tests.unit.factories import a1_host

NEW = (
    "Ascend-hdk-910-npu-driver_23.0.3_linux-x86-64.run",
    "Ascend-hdk-910-npu-firmware_7.1.0.5.220.run",
    "Ascend-cann-toolkit_7.0.0_linux-x86_64.run",
    "Ascend-cann-kernels-910_7.0.0_linux.run",
)
OLD = (
    "Ascend-hdk-910-npu-driver_6.0.0_linux-x86-64.run",
    "Ascend-hdk-910-npu-firmware_6.0.0.run",
    "Ascend-cann-toolkit_6.0.1_linux-x86_64.run",
    "Ascend-cann-kernels-910_6.0.1_linux.run",
)


class Applied:
    """Stands for the executor: every host of the plan ends as told."""

    def __init__(self, outcome: HostOutcome = HostOutcome.DONE, *, interrupted: bool = False) -> None:
        self.outcome, self.interrupted = outcome, interrupted
        self.plans: list[Plan] = []

    def __call__(self, plan: Plan, *_: Any, on_progress: Callable[[Progress], None], run: Any, **__: Any) -> RunResult:
        self.plans.append(plan)
        hosts = tuple(HostResult(host=host.host, outcome=self.outcome) for host in plan.hosts)
        on_progress(Progress(host=plan.hosts[0].host, step="stage", state="started"))
        return RunResult(
            run=run.id,
            verb=plan.verb,
            wish=plan.wish,
            started_at=0,
            ended_at=1,
            hosts=hosts,
            interrupted=self.interrupted,
        )


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    directory = tmp_path / "packages"
    directory.mkdir()
    for name in (*NEW, *OLD):
        (directory / name).write_text(name)
    store.add(directory)
    return directory


@pytest.fixture
def applied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Applied:
    behind(Fleet(a1_host("a1-1")), monkeypatch, tmp_path / "state")
    applied = Applied()
    monkeypatch.setattr(changing, "apply", applied)
    return applied


def upgrade(packages: Path, *more: str) -> int:
    return main(["upgrade", "--hosts", "all", "-i", "h,", "--to", "hdk23", "--packages", str(packages), *more])


def test_with_yes_the_plan_is_shown_and_applied(
    packages: Path, applied: Applied, capsys: pytest.CaptureFixture[str]
) -> None:
    assert upgrade(packages, "--yes") == 0
    out, err = capsys.readouterr()

    assert [plan.wish for plan in applied.plans] == ["hdk23"]
    assert out.index("Plan: upgrade to hdk23") < out.index("Run ")
    assert "a1-1: stage started\n" in err


def test_without_a_terminal_and_without_yes_nothing_is_applied(
    packages: Path, applied: Applied, capsys: pytest.CaptureFixture[str]
) -> None:
    assert upgrade(packages) == 4
    assert applied.plans == []
    assert "hint: look at the plan above, then repeat with --yes" in capsys.readouterr().err


@pytest.mark.parametrize(("answer", "count"), [(True, 1), (False, 0)], ids=["yes", "no"])
def test_on_a_terminal_the_answer_decides(
    answer: bool, count: int, packages: Path, applied: Applied, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Terminal, "interactive", True)
    monkeypatch.setattr(changing.typer, "confirm", lambda *_, **__: answer)

    assert upgrade(packages) == 0
    assert len(applied.plans) == count


def test_without_the_packages_of_today_there_must_be_consent_to_no_way_back(
    packages: Path, applied: Applied, capsys: pytest.CaptureFixture[str]
) -> None:
    sums = packages / "SHA256SUMS"
    lines = sums.read_text().splitlines(keepends=True)
    sums.write_text("".join(line for line in lines if not any(name in line for name in OLD)))
    for name in OLD:
        (packages / name).unlink()

    assert upgrade(packages, "--yes") == 6
    assert applied.plans == []
    assert "there would be no way back for a1-1" in capsys.readouterr().err
    assert upgrade(packages, "--yes", "--accept-no-rollback") == 0
    assert len(applied.plans) == 1


def test_a_fleet_that_is_there_already_needs_no_consent(
    packages: Path, applied: Applied, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    behind(Fleet(a1_host("a1-1", "hdk23")), monkeypatch, tmp_path / "state")

    assert upgrade(packages) == 0
    assert [host.decision for host in applied.plans[0].hosts] == ["nothing"]


def test_json_is_one_document_and_the_plan_goes_beside_it(
    packages: Path, applied: Applied, capsys: pytest.CaptureFixture[str]
) -> None:
    upgrade(packages, "--yes", "--format", "json")
    out, err = capsys.readouterr()

    assert json.loads(out)["hosts"][0]["outcome"] == "done"
    assert "Plan: upgrade to hdk23" in err


@pytest.mark.parametrize(
    ("outcome", "interrupted", "status"),
    [(HostOutcome.FAILED, False, 7), (HostOutcome.MISMATCH, False, 3), (HostOutcome.NOT_STARTED, True, 0)],
)
def test_the_status_is_the_fleets(
    outcome: HostOutcome, interrupted: bool, status: int, packages: Path, applied: Applied
) -> None:
    applied.outcome, applied.interrupted = outcome, interrupted

    assert upgrade(packages, "--yes") == status


def test_a_plan_file_is_applied_to_exactly_its_hosts(
    packages: Path, applied: Applied, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fleet = behind(Fleet(a1_host("a1-1"), a1_host("a1-2")), monkeypatch, tmp_path / "state")
    file = tmp_path / "plan.json"
    main(["plan", "--hosts", "all", "-i", "h,", "--to", "hdk23", "--packages", str(packages), "-o", str(file)])

    assert main(["upgrade", "-i", "h,", "--plan", str(file), "--packages", str(packages), "--yes"]) == 0
    assert fleet.asked[-1] == {"sources": ("h,",), "pattern": "a1-1:a1-2"}
    assert applied.plans[0].model_dump_json(indent=1) + "\n" == file.read_text()


def test_an_edited_plan_file_is_6_and_nothing_is_applied(packages: Path, applied: Applied, tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    main(["plan", "--hosts", "all", "-i", "h,", "--to", "hdk23", "--packages", str(packages), "-o", str(file)])
    file.write_text(file.read_text().replace('"clean"', '"overwrite"'))

    assert main(["upgrade", "-i", "h,", "--plan", str(file), "--packages", str(packages), "--yes"]) == 6
    assert applied.plans == []
