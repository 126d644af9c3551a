"""What of a target a host lacks: the one place that says whether a component is there."""

from __future__ import annotations

from ascend_provision.stack.facts import KERNEL_PARTS, SUITE_PARTS, CannInstall, HostFacts
from ascend_provision.stack.model import Noun, Unknown
from ascend_provision.stack.target import Target


class Need(Noun):
    """True where work is due. `pending`: installed and flashed, only a restart is missing."""

    driver: bool
    firmware: bool
    toolkit: bool
    kernels: bool
    pending: bool

    @property
    def cann(self) -> bool:
        return self.toolkit or self.kernels

    @property
    def hdk(self) -> bool:
        return self.driver or self.firmware

    @property
    def anything(self) -> bool:
        return self.hdk or self.cann or self.pending


def of(facts: HostFacts, target: Target, chip: str) -> Need:
    """Compare facts with the target; call only when the facts it reads are known."""
    driver = target.driver is not None and facts.driver.file != target.driver
    firmware = target.firmware is not None and (
        facts.firmware.file is None or not _flashed(facts, target) or _other_file(facts, target)
    )
    toolkit = kernels = False
    if target.cann is not None and not isinstance(facts.cann, Unknown):
        toolkit = target.cann not in {item.version for item in facts.cann if item.part in SUITE_PARTS}
        kernels = not any(_kernels_for(item, target, chip) for item in facts.cann)
    return Need(
        driver=driver, firmware=firmware, toolkit=toolkit, kernels=kernels, pending=restart_pending(facts, target)
    )


def old_cann(facts: HostFacts, target: Target) -> tuple[CannInstall, ...]:
    """Installed CANN parts of another version than the target's, in removal order: kernels and add-ons first."""
    if target.cann is None or isinstance(facts.cann, Unknown):
        return ()
    old = [item for item in facts.cann if item.version != target.cann]
    return tuple(sorted(old, key=lambda item: (item.part in SUITE_PARTS, item.part, item.root)))


def restart_pending(facts: HostFacts, target: Target) -> bool:
    """Something installed is not running yet: another driver loaded, or flashed firmware that waits."""
    other_driver = (
        target.driver is not None
        and facts.driver.file == target.driver
        and not isinstance(facts.driver.running, Unknown)
        and facts.driver.running != target.driver
    )
    return other_driver or (target.firmware is not None and facts.firmware.pending is True)


def _flashed(facts: HostFacts, target: Target) -> bool:
    """Every chip has the firmware in its flash. Unreadable flash (no driver loaded) counts as not proved."""
    return not isinstance(facts.firmware.flash, Unknown) and set(facts.firmware.flash) == {target.firmware}


def _other_file(facts: HostFacts, target: Target) -> bool:
    return facts.firmware.file != target.firmware


def _kernels_for(item: CannInstall, target: Target, chip: str) -> bool:
    return item.part in KERNEL_PARTS and item.version == target.cann and item.chip in {None, chip}
