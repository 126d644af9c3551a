"""Who has the cards: processes, ghosts that only npu-smi sees, and services that a finished run still holds back."""

from __future__ import annotations

from collections.abc import Iterator

from ascend_provision.check import finding
from ascend_provision.check.reading import no_driver, no_process_table, several
from ascend_provision.knowledge import services
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown


def judge(facts: HostFacts) -> Iterator[Finding]:
    """The holders by name, and what does not add up about them."""
    yield _processes(facts)
    yield _unexplained(facts)
    yield from _held_back(facts)


def _processes(facts: HostFacts) -> Finding:
    """A host at work is a good host: what does not add up about holders is other findings'."""
    key, host = "holders.processes", facts.host
    if isinstance(facts.holders, Unknown):
        return finding.unknown(key, host, facts.holders)
    if not facts.holders:
        return finding.ok(key, host, "no process has a card open")
    return finding.ok(key, host, several([services.describe(holder) for holder in facts.holders], 4, "; "))


def _unexplained(facts: HostFacts) -> Finding:
    key, host = "holders.unexplained", facts.host
    if no_driver(facts):
        return finding.skip(key, host, "no driver is installed to ask the cards")
    if isinstance(facts.card_processes, Unknown) and no_process_table(facts):
        return finding.skip(key, host, f"npu-smi of HDK {facts.driver.running} prints no table of processes")
    if isinstance(facts.card_processes, Unknown):
        return finding.unknown(key, host, facts.card_processes)
    if not facts.card_processes:
        return finding.ok(key, host, "npu-smi names no process")
    if isinstance(facts.holders, Unknown):
        return finding.unknown(key, host, facts.holders)
    pids = {holder.pid for holder in facts.holders}
    ghosts = [item for item in facts.card_processes if item.pid not in pids]
    if not ghosts:
        return finding.ok(key, host, f"{len(facts.card_processes)} processes, all seen on the host")
    seen = [f"pid {item.pid} {item.name or '(no name)'} on NPU {item.npu_id}, {item.memory_mb} MB" for item in ghosts]
    return finding.warn(key, host, several(seen, 4, "; "), expected="the same pids in the host's process list")


def _held_back(facts: HostFacts) -> Iterator[Finding]:
    key, host, record = "holders.held-back", facts.host, facts.record
    if isinstance(record, Unknown):
        return
    held = [*record.held_units, *(f"container {name}" for name in record.held_containers)] if record.holding else []
    if not isinstance(facts.services, Unknown):
        held += [item.unit for item in facts.services if item.held]
    if not isinstance(facts.containers, Unknown):
        held += [f"container {item.name}" for item in facts.containers if item.held]
    names = several(list(dict.fromkeys(held)))
    if not names:
        return
    expires, now = record.lease_expires_at, facts.boot.now
    if expires is not None and isinstance(now, Unknown):
        yield finding.unknown(key, host, now)
    elif expires is not None and not isinstance(now, Unknown) and expires > now:
        yield finding.skip(key, host, f"run {record.lease_run} is at work and holds {names}")
    else:
        yield finding.fail(key, host, names, expected="started again after the run")
