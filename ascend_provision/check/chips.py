"""Are all chips there, healthy, of one kind, and free when nobody works on them?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ascend_provision.check import access, finding
from ascend_provision.check.cards import buried
from ascend_provision.check.reading import no_driver, no_process_table, product, several
from ascend_provision.knowledge import dcmi_codes, idle_hbm, products
from ascend_provision.stack.facts import CardProcess, Chip, HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown


def judge(facts: HostFacts) -> Iterator[Finding]:
    """The chip rules, a sick chip before everything else; what npu-smi cannot tell without a driver is skipped."""
    if no_driver(facts):
        yield finding.skip("chips.access", facts.host, "no driver is installed")
        yield _product(facts)
        return
    dark = _unreadable(facts)
    if dark is not None or isinstance(facts.chips, Unknown):
        yield _access(facts)
        why = dark if dark is not None else "npu-smi lists no chip"
        yield (
            _health(facts.host, facts.chips_seen) if _sick(facts) else finding.unknown("chips.health", facts.host, why)
        )
        yield finding.unknown("chips.count", facts.host, why)
        yield _product(facts)
        return
    yield _health(facts.host, facts.chips)
    yield _access(facts)
    yield _product(facts)
    yield _count(facts, facts.chips)
    yield _name(facts, facts.chips)
    yield _idle_memory(facts, facts.chips)


def _unreadable(facts: HostFacts) -> Unknown | None:
    """Why nothing can be said about chips. An empty table counts only on a host that is known to have a driver."""
    if isinstance(facts.chips, Unknown):
        return facts.chips
    return facts.driver.file if not facts.chips and isinstance(facts.driver.file, Unknown) else None


def _sick(facts: HostFacts) -> bool:
    """A table that is not whole proves nobody's health, but an alarm in it is one."""
    return any(chip.health.upper() not in {"OK", "UNKNOWN"} for chip in facts.chips_seen)


def _product(facts: HostFacts) -> Finding:
    key, host = "chips.product", facts.host
    if isinstance(facts.pci, Unknown):
        return finding.unknown(key, host, facts.pci)
    found, count = products.identify(facts.pci), products.chip_count(facts.pci)
    if found is None:
        ids = sorted({function.device for function in facts.pci})
        seen = f"PCI devices of vendor 19e5: {', '.join(ids)}" if ids else "no PCI device of vendor 19e5"
        return finding.unknown(key, host, f"no known NPU product: {seen}")
    sold = ", ".join(map(str, found.chips))
    if count not in found.chips:
        return finding.warn(key, host, f"{count} chips on the PCI bus", expected=f"{sold} ({found.title})")
    return finding.ok(key, host, f"{count} chips: {found.title}", expected=sold)


def _access(facts: HostFacts) -> Finding:
    key, host = "chips.access", facts.host
    if not isinstance(facts.chips, Unknown):
        if not facts.chips:
            return finding.unknown(key, host, "npu-smi lists no chip")
        return finding.ok(key, host, f"{len(facts.chips)} chips answer")
    code = dcmi_codes.find(facts.chips.unknown)
    if code is None:
        return finding.unknown(key, host, facts.chips)
    observed = f"{code.said}: {facts.chips.unknown}"
    if inside := access.container(facts):
        return finding.unknown(
            "chips.access", host, f"inside a container ({inside}), which says nothing of the driver: {observed}"
        )
    first = access.reasons(facts)
    evidence = f"look first at {', then '.join(first)}" if first else f"usually {code.usually}"
    return finding.fail(key, host, observed, expected="npu-smi lists the chips", evidence=evidence)


def _health(host: str, chips: tuple[Chip, ...]) -> Finding:
    bad = [f"NPU {chip.npu_id} chip {chip.chip_id} ({chip.bus}) {chip.health}" for chip in chips if chip.health != "OK"]
    if not chips:
        return finding.unknown("chips.health", host, "npu-smi lists no chip")
    if any(chip.health.upper() != "UNKNOWN" for chip in chips if chip.health != "OK"):
        return finding.fail("chips.health", host, several(bad), expected=f"OK on {len(chips)} chips")
    if bad:
        return finding.unknown("chips.health", host, several(bad), expected=f"OK on {len(chips)} chips")
    return finding.ok("chips.health", host, f"OK on {len(chips)} chips")


def _count(facts: HostFacts, chips: tuple[Chip, ...]) -> Finding:
    """Each PCI function shows its chip, or as many as its card is known to have at one function."""
    key, host = "chips.count", facts.host
    if isinstance(facts.pci, Unknown):
        return finding.unknown(key, host, facts.pci)
    functions, due = products.npus(facts.pci), products.chip_count(facts.pci)
    if len(chips) >= due:
        return finding.ok(key, host, f"{len(chips)} chips for {len(functions)} PCI functions")
    seen = Counter(_bus(chip.bus) for chip in chips)
    lost = [function.bus for function in functions if seen[_bus(function.bus)] < products.chips_at(function)]
    evidence = f"on the bus without a chip: {several(lost)}" if lost else ""
    return finding.fail(key, host, f"{len(chips)} chips", expected=f"{due} (lspci)", evidence=evidence)


def _bus(text: str) -> str:
    """`0000:61:00.0` and `61:00.0` are the same place."""
    return text.lower().split(":", 1)[1] if text.count(":") > 1 else text.lower()


def _name(facts: HostFacts, chips: tuple[Chip, ...]) -> Finding:
    key, host, found = "chips.name", facts.host, product(facts)
    names = sorted({chip.name for chip in chips})
    if found is None or not names or isinstance(facts.pci, Unknown):
        return finding.skip(key, host, "the product or the chips are not known")
    foreign = [name for name in names if name not in found.names]
    expected = f"{', '.join(found.names)} ({found.family})"
    if not foreign:
        return finding.ok(key, host, ", ".join(names), expected=expected)
    families = {products.family_of_name(name) for name in foreign}
    if families == {found.family}:
        evidence = f"{', '.join(foreign)} is in no list; its form and the PCI id both say {found.family}"
        return finding.ok(key, host, ", ".join(names), expected=expected, evidence=evidence)
    if families - {None}:
        return finding.warn(key, host, ", ".join(names), expected=expected)
    return finding.unknown(key, host, f"chip name {', '.join(foreign)} is not in any list", expected=expected)


def _idle_memory(facts: HostFacts, chips: tuple[Chip, ...]) -> Finding:
    """A chip that nobody has may still be held: by a zombie, by another namespace, by a job that died."""
    key, host, found = "chips.idle-memory", facts.host, product(facts)
    limits = {} if found is None else {_place(chip): idle_hbm.limit_mb(found, chip.hbm_total_mb) for chip in chips}
    if not any(limit is not None for limit in limits.values()):
        return finding.skip(key, host, "no idle figure is published for this product")
    if isinstance(facts.holders, Unknown):
        return finding.unknown(key, host, facts.holders)
    if isinstance(facts.card_processes, Unknown) and not no_process_table(facts):
        return finding.unknown(key, host, facts.card_processes)
    busy = _busy(facts, chips)
    if len(busy) == len(chips):
        return finding.skip(key, host, "processes hold all cards")
    idle = [(chip, limit) for chip in chips if _place(chip) not in busy and (limit := limits[_place(chip)]) is not None]
    held = [
        f"NPU {chip.npu_id} chip {chip.chip_id} {chip.hbm_used_mb} MB"
        for chip, limit in idle
        if chip.hbm_used_mb is not None and chip.hbm_used_mb > limit
    ]
    unread = [f"NPU {chip.npu_id} chip {chip.chip_id}" for chip, _ in idle if chip.hbm_used_mb is None]
    expected = f"at most {max(limit for limit in limits.values() if limit is not None)} MB HBM without a process"
    if held:
        dead = [] if isinstance(facts.processes, Unknown) else [one for one in facts.processes if one.state == "Z"]
        evidence = f"zombies of the host: {several([buried(one) for one in dead], 3, '; ')}" if dead else ""
        return finding.warn(key, host, several(held), expected=expected, evidence=evidence)
    if unread:
        return finding.unknown(key, host, f"npu-smi told no memory of {several(unread)}", expected=expected)
    return finding.ok(key, host, f"{len(chips) - len(busy)} idle chips: {expected}")


def _place(chip: Chip | CardProcess) -> tuple[int, int]:
    return chip.npu_id, chip.chip_id


def _busy(facts: HostFacts, chips: tuple[Chip, ...]) -> set[tuple[int, int]]:
    """Chips with a process, by npu-smi's table; without one by the open nodes, where a node's number names its NPU."""
    if not isinstance(facts.card_processes, Unknown):
        return {_place(process) for process in facts.card_processes}
    holders = () if isinstance(facts.holders, Unknown) else facts.holders
    named = {device for holder in holders for device in holder.devices}
    numbered = all(chip.chip_id == 0 and chip.npu_id < len(chips) for chip in chips)
    if not numbered:
        return {_place(chip) for chip in chips} if named else set()
    return {_place(chip) for chip in chips if f"/dev/davinci{chip.npu_id}" in named}
