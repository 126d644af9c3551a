"""Do driver, firmware, CANN and the frameworks of every environment belong together, and does what is installed run?"""

from __future__ import annotations

from collections.abc import Iterator

from ascend_provision.check import finding
from ascend_provision.check.reading import KERNEL_PARTS, no_driver, product, reboot_pending, several, suites
from ascend_provision.knowledge import pairing, releases
from ascend_provision.knowledge.pairing import Answer
from ascend_provision.stack.facts import CannInstall, HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import HdkVersion


def judge(facts: HostFacts) -> Iterator[Finding]:
    """All pairing rules for one host; a host without a driver gets only what still applies."""
    if no_driver(facts):
        yield finding.skip("pairing.driver-running", facts.host, "no driver is installed")
    else:
        yield _driver_running(facts)
        yield _package_reported(facts)
        yield _firmware_flash(facts)
        yield _driver_firmware(facts)
        yield _compatibility_line(facts)
    yield from _cann(facts)


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
    return finding.ok(key, host, flash[0], expected=str(firmware.file), evidence=evidence)


def _driver_firmware(facts: HostFacts) -> Finding:
    key, host, driver, firmware, found = (
        "pairing.driver-firmware",
        facts.host,
        facts.driver,
        facts.firmware,
        product(facts),
    )
    running = driver.running if driver.running is not None else driver.file
    for value in (running, firmware.flash):
        if isinstance(value, Unknown):
            return finding.unknown(key, host, value)
    if not isinstance(running, HdkVersion) or isinstance(firmware.flash, Unknown) or not firmware.flash:
        return finding.unknown(key, host, "no chip told its firmware version")
    lowest = firmware.flash[0]
    # The lists in the files are those of the installed packages: they say something only about what runs.
    accepts_firmware = (
        driver.accepts_firmware if isinstance(driver.accepts_firmware, str) and running == driver.file else None
    )
    accepts_driver = (
        firmware.accepts_driver if isinstance(firmware.accepts_driver, str) and lowest == firmware.file else None
    )
    answer = pairing.driver_firmware(
        running, lowest, found.chip if found else "", accepts_firmware=accepts_firmware, accepts_driver=accepts_driver
    )
    usual = releases.firmware_of(running, found.chip) if found else None
    return _answered(key, host, answer, f"driver {running} with firmware {lowest}", str(usual) if usual else "")


def _compatibility_line(facts: HostFacts) -> Finding:
    key, host = "pairing.compatibility-line", facts.host
    if isinstance(facts.boards, Unknown):
        return finding.unknown(key, host, facts.boards)
    said = {board.npu_id: board.compatibility for board in facts.boards if board.compatibility is not None}
    if not said:
        return finding.skip(key, host, "this npu-smi prints no Compatibility line (HDK 22 does not)")
    if reboot_pending(facts) or facts.driver.running != facts.driver.file:
        return finding.skip(key, host, "an install waits for its reboot; until then the line means nothing")
    bad = [f"NPU {npu} {word}" for npu, word in sorted(said.items()) if word == "NOK"]
    if bad:
        return finding.fail(
            key, host, several(bad), expected="OK", evidence="npu-smi info -t board: Compatibility : NOK"
        )
    unsure = [f"NPU {npu} {word}" for npu, word in sorted(said.items()) if word != "OK"]
    if unsure:
        return finding.unknown(key, host, f"npu-smi prints {several(unsure)}", expected="OK")
    return finding.ok(key, host, f"OK on {len(said)} NPUs", expected="OK")


def _cann(facts: HostFacts) -> Iterator[Finding]:
    host = facts.host
    if isinstance(facts.cann, Unknown):
        yield finding.unknown("pairing.cann-driver", host, facts.cann)
        return
    found = suites(facts)
    if not found:
        yield finding.skip("pairing.cann-driver", host, "no CANN is installed")
        return
    for suite in found:
        yield _cann_driver(facts, suite)
    toolkit = max(found, key=lambda item: item.part == "toolkit")
    yield from _beside(facts, toolkit)
    yield from _environments(facts, toolkit)


def _cann_driver(facts: HostFacts, suite: CannInstall) -> Finding:
    key, host, driver = "pairing.cann-driver", facts.host, facts.driver
    running = driver.running if driver.running is not None else driver.file
    if isinstance(running, Unknown):
        return finding.unknown(key, host, running)
    if running is None:
        return finding.skip(key, host, f"CANN {suite.version} is installed, no driver is")
    same = running == driver.file
    answer = pairing.cann_driver(
        suite.version,
        running,
        cann_inner=suite.inner,
        cann_accepts=suite.accepts_driver,
        driver_inner=driver.inner if same and isinstance(driver.inner, str) else None,
        driver_accepts=driver.accepts_cann if same and isinstance(driver.accepts_cann, str) else None,
    )
    expected = answer.nearest[0] if answer.nearest else ""
    return _answered(key, host, answer, f"{suite.part} {suite.version} on driver {running}", expected)


def _beside(facts: HostFacts, toolkit: CannInstall) -> Iterator[Finding]:
    """Kernels (ops) and NNAL against the toolkit and against the chip."""
    host, found = facts.host, product(facts)
    parts = () if isinstance(facts.cann, Unknown) else facts.cann
    for part in (item for item in parts if item.part in KERNEL_PARTS | {"nnal"}):
        observed, expected = f"{part.part} {part.version}", str(toolkit.version)
        if part.version == toolkit.version:
            yield finding.ok("pairing.kernels-toolkit", host, observed, expected=expected)
        else:
            yield finding.fail("pairing.kernels-toolkit", host, observed, expected=expected, evidence=part.root)
    for part in (item for item in parts if item.part in KERNEL_PARTS):
        if part.chip is None or found is None:
            yield finding.unknown("pairing.kernels-chip", host, f"{part.part} {part.version}: the chip is not named")
        elif part.chip.lower() in found.package_tokens:
            yield finding.ok("pairing.kernels-chip", host, part.chip, expected=found.chip)
        else:
            yield finding.fail("pairing.kernels-chip", host, part.chip, expected=found.chip, evidence=part.root)


def _environments(facts: HostFacts, toolkit: CannInstall) -> Iterator[Finding]:
    host, cann = facts.host, toolkit.version
    if isinstance(facts.environments, Unknown):
        yield finding.unknown("pairing.torch-npu-cann", host, facts.environments)
        return
    for env in facts.environments:
        where = f"in {env.path}"
        for name in env.unread:
            key = {"torch_npu": "pairing.torch-npu-cann", "mindspore": "pairing.mindspore-cann"}.get(name)
            if key:
                yield finding.unknown(key, host, f"{name} {where}: its version could not be understood")
        if env.torch_npu is not None:
            answer = pairing.torch_npu_cann(env.torch_npu, cann)
            yield _answered(
                "pairing.torch-npu-cann",
                host,
                answer,
                f"torch_npu {env.torch_npu} {where}",
                _fitting(answer, env.torch_npu),
            )
            if env.torch is not None:
                pair = pairing.torch_torch_npu(env.torch, env.torch_npu)
                observed = f"torch {env.torch} with torch_npu {env.torch_npu} {where}"
                yield _answered(
                    "pairing.torch-torch-npu", host, pair, observed, pair.nearest[0] if pair.nearest else ""
                )
        if env.mindspore is not None:
            answer = pairing.mindspore_cann(env.mindspore, cann)
            yield _answered(
                "pairing.mindspore-cann",
                host,
                answer,
                f"MindSpore {env.mindspore} {where}",
                _fitting(answer, env.mindspore),
            )


def _fitting(answer: Answer, installed: object) -> str:
    """The nearest published rows of another version: what could be installed here instead."""
    return " or ".join(row for row in answer.nearest if f" {installed} " not in row)


def _answered(key: str, host: str, answer: Answer, observed: str, expected: str) -> Finding:
    if answer.verdict == "compatible":
        return finding.ok(key, host, observed, evidence=answer.why, source=answer.source)
    if answer.verdict == "incompatible":
        return finding.fail(key, host, observed, expected=expected, evidence=answer.why, source=answer.source)
    return finding.unknown(key, host, f"{observed}: {answer.why}", expected=expected, source=answer.source)
