"""`check` and `plan` of facts that were read before, at 10 to 1,000 hosts: `python -m tests.bench.saved_facts`."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

from ascend_provision.knowledge.wishes import parse
from ascend_provision.planner import plan
from ascend_provision.report import check as check_text
from ascend_provision.report import json, model
from ascend_provision.report import plan as plan_text
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.plan import Strategy
from tests.unit.factories import a1_host, changed, environment, nic
from tests.unit.planner.store import STORE

SIZES = (10, 50, 200, 1000)
WISHES = (
    "torch_npu=2.4.0.post2",
    "hdk=23.0.3",
    "expandable_segments",
    "vllm-ascend=0.9.1",
    "mindspore=2.7.1",
    "vllm-ascend=0.9.1,expandable_segments",
    "mindspore=2.7.1,cann=8.2.RC1",
)
"""Versions, features, two at once, and one that cannot be had."""
LEVELS = ("hdk22", "hdk23", "hdk24")


def host(number: int) -> HostFacts:
    """One of many: an address of its own on each NPU."""
    block = f"10.{number // 200}.{{}}.{number % 200 + 1}"
    made = a1_host(f"a1-{number:04}")
    return changed(
        made,
        hostname=made.host,
        network=tuple(nic(device, block.format(device)) for device in range(8)),
    )


def fleet(size: int) -> dict[str, HostFacts]:
    return {one.host: one for one in map(host, range(size))}


def checked(facts: dict[str, HostFacts]) -> None:
    report = model.check(facts, {})
    check_text.render(report)
    json.render(report)


def checked_in_chinese(facts: dict[str, HostFacts]) -> None:
    check_text.render(model.check(facts, {}, language="zh"))


def planned(facts: dict[str, HostFacts]) -> None:
    made = plan.make(facts, parse("hdk23"), STORE, verb="upgrade", strategy=Strategy.CLEAN)
    json.render(made)
    plan_text.render(made)


WORK: dict[str, Callable[[dict[str, HostFacts]], None]] = {
    "check, as text and as JSON": checked,
    "check, as text in Chinese": checked_in_chinese,
    "plan, as text and as JSON": planned,
}


def solved(wish: str, hosts: int = 50) -> list[float]:
    """CPU seconds of the planner with its solver, host by host; each host has an environment of its own."""
    seconds = []
    for number in range(hosts):
        one = environment(f"/opt/env-{number}", torch="2.1.0", torch_npu="2.1.0.post10")
        facts = changed(a1_host(f"a1-{number:04}", LEVELS[number % len(LEVELS)]), environments=(one,))
        began = time.process_time()
        plan.plan_host(facts, parse(wish), STORE, verb="upgrade", strategy=Strategy.CLEAN)
        seconds.append(time.process_time() - began)
    return seconds


def tell() -> None:
    """CPU seconds of this process, by number of hosts."""
    sys.stdout.write(
        f"\n| from saved facts | {' | '.join(f'{size} hosts, CPU s' for size in SIZES)} | ms/host at {SIZES[-1]} |\n"
    )
    sys.stdout.write("|---" * (len(SIZES) + 2) + "|\n")
    for name, work in WORK.items():
        work(fleet(2))
        seconds = []
        for size in SIZES:
            facts = fleet(size)
            began = time.process_time()
            work(facts)
            seconds.append(time.process_time() - began)
        cells = " | ".join(f"{value:.2f}" for value in seconds)
        sys.stdout.write(f"| {name} | {cells} | {seconds[-1] / SIZES[-1] * 1000:.1f} |\n")
        sys.stdout.flush()
    for wish in WISHES:
        spent = solved(wish)
        told = (
            f"median {statistics.median(spent) * 1000:.0f} ms, the first, which loads the matrix, {spent[0] * 1000:.0f}"
        )
        sys.stdout.write(f"solver, `--to {wish}`, CPU per host: {told}, then at most {max(spent[1:]) * 1000:.0f} ms\n")


if __name__ == "__main__":
    tell()
