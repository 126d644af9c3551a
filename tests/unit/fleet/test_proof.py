"""What counts as proved, and what does not."""

from __future__ import annotations

from ascend_provision.fleet import proof
from ascend_provision.fleet.endings import StepEnd
from ascend_provision.knowledge.wishes import parse
from ascend_provision.planner.plan import plan_host
from ascend_provision.stack.facts import BootFacts, HostFacts, KernelFacts
from ascend_provision.stack.findings import Finding, Verdict
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.plan import Ending, Strategy
from tests.unit.factories import KERNEL, a1_host, changed, with_driver, with_firmware
from tests.unit.planner.store import STORE

PLAN = plan_host(a1_host(), parse("hdk23"), STORE, verb="upgrade", strategy=Strategy.CLEAN)
BOOT = str(a1_host().boot.boot_id)


def rebooted(facts: HostFacts, **changes: object) -> HostFacts:
    return changed(facts, boot=BootFacts(boot_id="another", booted_at=2e9), **changes)


def proved(name: str, after: HostFacts) -> Ending | None:
    return proof.reboot(name, PLAN, BOOT, after).ending


def test_the_same_boot_id_is_no_reboot() -> None:
    assert proved("reboot-final", a1_host(level="hdk23")) is Ending.FAILED


def test_another_kernel_is_not_the_host_that_was_planned() -> None:
    other = KernelFacts(running="5.10.0-21-amd64", next_boot=KERNEL, headers=False)

    end = proof.reboot("reboot-after-uninstall", PLAN, BOOT, rebooted(a1_host(), kernel=other))

    assert end.ending is Ending.FAILED
    assert "5.10.0-21-amd64" in end.detail
    assert KERNEL in end.next_action


def test_the_old_driver_running_after_the_last_reboot_is_no_upgrade() -> None:
    assert proved("reboot-final", rebooted(a1_host())) is Ending.FAILED
    unread = with_driver(a1_host(level="hdk23"), running=Unknown(unknown="npu-smi hung"))
    assert proved("reboot-final", rebooted(unread)) is Ending.FAILED


def test_waiting_firmware_needs_a_cold_start_and_running_firmware_is_done() -> None:
    waiting = with_firmware(a1_host(level="hdk23"), pending=True)

    assert proved("reboot-final", rebooted(waiting)) is Ending.COLD_START_NEEDED
    assert proved("reboot-final", rebooted(a1_host(level="hdk23"))) is Ending.DONE


def test_modules_of_the_removed_driver_that_come_back_stop_the_host() -> None:
    back = with_driver(a1_host(), file=None, modules_loaded=("drv_pcie_host",))

    assert proved("reboot-after-uninstall", rebooted(back)) is Ending.MODULES_STILL_LOADED


def test_a_test_that_could_not_be_built_is_unknown_and_one_that_broke_is_a_failure() -> None:
    unbuilt = StepEnd(ending=Ending.DONE, log="make: g++: not found\nerror: make failed", status=proof.COULD_NOT_START)
    broken = StepEnd(ending=Ending.FAILED, detail="lease lost")

    assert proof.smoke(PLAN, unbuilt, (8192,)) == (Verdict.UNKNOWN, "error: make failed")
    assert proof.smoke(PLAN, broken, (8192,))[0] is Verdict.FAIL


def test_an_unknown_finding_is_not_a_verified_host() -> None:
    fine = Finding(id="target.driver", verdict=Verdict.PASS, component="driver", title="Driver")
    unread = Finding(id="target.chips", verdict=Verdict.UNKNOWN, component="chips", title="Chips", next_action="look")

    assert proof.verified((fine,)).ending is Ending.DONE
    end = proof.verified((fine, unread))
    assert (end.ending, end.next_action) == (Ending.FAILED, "look")
    assert end.detail.startswith("Chips: unknown")


def test_the_target_is_judged_with_the_chips_that_were_there_before() -> None:
    findings = proof.target(PLAN, BOOT, rebooted(a1_host(level="hdk23", chips=7)))

    assert any(finding.verdict is Verdict.FAIL and "8" in finding.expected for finding in findings)
