"""Small readings of facts that several rules share: is there a driver, which chip is it, which toolkits are there."""

from __future__ import annotations

from ascend_provision.knowledge import feature_floors, products
from ascend_provision.knowledge.products import Product
from ascend_provision.stack.facts import SUITE_PARTS, CannInstall, HostFacts
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import HdkVersion


def product(facts: HostFacts) -> Product | None:
    """The host's product by its PCI ids; by its chips' names where nobody could read those; None when neither tells."""
    if not isinstance(facts.pci, Unknown):
        return products.identify(facts.pci)
    return None if isinstance(facts.chips, Unknown) else products.of_names({chip.name for chip in facts.chips})


def family(facts: HostFacts) -> str | None:
    """The family of the host's chips: its product's, else what the chips' names say."""
    found = product(facts)
    if found is not None or isinstance(facts.chips, Unknown):
        return found.family if found else None
    named = {products.family_of_name(chip.name) for chip in facts.chips}
    return named.pop() if len(named) == 1 else None


def no_driver(facts: HostFacts) -> bool:
    """The driver is known not to be installed (unknown is not that)."""
    return facts.driver.file is None


def reboot_pending(facts: HostFacts) -> bool | None:
    """Was a driver or firmware installed after the boot? None when the log or a clock could not be read."""
    log, booted = facts.install_log, facts.boot.booted_at
    if log is None:
        return False
    if isinstance(log, Unknown) or isinstance(booted, Unknown):
        return None
    return log.hdk_at is not None and log.hdk_at > booted


def no_process_table(facts: HostFacts) -> bool:
    """The running driver's npu-smi is known to print no table of processes."""
    running = facts.driver.running
    return isinstance(running, HdkVersion) and bool(
        feature_floors.missing(feature_floors.PROCESS_TABLE, {"hdk": str(running)})
    )


def suites(facts: HostFacts) -> tuple[CannInstall, ...]:
    """The installed CANN runtimes: toolkit, or the smaller nnae and nnrt."""
    if isinstance(facts.cann, Unknown):
        return ()
    return tuple(item for item in facts.cann if item.part in SUITE_PARTS)


def several(items: list[str], limit: int = 6, separator: str = ", ") -> str:
    """`a, b, c and 5 more`: short enough for a line."""
    shown = separator.join(items[:limit])
    return f"{shown} and {len(items) - limit} more" if len(items) > limit else shown
