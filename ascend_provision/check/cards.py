"""Who keeps a card without working on it, and who shares one: zombies, several owners, virtual NPUs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ascend_provision.check import finding
from ascend_provision.check.reading import no_driver, no_process_table, several
from ascend_provision.knowledge import services
from ascend_provision.stack.facts import Holder, HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.machine import Process
from ascend_provision.stack.model import Unknown

_VIRTUAL = "/dev/vdavinci"


def judge(facts: HostFacts) -> Iterator[Finding]:
    """What makes a card busy or full although no job of the host can be seen on it."""
    if no_driver(facts):
        for key in ("cards.zombies", "cards.shared", "cards.virtual"):
            yield finding.skip(key, facts.host, "no driver is installed")
        return
    yield _zombies(facts)
    yield _shared(facts)
    yield _virtual(facts)


def _zombies(facts: HostFacts) -> Finding:
    """Only zombies that npu-smi names: every machine has others now and then, and they hold nothing."""
    key, host = "cards.zombies", facts.host
    if isinstance(facts.card_processes, Unknown) and no_process_table(facts):
        return finding.skip(key, host, f"npu-smi of HDK {facts.driver.running} prints no table of processes")
    if isinstance(facts.card_processes, Unknown):
        return finding.unknown(key, host, facts.card_processes)
    if isinstance(facts.processes, Unknown):
        return finding.unknown(key, host, facts.processes)
    named = {process.pid for process in facts.card_processes}
    dead = [process for process in facts.processes if process.state == "Z" and process.pid in named]
    if dead:
        return finding.warn(
            key, host, several([buried(one) for one in dead], 4, "; "), expected="living processes only"
        )
    return finding.ok(key, host, f"{len(named)} processes on the cards, none of them a zombie")


def buried(process: Process) -> str:
    """`pid 632268 VLLM EngineCore, child of 632100 vllm in container fae80a4b`."""
    box = f" in container {process.container[:12]}" if process.container else ""
    return f"pid {process.pid} {process.name}, child of {process.ppid} {process.parent}{box}"


def _shared(facts: HostFacts) -> Finding:
    key, host = "cards.shared", facts.host
    if isinstance(facts.holders, Unknown):
        return finding.unknown(key, host, facts.holders)
    owners: dict[str, set[str]] = defaultdict(set)
    for card, holder in _seats(facts, facts.holders):
        owners[card].add(_owner(holder))
    twice = [f"{card}: {' and '.join(sorted(names))}" for card, names in sorted(owners.items()) if len(names) > 1]
    if twice:
        return finding.warn(key, host, several(twice, 4, "; "), expected="one owner a card")
    return finding.ok(key, host, f"{len(owners)} cards in use, each by one owner")


def _seats(facts: HostFacts, holders: tuple[Holder, ...]) -> Iterator[tuple[str, Holder]]:
    """(card, holder): by npu-smi's table where it has one, since a container may know a card by another number."""
    working = [holder for holder in holders if not _watches(holder)]
    if isinstance(facts.card_processes, Unknown) or not facts.card_processes:
        for holder in working:
            for device in holder.devices:
                if device.removeprefix("/dev/davinci").isdigit():
                    yield device.removeprefix("/dev/"), holder
        return
    by_pid = {holder.pid: holder for holder in working}
    for process in facts.card_processes:
        if process.pid in by_pid:
            yield f"NPU {process.npu_id} chip {process.chip_id}", by_pid[process.pid]


def _watches(holder: Holder) -> bool:
    """A monitor or device plugin, as a unit of the host or by its program's name in a container."""
    program = holder.command.partition(" ")[0].rpartition("/")[2]
    return any(services.find(name) for name in (holder.unit, program, f"ascend-{program}") if name)


def _owner(holder: Holder) -> str:
    """What is stopped as one: a container, a unit or a user's session."""
    if holder.container:
        return f"container {holder.container[:12]}"
    return holder.unit or f"pid {holder.pid} of {holder.user or holder.uid}"


def _virtual(facts: HostFacts) -> Finding:
    key, host, nodes = "cards.virtual", facts.host, facts.device_nodes
    if isinstance(nodes, Unknown):
        return finding.unknown(key, host, nodes)
    numbers = [node.path.removeprefix(_VIRTUAL) for node in nodes if node.path.startswith(_VIRTUAL)]
    if numbers:
        return finding.warn(key, host, f"virtual NPUs {several(numbers, 8)}", expected="none while a driver is changed")
    return finding.ok(key, host, "no virtual NPU")
