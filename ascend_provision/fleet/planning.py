"""Gathered facts + wish + package store -> plan. The bridge between what was read and what is decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ascend_provision.bundle.store import PackageStore
from ascend_provision.fleet.gather import Gathered
from ascend_provision.knowledge import wishes
from ascend_provision.knowledge.matrix import Matrix
from ascend_provision.planner import plan as planner
from ascend_provision.planner.steps import REBOOT_LIMIT
from ascend_provision.stack.plan import HostPlan, Plan, Strategy


def make_plan_back(
    gathered: Gathered, done: Mapping[str, HostPlan], packages: PackageStore, *, run: str, reboot_limit: int
) -> Plan:
    """The plan back to the stacks of before `run`, whose plans of these hosts were `done`."""
    hosts = tuple(
        planner.plan_back(done[host], facts, packages.packages, run=run, reboot_limit=reboot_limit)
        for host, facts in sorted(gathered.facts.items())
    )
    return planner.of_hosts("rollback", f"the stack before {run}", hosts)


def make_plan(
    gathered: Gathered,
    wish: str,
    packages: PackageStore,
    *,
    verb: Literal["upgrade", "bootstrap", "rollback"] = "upgrade",
    strategy: Strategy = Strategy.CLEAN,
    reboot_limit: int = REBOOT_LIMIT,
    matrix: Matrix | None = None,
) -> Plan:
    """The plan of every host that answered; raises `UsageError` when the wish cannot be read."""
    return planner.make(
        gathered.facts,
        wishes.parse(wish),
        packages.packages,
        verb=verb,
        strategy=strategy,
        reboot_limit=reboot_limit,
        matrix=matrix,
    )
