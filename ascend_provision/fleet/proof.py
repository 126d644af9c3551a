"""What must be true before a host counts as done. Pure: facts, the plan, and what the smoke test printed."""

from __future__ import annotations

from ascend_provision.check import judge_target
from ascend_provision.evidence import hccl_test
from ascend_provision.fleet.endings import StepEnd
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding, Verdict
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.plan import Ending, HostPlan


def reboot(name: str, plan: HostPlan, boot_before: str, after: HostFacts) -> StepEnd:
    """A reboot is proved: another boot id than before it, the planned kernel, and what was installed now runs."""
    if after.boot.boot_id == boot_before:
        return StepEnd(ending=Ending.FAILED, detail="the boot id did not change: the host has not restarted")
    kernel = after.kernel.running
    if plan.kernel and isinstance(kernel, str) and kernel != plan.kernel:
        return StepEnd(
            ending=Ending.FAILED,
            detail=f"the host booted kernel {kernel}, planned was {plan.kernel}: the driver has no module for it",
            next_action=f"set {plan.kernel} as the default kernel and reboot, then run the upgrade again",
        )
    loaded = after.driver.modules_loaded
    if name == "reboot-after-uninstall" and not isinstance(loaded, Unknown) and loaded:
        return StepEnd(
            ending=Ending.MODULES_STILL_LOADED,
            detail=f"modules of the removed driver were loaded again at boot: {', '.join(loaded[:4])}",
            next_action="find what loads them (/etc/modules-load.d, initramfs, dkms) and remove it",
        )
    if name in {"reboot-final", "reboot-after-driver"}:
        return _running(name, plan, after)
    return StepEnd(ending=Ending.DONE)


def _running(name: str, plan: HostPlan, after: HostFacts) -> StepEnd:
    running = after.driver.running
    if plan.target.driver is not None and running != plan.target.driver:
        seen = f"unknown ({running.unknown})" if isinstance(running, Unknown) else running or "none"
        return StepEnd(
            ending=Ending.FAILED,
            detail=f"after the reboot the loaded driver is {seen}, wanted {plan.target.driver}",
            next_action="see `dmesg` and /var/log/ascend_seclog/ascend_install.log on the host",
        )
    if name == "reboot-final" and after.firmware.pending is True:
        return StepEnd(
            ending=Ending.COLD_START_NEEDED,
            detail="flashed firmware still waits for a restart: this firmware takes effect only after a cold start",
            next_action="power the host off, wait 30 s, power it on, then run the same upgrade again",
        )
    return StepEnd(ending=Ending.DONE)


def target(plan: HostPlan, boot_before: str, after: HostFacts) -> tuple[Finding, ...]:
    """Verify level 1 against the plan; `boot_before` is the boot id before the run's first step."""
    restarts = any(step.name == "reboot-final" for step in plan.steps)
    return judge_target(
        after,
        plan.target,
        chips_before=plan.chips,
        boot_id_before=boot_before if restarts and boot_before else None,
        kernel=plan.kernel or None,
    )


def verified(findings: tuple[Finding, ...]) -> StepEnd:
    """One ending from the findings: a failure names the first, unknown ones are named too and never pass."""
    bad = [finding for finding in findings if finding.verdict in {Verdict.FAIL, Verdict.UNKNOWN}]
    if not bad:
        return StepEnd(ending=Ending.DONE, detail=f"{len(findings)} checks")
    first = bad[0]
    more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
    detail = f"{first.title}: {first.observed or first.verdict.value}, expected {first.expected or 'otherwise'}{more}"
    return StepEnd(ending=Ending.FAILED, detail=detail, next_action=first.next_action)


COULD_NOT_START = 20
"""The role's own status for a test that could not be built or started (roles/hccl_smoke/files/smoke.sh)."""


def smoke(plan: HostPlan, end: StepEnd, sizes: tuple[int, ...]) -> tuple[Verdict, str]:
    """Judge the collective test by its output alone; its exit status says nothing."""
    if end.status == COULD_NOT_START or (end.ending is Ending.DONE and not end.log):
        lines = end.log.splitlines()
        return Verdict.UNKNOWN, lines[-1] if lines else end.detail
    reading = hccl_test.judge(end.log, sizes=sizes, timed_out=end.timed_out, ranks=plan.chips)
    why = "; ".join(reading.why)
    if reading.verdict is Verdict.PASS:
        return Verdict.PASS, f"{plan.chips} cards, {len(sizes)} sizes, every rank's data right"
    broken = reading.verdict is Verdict.UNKNOWN and end.ending is Ending.FAILED
    return Verdict.FAIL if broken else reading.verdict, why or end.detail
