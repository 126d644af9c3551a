"""The executor on hosts of paper: the real loop, journal and decisions; only Ansible and the hosts are played."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ascend_provision.bundle.store import PackageStore
from ascend_provision.fleet import lease, loop, upgrade
from ascend_provision.fleet.endings import StepEnd
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.fleet.runs import RunStore
from ascend_provision.knowledge.wishes import parse
from ascend_provision.planner import plan as planner
from ascend_provision.stack.facts import BootFacts, HostRecord
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.plan import Ending, StepName, Strategy
from ascend_provision.stack.runs import HostOutcome, RunResult
from tests.unit.factories import a1_host, changed, with_firmware
from tests.unit.fleet.paper import AT_ONCE, SMOKE, PaperFleet, clean, outcomes, paper_fleet, upgraded
from tests.unit.planner.store import STORE

__all__ = ["paper_fleet"]


def test_both_hosts_reach_the_target_and_give_their_lease_back(paper: PaperFleet, tmp_path: Path) -> None:
    result = upgraded(paper, tmp_path)

    assert outcomes(result) == {"a1-01": HostOutcome.DONE, "a1-02": HostOutcome.DONE}
    assert [host.after["driver"] for host in result.hosts] == ["23.0.3", "23.0.3"]
    assert [host.reboots for host in result.hosts] == [2, 2]
    assert result.hosts[0].smoke.startswith("pass: 8 cards")


def test_a_host_that_fails_stops_alone_and_is_named_with_step_and_reason(paper: PaperFleet, tmp_path: Path) -> None:
    said = "Dkms install failed, details in : var/log/ascend_seclog/ascend_install.log"
    paper.broken["a1-01", "driver-install"] = StepEnd(ending=Ending.FAILED, detail=said)

    result = upgraded(paper, tmp_path)

    bad, good = result.hosts
    assert (bad.outcome, bad.step, bad.reason) == (HostOutcome.FAILED, "driver-install", said)
    assert "a1-01" in bad.next_action
    assert good.outcome is HostOutcome.DONE
    assert ("a1-01", "release") not in paper.acted
    assert "a1-01" in paper.released


def test_a_driver_that_is_not_the_running_one_after_the_reboot_is_a_failure(paper: PaperFleet, tmp_path: Path) -> None:
    upgraded(paper, tmp_path)
    old = paper.facts["a1-02"].driver.model_copy(update={"running": a1_host().driver.running})
    fresh = PaperFleet({"a1-02": clean("a1-02")})
    fresh.warped["a1-02", "reboot-final"] = changed(
        paper.facts["a1-02"], driver=old, boot=BootFacts(boot_id="new", booted_at=2e9)
    )
    paper.__dict__.update(fresh.__dict__)

    host = upgraded(paper, tmp_path).hosts[0]

    assert (host.outcome, host.step) == (HostOutcome.FAILED, "reboot-final")
    assert "the loaded driver is 22.0.4, wanted 23.0.3" in host.reason


def test_firmware_that_still_waits_after_the_reboot_needs_a_cold_start_and_is_no_pass(
    paper: PaperFleet, tmp_path: Path
) -> None:
    upgraded(paper, tmp_path)
    fresh = PaperFleet({"a1-01": clean("a1-01")})
    waiting = with_firmware(paper.facts["a1-01"], pending=True)
    fresh.warped["a1-01", "reboot-final"] = changed(waiting, boot=BootFacts(boot_id="new", booted_at=2e9))
    paper.__dict__.update(fresh.__dict__)

    host = upgraded(paper, tmp_path).hosts[0]

    assert (host.outcome, host.step) == (HostOutcome.FAILED, "reboot-final")
    assert "cold start" in host.reason
    assert "power" in host.next_action
    assert host.steps[-1].ending is Ending.COLD_START_NEEDED


def test_a_host_whose_facts_moved_since_the_plan_is_refused(paper: PaperFleet, tmp_path: Path) -> None:
    plan = planner.make(paper.facts, parse("hdk23"), STORE, verb="upgrade", strategy=Strategy.CLEAN)
    paper.plans = {host.host: host for host in plan.hosts}
    paper.facts["a1-01"] = changed(paper.facts["a1-01"], mpi=None)
    run = RunStore(tmp_path).new("upgrade")
    paper.run = run.id

    result = upgrade.apply(
        plan,
        Inventory(sources=(), hosts=("a1-01", "a1-02")),
        PackageStore(directory=tmp_path, packages=STORE),
        run=run,
        order=AT_ONCE,
    )

    assert outcomes(result) == {"a1-01": HostOutcome.REFUSED, "a1-02": HostOutcome.DONE}
    assert not [step for host, step in paper.acted if host == "a1-01"]


def test_a_host_leased_by_another_run_is_left_alone(paper: PaperFleet, tmp_path: Path) -> None:
    paper.leased["a1-01"] = lease.Taken(problem="leased by run x (bob@ops2)", elsewhere=True)

    result = upgraded(paper, tmp_path)

    assert outcomes(result) == {"a1-01": HostOutcome.LEASED, "a1-02": HostOutcome.DONE}
    assert "bob@ops2" in result.hosts[0].reason


def test_wrong_data_on_one_rank_fails_the_host_and_keeps_its_drain(paper: PaperFleet, tmp_path: Path) -> None:
    paper.smoke = SMOKE + "rank id 3, check result failed, 0\n"

    host = upgraded(paper, tmp_path).hosts[0]

    assert (host.outcome, host.step) == (HostOutcome.FAILED, "hccl-smoke")
    assert "3" in host.reason
    assert ("a1-01", "release") not in paper.acted


def test_a_host_without_mpi_is_done_but_unproven(paper: PaperFleet, tmp_path: Path) -> None:
    paper.facts = {"a1-01": changed(clean("a1-01"), mpi=None)}

    host = upgraded(paper, tmp_path).hosts[0]

    assert host.outcome is HostOutcome.UNPROVEN
    assert host.smoke.startswith("unknown")
    assert ("a1-01", "hccl-smoke") not in paper.acted
    assert ("a1-01", "release") in paper.acted


def test_an_environment_that_does_not_match_any_more_is_said_at_the_end(paper: PaperFleet, tmp_path: Path) -> None:
    paper.facts = {"a1-01": a1_host("a1-01")}

    host = upgraded(paper, tmp_path).hosts[0]

    assert host.outcome is HostOutcome.MISMATCH
    assert "/opt/train: torch_npu 1.8.1" in host.reason


def test_a_second_run_finds_nothing_to_do_and_runs_no_step(paper: PaperFleet, tmp_path: Path) -> None:
    upgraded(paper, tmp_path)
    paper.acted.clear()

    result = upgraded(paper, tmp_path)

    assert set(outcomes(result).values()) == {HostOutcome.NOTHING}
    assert paper.acted == []


def test_a_stop_before_anything_began_starts_nothing(paper: PaperFleet, tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()

    result = upgraded_without_checks(paper, tmp_path, stop)

    assert set(outcomes(result).values()) == {HostOutcome.NOT_STARTED}
    assert result.interrupted
    assert paper.acted == []


def upgraded_without_checks(paper: PaperFleet, tmp_path: Path, stop: threading.Event) -> RunResult:
    plan = planner.make(paper.facts, parse("hdk23"), STORE, verb="upgrade", strategy=Strategy.CLEAN)
    store = PackageStore(directory=tmp_path, packages=STORE)
    inventory = Inventory(sources=(), hosts=tuple(paper.facts))
    return upgrade.apply(plan, inventory, store, run=RunStore(tmp_path).new("upgrade"), order=AT_ONCE, stop=stop)


def test_lost_contact_asks_for_the_same_step_again_and_then_gives_up_by_name(paper: PaperFleet, tmp_path: Path) -> None:
    paper.broken["a1-01", "cann-install"] = StepEnd(ending=None, detail="ssh: connect: timed out")

    result = upgraded(paper, tmp_path)

    assert paper.acted.count(("a1-01", "cann-install")) == 3
    assert result.hosts[0].outcome is HostOutcome.UNREACHABLE
    assert "BMC" in result.hosts[0].next_action
    assert result.hosts[1].outcome is HostOutcome.DONE


def test_a_bug_in_one_run_is_reported_for_its_hosts_and_not_lost(paper: PaperFleet, tmp_path: Path) -> None:
    real = paper.act

    def act(name: StepName, arguments: Mapping[str, Any], *args: Any) -> None:
        if name == "backup":
            raise RuntimeError("planted")
        real(name, arguments, *args)

    loop.act = act  # the fixture puts the real one back

    result = upgraded(paper, tmp_path)

    assert set(outcomes(result).values()) == {HostOutcome.FAILED}
    assert "RuntimeError: planted" in result.hosts[0].reason


def test_a_host_whose_facts_came_back_unknown_is_read_again_and_goes_on(paper: PaperFleet, tmp_path: Path) -> None:
    healthy = clean("a1-01")
    paper.facts = {"a1-01": healthy}
    staged = HostRecord(staged=tuple(package.sha256 for package in STORE), backups=())
    paper.warped["a1-01", "stage"] = changed(healthy, record=Unknown(unknown="cut"))
    paper.mended["a1-01"] = changed(healthy, record=staged)

    result = upgraded(paper, tmp_path)

    assert outcomes(result) == {"a1-01": HostOutcome.DONE}
    assert paper.acted.count(("a1-01", "read")) == 1


def test_facts_that_stay_unknown_end_the_host_with_what_could_not_be_read(paper: PaperFleet, tmp_path: Path) -> None:
    paper.facts = {"a1-01": clean("a1-01")}
    paper.warped["a1-01", "stage"] = changed(clean("a1-01"), holders=Unknown(unknown="fuser hung"))

    host = upgraded(paper, tmp_path).hosts[0]

    assert host.outcome is HostOutcome.FAILED
    assert "holders of the cards could not be read: fuser hung" in host.reason
    assert paper.acted.count(("a1-01", "read")) == 3


def test_a_straggler_does_not_hold_up_the_others(paper: PaperFleet, tmp_path: Path) -> None:
    slow, free = threading.Event(), threading.Event()
    real = paper.act

    def act(name: StepName, arguments: Mapping[str, Any], *args: Any) -> None:
        late = [host for host in arguments if host == "a1-01" and name == "reboot-after-uninstall"]
        real(name, {host: own for host, own in arguments.items() if host not in late}, *args)
        if late:
            slow.set()
            assert free.wait(60), "the other host never came to its release"
            real(name, {host: arguments[host] for host in late}, *args)
        if name == "release" and slow.is_set():
            free.set()

    loop.act = act  # the fixture puts the real one back

    result = upgraded(paper, tmp_path)

    assert outcomes(result) == {"a1-01": HostOutcome.DONE, "a1-02": HostOutcome.DONE}
    assert paper.acted.index(("a1-02", "release")) < paper.acted.index(("a1-01", "reboot-after-uninstall"))
