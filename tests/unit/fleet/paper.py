"""Hosts of paper for the executor: the real loop, journal and decisions; only Ansible and the hosts are played."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ascend_provision.bundle.store import PackageStore
from ascend_provision.fleet import gate, lease, loop, upgrade
from ascend_provision.fleet.act import StepDone
from ascend_provision.fleet.endings import StepEnd
from ascend_provision.fleet.gather import Gathered
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.fleet.journal import read
from ascend_provision.fleet.progress import Progress
from ascend_provision.fleet.runs import Order, RunStore
from ascend_provision.knowledge.wishes import parse
from ascend_provision.planner import plan as planner
from ascend_provision.planner.waves import Growth, Policy, Share
from ascend_provision.stack.facts import BootFacts, HostFacts, HostRecord
from ascend_provision.stack.plan import Ending, HostPlan, StepName, Strategy
from ascend_provision.stack.runs import HostOutcome, RunResult
from tests.unit.factories import a1_host, changed, environment
from tests.unit.planner.store import STORE
from tests.unit.planner.walk import after

SMOKE = "the minbytes is 8192, maxbytes is 1048576, iters is 20, warmup_iters is 5\n" + "".join(
    f"{8192 * 2**power:<17} | {45.09 * 2**power:<14.2f} | 0.18168              | success\n" for power in range(8)
)


class PaperFleet:
    """Hosts that follow their plan; `broken` makes a step of a host end otherwise."""

    def __init__(self, facts: Mapping[str, HostFacts]) -> None:
        self.facts = dict(facts)
        self.plans: dict[str, HostPlan] = {}
        self.broken: dict[tuple[str, StepName], StepEnd] = {}
        self.broken_once: dict[tuple[str, StepName], StepEnd] = {}
        self.ways: dict[str, HostPlan] = {}
        self.warped: dict[tuple[str, StepName], HostFacts | None] = {}
        self.acted: list[tuple[str, StepName]] = []
        self.leased: dict[str, lease.Taken] = {}
        self.released: list[str] = []
        self.smoke = SMOKE
        self.mended: dict[str, HostFacts] = {}

    def take(self, hosts: Any, *_args: Any, **_more: Any) -> dict[str, lease.Taken]:
        return {host: self.leased.get(host, lease.Taken(token=1)) for host in hosts}

    def release(self, tokens: dict[str, int], *_args: Any) -> None:
        self.released += tokens

    def gather(self, inventory: Inventory, **_more: Any) -> Gathered:
        return Gathered(facts={host: self.facts[host] for host in inventory.hosts}, unreachable={})

    def act(self, name: StepName, arguments: Mapping[str, Any], *args: Any) -> None:
        report = args[-1]
        for host in arguments:
            report(self._one(host, name))

    def _one(self, host: str, name: StepName) -> StepDone:
        self.acted.append((host, name))
        if (host, name) in self.broken:
            return StepDone(host=host, end=self.broken[host, name], facts=self.facts[host], tasks=2)
        if name == "read":
            self.facts[host] = self.mended.get(host, self.facts[host])
            return StepDone(host=host, end=StepEnd(ending=Ending.DONE), facts=self.facts[host], tasks=1)
        if (host, name) in self.broken_once:
            return StepDone(host=host, end=self.broken_once.pop((host, name)), facts=self.facts[host], tasks=2)
        plan = self.ways.get(host, self.plans[host])
        step = next(step for step in plan.steps if step.name == name)
        facts, ending = after(step, plan, self.facts[host], "?")
        if name == "backup":
            record = facts.record.model_copy(update={"backups": (self.run,)})
            facts = changed(facts, record=record)
        own = facts.record if isinstance(facts.record, HostRecord) else HostRecord()
        facts = changed(facts, record=own.model_copy(update={"step": name, "step_state": "done"}))
        if name.startswith("reboot"):
            facts = changed(facts, boot=BootFacts(boot_id=f"{name}-{host}-{len(self.acted)}", booted_at=2e9, now=2e9))
        warped = self.warped.get((host, name), facts)
        self.facts[host] = warped or facts
        log = self.smoke if name == "hccl-smoke" else ""
        return StepDone(host=host, end=StepEnd(ending=ending, log=log, acted=1.0), facts=warped, tasks=2)

    run = ""


@pytest.fixture(name="paper")
def paper_fleet(monkeypatch: pytest.MonkeyPatch) -> PaperFleet:
    fleet = PaperFleet({name: clean(name) for name in ("a1-01", "a1-02")})
    patched(fleet, monkeypatch)
    return fleet


def patched(fleet: PaperFleet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the fleet where the executor would reach hosts."""
    monkeypatch.setattr(loop, "SETTLE_SECONDS", 0.01)
    monkeypatch.setattr(loop, "act", fleet.act)
    monkeypatch.setattr(gate, "gather", fleet.gather)
    monkeypatch.setattr(lease, "take", fleet.take)
    monkeypatch.setattr(lease, "release", fleet.release)
    real = planner.plan_back

    def plan_back(done: HostPlan, facts: HostFacts, *args: Any, **more: Any) -> HostPlan:
        fleet.ways[facts.host] = real(done, facts, *args, **more)
        return fleet.ways[facts.host]

    monkeypatch.setattr(planner, "plan_back", plan_back)


def clean(name: str) -> HostFacts:
    """A host whose Python environments match the target too."""
    return a1_host(name, environments=(environment("/opt/train", torch="2.1.0", torch_npu="2.1.0"),))


AT_ONCE = Order(
    policy=Policy(canary=0, growth=Growth.FIXED, ceiling=Share(number=100, percent=True), max_fail=99),
)
"""All hosts in one wave, whatever happens: for tests of what one host does."""


def upgraded(
    paper: PaperFleet,
    tmp_path: Path,
    stop: threading.Event | None = None,
    wish: str = "hdk23",
    order: Order = AT_ONCE,
    checked: bool = True,
) -> RunResult:
    """An upgrade of the whole fleet to its end; `checked`: its journal tells every step's start and end."""
    plan = planner.make(paper.facts, parse(wish), STORE, verb="upgrade", strategy=Strategy.CLEAN)
    paper.plans = {host.host: host for host in plan.hosts}
    run = RunStore(tmp_path).new("upgrade")
    paper.run = run.id
    told: list[Progress] = []
    try:
        result = upgrade.apply(
            plan,
            Inventory(sources=(), hosts=tuple(paper.facts)),
            PackageStore(directory=tmp_path, packages=STORE),
            run=run,
            order=order,
            on_progress=told.append,
            stop=stop,
            unreachable={"dark": "timed out"} if "dark" in paper.leased else None,
        )
    finally:
        run.close()  # as the end of the process would
    if not checked:
        return result
    records = list(read(run.journal))
    started = [(record.host, record.step) for record in records if record.event == "step-started"]
    ended = [(record.host, record.step) for record in records if record.event == "step-ended"]
    assert sorted(started) == sorted(ended)
    assert {record.host for record in records if record.event == "host-ended"} == {host.host for host in result.hosts}
    assert {progress.host for progress in told if progress.state == "host-ended"} >= set(paper.facts)
    return result


def outcomes(result: RunResult) -> dict[str, HostOutcome]:
    return {host.host: host.outcome for host in result.hosts}
