"""What is not finished: a reboot, an install, flashed firmware, another kernel, a run that stopped."""

from __future__ import annotations

from collections.abc import Iterator

from ascend_provision.check import finding
from ascend_provision.check.reading import no_driver, reboot_pending
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown


def judge(facts: HostFacts) -> Iterator[Finding]:
    """Everything that makes today's measurements provisional."""
    yield _reboot(facts)
    yield _install(facts)
    yield _firmware(facts)
    yield _kernel(facts)
    yield from _run(facts)


def _reboot(facts: HostFacts) -> Finding:
    key, host, log = "pending.reboot", facts.host, facts.install_log
    if isinstance(log, Unknown):
        return finding.unknown(key, host, log)
    pending = reboot_pending(facts)
    if pending is None:
        return finding.unknown(key, host, "the time of the last boot could not be read")
    if pending and log is not None:
        return finding.warn(key, host, "the install log is newer than the boot", evidence=log.last_line)
    return finding.ok(key, host, "nothing was installed since the boot")


def _install(facts: HostFacts) -> Finding:
    key, host, log = "pending.install", facts.host, facts.install_log
    if isinstance(log, Unknown):
        last = facts.install_runs[-1] if not isinstance(facts.install_runs, Unknown) and facts.install_runs else None
        if last is not None and last.ending == "failed":
            what = last.package or last.component or "the installer"
            return finding.fail(key, host, f"{what} failed", expected="it ends with success", evidence=last.says)
        return finding.unknown(key, host, log, evidence=f"{last.ending}: {last.says}" if last else "")
    if log is not None and log.unfinished:
        return finding.fail(key, host, "the install log stops in the middle", evidence=log.last_line)
    return finding.ok(key, host, "the install log ends properly" if log else "there is no install log")


def _firmware(facts: HostFacts) -> Finding:
    key, host, waiting = "pending.firmware", facts.host, facts.firmware.pending
    if no_driver(facts):
        return finding.skip(key, host, "no driver is installed to ask the chips")
    if isinstance(waiting, Unknown):
        return finding.unknown(key, host, waiting)
    if waiting:
        return finding.fail(key, host, "flashed firmware waits for a restart of the chips", expected="idle")
    return finding.ok(key, host, "no firmware waits")


def _kernel(facts: HostFacts) -> Finding:
    """`built_for_kernel` is about the kernel of the next boot, which mostly is the running one."""
    key, host, running, boots = "pending.kernel", facts.host, facts.kernel.running, facts.kernel.next_boot
    for value in (running, boots):
        if isinstance(value, Unknown):
            return finding.unknown(key, host, value)
    built = None if no_driver(facts) else facts.driver.built_for_kernel
    observed = f"{running}, at the next boot {boots}" if boots != running else f"{running}, also at the next boot"
    if built is False:
        return finding.fail(key, host, f"{observed}: without driver modules for it", expected=f"modules for {boots}")
    if boots != running and built is not True:
        return finding.warn(key, host, observed, expected=f"{running} (running)")
    return finding.ok(key, host, observed)


def _run(facts: HostFacts) -> Iterator[Finding]:
    host, record = facts.host, facts.record
    if isinstance(record, Unknown):
        yield finding.unknown("pending.run", host, record)
        return
    if record.step_state != "started":
        yield finding.ok("pending.run", host, "no step was left in the middle")
        return
    observed = f"run {record.run} started {record.step}"
    expires, now = record.lease_expires_at, facts.boot.now
    if expires is not None and isinstance(now, Unknown):
        yield finding.unknown("pending.run", host, now)
    elif expires is not None and not isinstance(now, Unknown) and expires > now:
        yield finding.skip("pending.run", host, f"{observed} and is at work ({record.lease_holder})")
    else:
        yield finding.warn("pending.run", host, f"{observed}; nobody holds its lease")
