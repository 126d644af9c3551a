from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import BootFacts, HostFacts, HostRecord, InstallLog, KernelFacts
from ascend_provision.stack.machine import InstallRun
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import HUNG, Case, fails, passes, prove, skips, unknown, warns
from tests.unit.factories import BOOTED_AT, KERNEL, NOW, a1_host, bare_host, changed, with_driver, with_firmware

UNREAD = Unknown(unknown="permission denied")
DONE = "[Driver] [INFO] Driver package installed successfully!"


def log(at: float, *, unfinished: bool = False) -> HostFacts:
    return changed(a1_host(), install_log=InstallLog(modified_at=at, hdk_at=at, last_line=DONE, unfinished=unfinished))


def run(ending: str) -> InstallRun:
    return InstallRun(component="driver", package="driver.run", started=None, ended=None, ending=ending, says=ending)


def booting(kernel: str | Unknown) -> HostFacts:
    return changed(a1_host(), kernel=KernelFacts(running=KERNEL, next_boot=kernel, headers=True))


def record(**fields: object) -> HostFacts:
    return changed(a1_host(), record=HostRecord.model_validate({"run": "r7", "step": "driver-install", **fields}))


CASES: list[Case] = [
    passes("pending.reboot", "installed before the boot", lambda: judge_host(log(BOOTED_AT - 60))),
    passes("pending.reboot", "never installed", lambda: judge_host(a1_host())),
    warns("pending.reboot", "installed after the boot", lambda: judge_host(log(BOOTED_AT + 60)), "newer than the boot"),
    unknown("pending.reboot", "log unread", lambda: judge_host(changed(a1_host(), install_log=UNREAD))),
    unknown(
        "pending.reboot",
        "boot time unread",
        lambda: judge_host(changed(log(BOOTED_AT), boot=BootFacts(boot_id="b", booted_at=UNREAD))),
        "time of the last boot",
    ),
    passes("pending.install", "ended", lambda: judge_host(log(BOOTED_AT - 60)), "ends properly"),
    fails("pending.install", "power went off in it", lambda: judge_host(log(BOOTED_AT - 60, unfinished=True))),
    fails(
        "pending.install",
        "what was sent of it ends with an error",
        lambda: judge_host(changed(a1_host(), install_log=UNREAD, install_runs=(run("done"), run("failed")))),
        "driver.run failed",
    ),
    unknown(
        "pending.install",
        "what was sent of it ends well and is not the log",
        lambda: judge_host(changed(a1_host(), install_log=UNREAD, install_runs=(run("failed"), run("done")))),
    ),
    unknown("pending.install", "log unread", lambda: judge_host(changed(a1_host(), install_log=UNREAD))),
    passes("pending.firmware", "idle", lambda: judge_host(a1_host())),
    fails("pending.firmware", "waitting_restart", lambda: judge_host(with_firmware(a1_host(), pending=True))),
    unknown("pending.firmware", "upgrade-tool hung", lambda: judge_host(with_firmware(a1_host(), pending=HUNG))),
    skips("pending.firmware", "bare host", lambda: judge_host(bare_host())),
    passes("pending.kernel", "the same", lambda: judge_host(a1_host()), KERNEL),
    warns(
        "pending.kernel",
        "another one boots next, and nobody knows of modules for it",
        lambda: judge_host(with_driver(booting("6.1.0-9-amd64"), built_for_kernel=UNREAD)),
        "at the next boot 6.1.0-9-amd64",
    ),
    warns(
        "pending.kernel",
        "another one boots next on a bare host",
        lambda: judge_host(changed(bare_host(), kernel=booting("6.1.0-9-amd64").kernel)),
    ),
    passes("pending.kernel", "dkms has built for the next one", lambda: judge_host(booting("6.1.0-9-amd64"))),
    fails(
        "pending.kernel",
        "the next one has no modules",
        lambda: judge_host(with_driver(booting("6.1.0-9-amd64"), built_for_kernel=False)),
        "without driver modules",
    ),
    fails(
        "pending.kernel",
        "the modules are of another kernel",
        lambda: judge_host(with_driver(a1_host(), built_for_kernel=False)),
    ),
    unknown("pending.kernel", "no boot loader was read", lambda: judge_host(booting(UNREAD))),
    passes("pending.run", "no record", lambda: judge_host(a1_host())),
    warns(
        "pending.run", "its lease ran out", lambda: judge_host(record(step_state="started", lease_expires_at=NOW - 9))
    ),
    warns(
        "pending.run",
        "no lease at all",
        lambda: judge_host(record(step_state="started")),
        "run r7 started driver-install",
    ),
    skips(
        "pending.run",
        "at work",
        lambda: judge_host(record(step_state="started", lease_expires_at=NOW + 9, lease_holder="ops@box")),
        "ops@box",
    ),
    unknown("pending.run", "record unread", lambda: judge_host(changed(a1_host(), record=UNREAD))),
    unknown(
        "pending.run",
        "no clock",
        lambda: judge_host(
            changed(
                record(step_state="started", lease_expires_at=NOW),
                boot=BootFacts(boot_id="b", booted_at=BOOTED_AT, now=UNREAD),
            )
        ),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_pending(case: Case) -> None:
    prove(case)


def test_the_line_the_log_ends_with_is_shown() -> None:
    found = next(f for f in judge_host(log(BOOTED_AT + 1)) if f.id == "pending.reboot")

    assert found.evidence == DONE


def test_a_host_without_driver_has_no_modules_to_be_built_for_a_kernel() -> None:
    found = next(f for f in judge_host(with_driver(bare_host(), built_for_kernel=False)) if f.id == "pending.kernel")

    assert found.verdict.value == "pass"
