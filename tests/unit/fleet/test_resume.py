"""Waves, and a run that goes on where an earlier process of it ended; on hosts of paper."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ascend_provision.bundle.store import PackageStore
from ascend_provision.fleet import gate, loop, upgrade
from ascend_provision.fleet.control import Control, Wish
from ascend_provision.fleet.endings import StepEnd
from ascend_provision.fleet.gather import Gathered
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.fleet.journal import Journal
from ascend_provision.fleet.progress import Progress
from ascend_provision.fleet.runs import Order, RunStore
from ascend_provision.knowledge.wishes import parse
from ascend_provision.planner import plan as planner
from ascend_provision.planner.waves import OnFail, Policy
from ascend_provision.stack.errors import LeasedElsewhere
from ascend_provision.stack.plan import Ending, StepName, Strategy
from ascend_provision.stack.runs import HostOutcome, JournalRecord, RunResult
from tests.unit.factories import changed
from tests.unit.fleet.paper import PaperFleet, clean, outcomes, paper_fleet, upgraded
from tests.unit.planner.store import STORE

__all__ = ["paper_fleet"]


def crowd(paper: PaperFleet, number: int) -> list[str]:
    names = [f"a1-{index:02}" for index in range(1, number + 1)]
    paper.facts = {name: clean(name) for name in names}
    return names


def test_the_canary_is_done_before_any_other_host_is_touched(paper: PaperFleet, tmp_path: Path) -> None:
    crowd(paper, 4)

    result = upgraded(paper, tmp_path, order=Order())

    assert set(outcomes(result).values()) == {HostOutcome.DONE}
    first = [host for host, _ in paper.acted]
    assert first.index("a1-02") > max(at for at, host in enumerate(first) if host == "a1-01")


def test_a_failed_canary_halts_the_run_which_says_why_and_how_to_go_on(paper: PaperFleet, tmp_path: Path) -> None:
    crowd(paper, 4)
    paper.broken["a1-01", "driver-install"] = StepEnd(ending=Ending.FAILED, detail="dkms")

    result = upgraded(paper, tmp_path, order=Order())

    assert [host.outcome for host in result.hosts] == [HostOutcome.FAILED, *[HostOutcome.NOT_STARTED] * 3]
    assert result.halted == "halted: a1-01 failed as canary"
    assert result.resume == f"ascend-provision upgrade --resume {result.run}"
    assert {host for host, _ in paper.acted} == {"a1-01"}


def test_a_resumed_run_mends_what_failed_and_goes_on_with_the_others(paper: PaperFleet, tmp_path: Path) -> None:
    names = crowd(paper, 3)
    paper.broken["a1-01", "driver-install"] = StepEnd(ending=Ending.FAILED, detail="dkms")
    halted = upgraded(paper, tmp_path, order=Order())
    paper.broken.clear()
    paper.acted.clear()

    result = resumed(paper, tmp_path, halted.run)

    assert set(outcomes(result).values()) == {HostOutcome.DONE}
    again = [step for host, step in paper.acted if host == names[0]]
    assert again[0] == "driver-install"
    assert "backup" not in again
    assert (result.halted, result.resume) == ("", "")
    assert result.started_at == pytest.approx(halted.started_at, abs=5)


def test_hosts_that_were_done_are_not_read_and_not_done_again(paper: PaperFleet, tmp_path: Path) -> None:
    crowd(paper, 2)
    done = upgraded(paper, tmp_path)
    paper.acted.clear()
    paper.facts = {}  # reading any host would fail

    result = resumed(paper, tmp_path, done.run)

    assert paper.acted == []
    assert [(host.outcome, host.smoke, host.reboots) for host in result.hosts] == [
        (host.outcome, host.smoke, host.reboots) for host in done.hosts
    ]
    assert [step.step for step in result.hosts[0].steps] == [step.step for step in done.hosts[0].steps]


@pytest.mark.parametrize("records", range(1, 56, 3))
def test_a_controller_that_died_after_any_record_is_resumed_to_the_same_end(
    paper: PaperFleet, tmp_path: Path, records: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd(paper, 2)
    written = 0
    real = Journal.write

    def write(self: Journal, record: JournalRecord) -> None:
        nonlocal written
        written += 1
        if written > records:
            raise Killed
        real(self, record)

    monkeypatch.setattr(Journal, "write", write)
    with pytest.raises(Killed):
        upgraded(paper, tmp_path, order=Order())
    monkeypatch.setattr(Journal, "write", real)
    before = list(paper.acted)

    result = resumed(paper, tmp_path, "last")

    assert set(outcomes(result).values()) == {HostOutcome.DONE}, shown(result)
    assert [host.after["driver"] for host in result.hosts] == ["23.0.3", "23.0.3"]
    installs = [at for at in paper.acted if at[1] in {"driver-install", "firmware-install"}]
    assert len(installs) == len(set(installs)) == 4, before
    assert installs.count(("a1-01", "driver-install")) == 1


class Killed(BaseException):
    """The controller's death, for a test: nothing may catch it."""


def shown(result: RunResult) -> list[tuple[str, str, str]]:
    return [(host.host, host.step, host.reason) for host in result.hosts]


def resumed(paper: PaperFleet, tmp_path: Path, name: str) -> RunResult:
    run = RunStore(tmp_path).resume(name)
    try:
        return upgrade.apply(
            run.plan(),
            Inventory(sources=(), hosts=tuple(paper.plans)),
            PackageStore(directory=tmp_path, packages=STORE),
            run=run,
            order=run.order(),
        )
    finally:
        run.close()


def test_a_second_process_cannot_go_on_with_a_run_that_is_alive(tmp_path: Path) -> None:
    run = RunStore(tmp_path).new("upgrade")

    with pytest.raises(LeasedElsewhere, match="another process"):
        RunStore(tmp_path).resume(run.id)


def test_a_wave_that_does_not_stand_its_bake_time_stops_the_next(paper: PaperFleet, tmp_path: Path) -> None:
    crowd(paper, 2)
    real = paper.gather

    def gather(inventory: Inventory, **more: Any) -> Gathered:
        if "bake" in str(more["run_dir"]):
            sick = paper.facts["a1-01"].driver.model_copy(update={"running": None})
            return Gathered(facts={"a1-01": changed(paper.facts["a1-01"], driver=sick)}, unreachable={})
        return real(inventory, **more)

    gate.gather = gather  # the fixture puts the real one back

    result = upgraded(paper, tmp_path, order=Order(policy=Policy(bake=0.2)))

    assert (result.hosts[0].outcome, result.hosts[0].step) == (HostOutcome.FAILED, "bake")
    assert result.hosts[1].outcome is HostOutcome.NOT_STARTED


def test_a_paused_run_starts_nothing_until_it_continues(paper: PaperFleet, tmp_path: Path) -> None:
    crowd(paper, 2)
    told: list[str] = []
    real = paper.act

    def act(name: StepName, arguments: Mapping[str, Any], *args: Any) -> None:
        if name == "release" and "a1-01" in arguments:
            Control(RunStore(tmp_path).alive("last").directory).say(Wish.PAUSE)
        real(name, arguments, *args)

    def look(progress: Progress) -> None:
        told.append(progress.message)
        if "runs pause" in progress.message:
            assert {host for host, _ in paper.acted} == {"a1-01"}
            Control(RunStore(tmp_path).alive("last").directory).say(Wish.CONTINUE)

    loop.act = act  # the fixture puts the real one back
    plan = planner.make(paper.facts, parse("hdk23"), STORE, verb="upgrade", strategy=Strategy.CLEAN)
    paper.plans = {host.host: host for host in plan.hosts}
    run = RunStore(tmp_path).new("upgrade")
    paper.run = run.id

    result = upgrade.apply(
        plan,
        Inventory(sources=(), hosts=tuple(paper.facts)),
        PackageStore(directory=tmp_path, packages=STORE),
        run=run,
        on_progress=look,
    )

    assert set(outcomes(result).values()) == {HostOutcome.DONE}
    assert any("runs continue" in message for message in told)


# ---- the way back

BACK = Order(policy=Policy(canary=0, on_fail=OnFail.ROLLBACK))


def test_a_host_that_failed_is_taken_back_and_verified_at_the_old_level(paper: PaperFleet, tmp_path: Path) -> None:
    names = crowd(paper, 1)
    paper.broken_once["a1-01", "firmware-install"] = StepEnd(ending=Ending.FAILED, detail="no flash")

    host = upgraded(paper, tmp_path, order=BACK).hosts[0]

    assert (host.outcome, host.reason) == (HostOutcome.ROLLED_BACK, "firmware-install: no flash")
    assert (host.before["driver"], host.after["driver"]) == ("22.0.4", "22.0.4")
    assert paper.acted[-1] == (names[0], "release")
    assert (names[0], "profile-back") in paper.acted


def test_a_host_that_fails_on_its_way_back_is_quarantined_with_both_reasons_and_keeps_its_drain(
    paper: PaperFleet, tmp_path: Path
) -> None:
    crowd(paper, 1)
    paper.broken["a1-01", "firmware-install"] = StepEnd(ending=Ending.FAILED, detail="no flash")

    host = upgraded(paper, tmp_path, order=BACK).hosts[0]

    assert host.outcome is HostOutcome.QUARANTINED
    assert host.reason == "firmware-install: no flash; on the way back: no flash"
    assert "stays stopped" in host.next_action
    assert ("a1-01", "release") not in paper.acted


def test_without_the_policy_a_failed_host_is_left_and_the_command_that_takes_it_back_is_named(
    paper: PaperFleet, tmp_path: Path
) -> None:
    crowd(paper, 1)
    paper.broken["a1-01", "firmware-install"] = StepEnd(ending=Ending.FAILED, detail="no flash")

    result = upgraded(paper, tmp_path)

    assert result.hosts[0].outcome is HostOutcome.FAILED
    assert f"`ascend-provision rollback --run {result.run} --hosts a1-01`" in result.hosts[0].next_action


@pytest.mark.parametrize("records", range(22, 40, 3))
def test_a_controller_that_dies_on_the_way_back_is_resumed_on_the_way_back(
    paper: PaperFleet, tmp_path: Path, records: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd(paper, 1)
    paper.broken_once["a1-01", "firmware-install"] = StepEnd(ending=Ending.FAILED, detail="no flash")
    real = Journal.write
    written = 0

    def write(self: Journal, record: JournalRecord) -> None:
        nonlocal written
        written += 1
        if written > records:
            raise Killed
        real(self, record)

    monkeypatch.setattr(Journal, "write", write)
    with pytest.raises(Killed):
        upgraded(paper, tmp_path, order=BACK)
    monkeypatch.setattr(Journal, "write", real)

    host = resumed(paper, tmp_path, "last").hosts[0]

    assert host.outcome is HostOutcome.ROLLED_BACK, host.reason
    assert host.after["driver"] == "22.0.4"


def test_a_canary_that_was_taken_back_is_tried_again_before_any_other_host(paper: PaperFleet, tmp_path: Path) -> None:
    crowd(paper, 2)
    paper.broken_once["a1-01", "firmware-install"] = StepEnd(ending=Ending.FAILED, detail="no flash")
    halted = upgraded(paper, tmp_path, order=Order(policy=Policy(on_fail=OnFail.ROLLBACK)))
    assert outcomes(halted) == {"a1-01": HostOutcome.ROLLED_BACK, "a1-02": HostOutcome.NOT_STARTED}
    paper.acted.clear()
    paper.ways.clear()

    result = resumed(paper, tmp_path, halted.run)

    assert outcomes(result) == {"a1-01": HostOutcome.DONE, "a1-02": HostOutcome.DONE}
    hosts = [host for host, _ in paper.acted]
    assert hosts.index("a1-02") > max(at for at, host in enumerate(hosts) if host == "a1-01")


def test_a_resumed_run_has_the_waves_it_began_with(paper: PaperFleet, tmp_path: Path) -> None:
    crowd(paper, 3)
    paper.broken["a1-01", "stage"] = StepEnd(ending=Ending.FAILED, detail="no room")
    halted = upgraded(paper, tmp_path, order=Order(policy=Policy(canary=2)))
    assert outcomes(halted)["a1-02"] is HostOutcome.DONE
    paper.acted.clear()

    result = resumed(paper, tmp_path, halted.run)

    assert outcomes(result)["a1-03"] is HostOutcome.NOT_STARTED, "the place of a done canary went to another host"
    assert "a1-03" not in {host for host, _ in paper.acted}
