"""Verification, level 1: what runs on the host is what was wanted, and nothing got lost on the way."""

from __future__ import annotations

from collections.abc import Iterator

from ascend_provision.check import finding
from ascend_provision.check.reading import several, suites
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.target import Target


def judge(
    facts: HostFacts, target: Target, *, chips_before: int | None, boot_id_before: str | None, kernel: str | None
) -> Iterator[Finding]:
    """`chips_before` None asks only for health; `boot_id_before` None when no reboot was due; `kernel` None for any."""
    if target.driver is not None:
        yield _driver(facts, target)
        yield _modules(facts)
    if target.firmware is not None:
        yield _firmware(facts, target)
        yield _firmware_active(facts)
    if target.cann is not None:
        yield _cann(facts, target)
    yield _chips(facts, chips_before)
    if boot_id_before is not None:
        yield _rebooted(facts, boot_id_before)
    if kernel is not None:
        yield _kernel(facts, kernel)


def _driver(facts: HostFacts, target: Target) -> Finding:
    key, host, expected = "verify.driver", facts.host, str(target.driver)
    for value in (facts.driver.running, facts.driver.file):
        if isinstance(value, Unknown):
            return finding.unknown(key, host, value, expected=expected)
    running, file = facts.driver.running, facts.driver.file
    if running != target.driver:
        return finding.fail(
            key, host, f"{running or 'no driver'} is running", expected=expected, evidence=f"file {file or 'none'}"
        )
    if file != target.driver:
        return finding.fail(
            key, host, f"{file or 'no driver'} is installed", expected=expected, evidence=f"running {running or 'none'}"
        )
    return finding.ok(key, host, str(running), expected=expected)


def _modules(facts: HostFacts) -> Finding:
    key, host, loaded = "verify.modules", facts.host, facts.driver.modules_loaded
    if isinstance(loaded, Unknown):
        return finding.unknown(key, host, loaded)
    if not loaded:
        return finding.fail(key, host, "no driver module is loaded", expected="the modules of the driver")
    return finding.ok(key, host, f"{len(loaded)} modules")


def _firmware(facts: HostFacts, target: Target) -> Finding:
    key, host, expected, flash = "verify.firmware", facts.host, str(target.firmware), facts.firmware.flash
    if isinstance(flash, Unknown):
        return finding.unknown(key, host, flash, expected=expected)
    if not flash:
        return finding.unknown(key, host, "no chip told its firmware version", expected=expected)
    if any(version != target.firmware for version in flash):
        return finding.fail(key, host, ", ".join(map(str, flash)), expected=expected)
    if facts.firmware.doubt is not None:
        return finding.unknown(key, host, facts.firmware.doubt, expected=expected)
    return finding.ok(key, host, expected, expected=expected)


def _firmware_active(facts: HostFacts) -> Finding:
    key, host, waiting = "verify.firmware-active", facts.host, facts.firmware.pending
    if isinstance(waiting, Unknown):
        return finding.unknown(key, host, waiting)
    if waiting:
        return finding.fail(
            key, host, "the chips wait for a restart that the reboot did not give them", expected="idle"
        )
    return finding.ok(key, host, "no firmware waits")


def _cann(facts: HostFacts, target: Target) -> Finding:
    key, host, expected = "verify.cann", facts.host, str(target.cann)
    if isinstance(facts.cann, Unknown):
        return finding.unknown(key, host, facts.cann, expected=expected)
    found = suites(facts)
    seen = ", ".join(f"{item.part} {item.version}" for item in found) or "no CANN"
    if not any(item.version == target.cann for item in found):
        return finding.fail(key, host, seen, expected=expected)
    others = [f"{item.part} {item.version} in {item.root}" for item in facts.cann if item.version != target.cann]
    if others:
        return finding.fail(key, host, f"{seen}; of another version: {several(others)}", expected=f"only {expected}")
    return finding.ok(key, host, seen, expected=expected)


def _chips(facts: HostFacts, before: int | None) -> Finding:
    key, host = "verify.chips", facts.host
    expected = f"{before} healthy chips" if before is not None else "healthy chips"
    if isinstance(facts.chips, Unknown):
        return finding.unknown(key, host, facts.chips, expected=expected)
    sick = [f"NPU {chip.npu_id} chip {chip.chip_id} {chip.health}" for chip in facts.chips if chip.health != "OK"]
    if not facts.chips or (before is not None and len(facts.chips) != before):
        return finding.fail(key, host, f"{len(facts.chips)} chips", expected=expected)
    if sick:
        return finding.fail(key, host, several(sick), expected=expected)
    return finding.ok(key, host, f"{len(facts.chips)} chips OK", expected=expected)


def _rebooted(facts: HostFacts, before: str) -> Finding:
    key, host, boot_id = "verify.rebooted", facts.host, facts.boot.boot_id
    if isinstance(boot_id, Unknown):
        return finding.unknown(key, host, boot_id)
    if boot_id == before:
        return finding.fail(key, host, f"boot id {boot_id}, as before", expected="a new boot id")
    return finding.ok(key, host, f"boot id {boot_id}", expected=f"not {before}")


def _kernel(facts: HostFacts, wanted: str) -> Finding:
    key, host, running = "verify.kernel", facts.host, facts.kernel.running
    if isinstance(running, Unknown):
        return finding.unknown(key, host, running, expected=wanted)
    if running != wanted:
        return finding.fail(key, host, running, expected=wanted)
    return finding.ok(key, host, running, expected=wanted)
