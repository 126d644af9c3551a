"""Do driver, firmware and CANN belong together, and does what is installed run? Frameworks are in environments."""

from __future__ import annotations

from collections.abc import Iterator

from ascend_provision.check import cann_parts, environments, finding
from ascend_provision.check.answered import answered
from ascend_provision.check.reading import no_driver, product, reboot_pending, several, suites
from ascend_provision.knowledge import host_parts, pairing, releases
from ascend_provision.knowledge.matrix import Matrix
from ascend_provision.stack.facts import CannInstall, HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import HdkVersion


def judge(facts: HostFacts, matrix: Matrix | None = None) -> Iterator[Finding]:
    """All pairing rules for one host; a host without a driver gets only what still applies.

    `matrix` is the published one where none is given.
    """
    if no_driver(facts):
        yield finding.skip("pairing.driver-running", facts.host, "no driver is installed")
    else:
        yield _driver_running(facts)
        yield _package_reported(facts)
        yield _firmware_flash(facts)
        yield _driver_firmware(facts, matrix)
        yield _compatibility_line(facts)
    yield from _cann(facts, matrix)


def _driver_running(facts: HostFacts) -> Finding:
    key, host, driver = "pairing.driver-running", facts.host, facts.driver
    for value in (driver.file, driver.running):
        if isinstance(value, Unknown):
            return finding.unknown(key, host, value)
    evidence = f"driver/version.info: Version={driver.file}"
    if driver.running is None:
        return finding.fail(key, host, "no driver is loaded", expected=str(driver.file), evidence=evidence)
    if driver.running != driver.file:
        return finding.fail(key, host, str(driver.running), expected=str(driver.file), evidence=evidence)
    return finding.ok(key, host, str(driver.running), expected=str(driver.file), evidence=evidence)


def _package_reported(facts: HostFacts) -> Finding:
    key, host, driver, found = "pairing.package-reported", facts.host, facts.driver, product(facts)
    if isinstance(driver.package, Unknown):
        return finding.unknown(key, host, driver.package)
    if driver.package is None or not isinstance(driver.file, HdkVersion) or found is None:
        return finding.skip(key, host, "version.info names no package, or the chip is not known")
    expected = releases.reported(driver.package, found.chip)
    observed = f"package {driver.package} reports {driver.file}"
    if expected is None:
        return finding.unknown(key, host, f"no table says what package {driver.package} reports", evidence=observed)
    if expected != driver.file:
        return finding.warn(key, host, observed, expected=f"package {driver.package} reports {expected}")
    return finding.ok(key, host, observed)


def _firmware_flash(facts: HostFacts) -> Finding:
    key, host, firmware = "pairing.firmware-flash", facts.host, facts.firmware
    for value in (firmware.file, firmware.flash):
        if isinstance(value, Unknown):
            return finding.unknown(key, host, value)
    flash = [str(version) for version in firmware.flash] if not isinstance(firmware.flash, Unknown) else []
    if not flash:
        return finding.unknown(key, host, "no chip told its firmware version")
    if len(flash) > 1:
        return finding.fail(key, host, f"chips differ: {', '.join(flash)}", expected="one firmware on all chips")
    if firmware.file is None:
        return finding.skip(key, host, f"no firmware package is installed; the flash holds {flash[0]}")
    evidence = f"firmware/version.info: Version={firmware.file}"
    if flash[0] != str(firmware.file):
        return finding.fail(key, host, flash[0], expected=str(firmware.file), evidence=evidence)
    if firmware.doubt is not None:
        return finding.unknown(key, host, firmware.doubt, expected=str(firmware.file), evidence=evidence)
    return finding.ok(key, host, flash[0], expected=str(firmware.file), evidence=evidence)


def _driver_firmware(facts: HostFacts, matrix: Matrix | None) -> Finding:
    key, host, driver, firmware = "pairing.driver-firmware", facts.host, facts.driver, facts.firmware
    running, found = driver.running if driver.running is not None else driver.file, product(facts)
    for value in (running, driver.file, firmware.flash):
        if isinstance(value, Unknown):
            return finding.unknown(key, host, value)
    if not isinstance(running, HdkVersion) or isinstance(firmware.flash, Unknown) or not firmware.flash:
        return finding.unknown(key, host, "no chip told its firmware version")
    if _waiting(facts):
        return finding.skip(key, host, f"driver {driver.file} waits for a reboot; until then the pair means nothing")
    if firmware.doubt is not None:
        return finding.unknown(key, host, firmware.doubt)
    lowest, chip = firmware.flash[0], found.chip if found else ""
    lists = host_parts.lists(facts)
    answer = pairing.driver_firmware(
        running,
        lowest,
        chip,
        accepts_firmware=lists.accepts_firmware,
        accepts_driver=lists.accepts_driver,
        matrix=matrix,
    )
    usual = releases.firmware_of(running, chip)
    return answered(key, host, answer, f"driver {running} with firmware {lowest}", str(usual) if usual else "")


def _waiting(facts: HostFacts) -> bool:
    """An installed driver is known not to run yet. New firmware needs no waiting: the flash shows it at once."""
    running, file = facts.driver.running, facts.driver.file
    return isinstance(running, HdkVersion) and isinstance(file, HdkVersion) and running != file


def _text(value: str | Unknown | None) -> str | None:
    return value if isinstance(value, str) else None


def _compatibility_line(facts: HostFacts) -> Finding:
    key, host = "pairing.compatibility-line", facts.host
    if isinstance(facts.boards, Unknown):
        return finding.unknown(key, host, facts.boards)
    said = {board.npu_id: board.compatibility for board in facts.boards if board.compatibility is not None}
    if not said:
        return finding.skip(key, host, "this npu-smi prints no Compatibility line (HDK 22 does not)")
    bad = [f"NPU {npu} {word}" for npu, word in sorted(said.items()) if word == "NOK"]
    if _waiting(facts) or (bad and reboot_pending(facts)):
        return finding.skip(key, host, "an install waits for its reboot; until then the line means nothing")
    if bad:
        return finding.fail(
            key, host, several(bad), expected="OK", evidence="npu-smi info -t board: Compatibility : NOK"
        )
    for value in (facts.driver.running, facts.driver.file, facts.driver.modules_loaded):
        if isinstance(value, Unknown):  # an install may wait for its reboot
            return finding.unknown(key, host, value)
    if facts.driver.running is None:
        return finding.unknown(key, host, "npu-smi prints the line, yet no module of the driver is loaded")
    dumb = [str(board.npu_id) for board in facts.boards if board.compatibility is None]
    if dumb:
        return finding.unknown(key, host, f"npu-smi prints no Compatibility line for NPU {several(dumb)}")
    unsure = [f"NPU {npu} {word}" for npu, word in sorted(said.items()) if word != "OK"]
    if unsure:
        return finding.unknown(key, host, f"npu-smi prints {several(unsure)}", expected="OK")
    return finding.ok(key, host, f"OK on {len(said)} NPUs", expected="OK")


def _cann(facts: HostFacts, matrix: Matrix | None) -> Iterator[Finding]:
    host = facts.host
    if isinstance(facts.cann, Unknown):
        yield finding.unknown("pairing.cann-driver", host, facts.cann)
        return
    found = suites(facts)
    if not found:
        yield finding.skip("pairing.cann-driver", host, "no CANN is installed")
        return
    for suite in found:
        yield _cann_driver(facts, suite, matrix)
    toolkit = max(found, key=lambda item: item.part == "toolkit")
    yield from cann_parts.judge(facts, toolkit, matrix)
    yield from environments.judge(facts, toolkit, matrix)


def _cann_driver(facts: HostFacts, suite: CannInstall, matrix: Matrix | None) -> Finding:
    key, host, driver, found = "pairing.cann-driver", facts.host, facts.driver, product(facts)
    running = driver.running if driver.running is not None else driver.file
    if isinstance(running, Unknown):
        return finding.unknown(key, host, running)
    if running is None:
        return finding.skip(key, host, f"CANN {suite.version} is installed, no driver is")
    lists = host_parts.lists(facts)
    answer = pairing.cann_driver(
        suite.version,
        running,
        found.chip if found else "",
        cann_inner=suite.inner,
        cann_accepts=suite.accepts_driver,
        driver_inner=lists.driver_inner,
        driver_accepts=lists.driver_accepts,
        matrix=matrix,
    )
    expected = answer.nearest[0] if answer.nearest else ""
    return answered(key, host, answer, f"{suite.part} {suite.version} on driver {running}", expected)
