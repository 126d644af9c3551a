from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import Board, HostFacts, InstallLog
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import HUNG, Case, fails, passes, prove, skips, unknown, warns
from tests.unit.factories import (
    BOOTED_AT,
    LEVELS,
    a1_host,
    a2_host,
    bare_host,
    cann,
    changed,
    with_driver,
    with_firmware,
)

UNREAD = Unknown(unknown="driver/version.info: permission denied")


def boards(word: str | None) -> tuple[Board, ...]:
    return tuple(Board(npu_id=n, software=None, firmware=None, compatibility=word) for n in range(8))


def new_cann_on_hdk_22() -> HostFacts:
    return changed(a1_host(), cann=(cann("a1-hdk23"),))


CASES: list[Case] = [
    passes("pairing.driver-running", "running is installed", lambda: judge_host(a1_host()), "22.0.4"),
    fails(
        "pairing.driver-running",
        "installed without a reboot",
        lambda: judge_host(with_driver(a1_host(), file="23.0.3")),
        "22.0.4",
    ),
    fails(
        "pairing.driver-running",
        "no module is loaded",
        lambda: judge_host(with_driver(a1_host(), running=None)),
        "no driver is loaded",
    ),
    unknown("pairing.driver-running", "npu-smi hung", lambda: judge_host(with_driver(a1_host(), running=HUNG)), "hung"),
    skips("pairing.driver-running", "a bare host", lambda: judge_host(bare_host())),
    passes("pairing.package-reported", "package 6.0.0 reports 22.0.4", lambda: judge_host(a1_host()), "6.0.0"),
    warns(
        "pairing.package-reported",
        "package 6.0.0 does not report 23.0.3",
        lambda: judge_host(with_driver(a1_host(level="hdk23"), package="6.0.0")),
        "package 6.0.0 reports 23.0.3",
    ),
    unknown(
        "pairing.package-reported",
        "a package nobody listed",
        lambda: judge_host(with_driver(a1_host(), package="6.1.0")),
    ),
    unknown("pairing.package-reported", "unreadable", lambda: judge_host(with_driver(a1_host(), package=UNREAD))),
    skips("pairing.package-reported", "no package named", lambda: judge_host(with_driver(a1_host(), package=None))),
    passes("pairing.firmware-flash", "flash is installed", lambda: judge_host(a1_host()), "1.84.15.1.310"),
    fails(
        "pairing.firmware-flash",
        "the package was installed and not flashed",
        lambda: judge_host(with_firmware(a1_host(), file="7.1.0.5.220")),
        "1.84.15.1.310",
    ),
    fails(
        "pairing.firmware-flash",
        "one chip was left behind",
        lambda: judge_host(with_firmware(a1_host(level="hdk23"), flash=("1.84.15.1.310", "7.1.0.5.220"))),
        "chips differ",
    ),
    unknown("pairing.firmware-flash", "upgrade-tool hung", lambda: judge_host(with_firmware(a1_host(), flash=HUNG))),
    unknown("pairing.firmware-flash", "a board hung", lambda: judge_host(with_firmware(a1_host(), doubt=HUNG)), "hung"),
    unknown("pairing.firmware-flash", "no chip answered", lambda: judge_host(with_firmware(a1_host(), flash=()))),
    skips("pairing.firmware-flash", "no package", lambda: judge_host(with_firmware(a1_host(), file=None))),
    passes("pairing.driver-firmware", "hdk 22 by the table", lambda: judge_host(a1_host())),
    passes("pairing.driver-firmware", "23.0.rc3 by its list", lambda: judge_host(a2_host())),
    fails(
        "pairing.driver-firmware",
        "new driver over old flash",
        lambda: judge_host(with_firmware(a1_host(level="hdk23"), file="1.84.15.1.310", flash=("1.84.15.1.310",))),
        "driver 23.0.3 with firmware 1.84.15.1.310",
    ),
    unknown(
        "pairing.driver-firmware",
        "another build of the line",
        lambda: judge_host(with_firmware(a1_host(), file="1.84.1.1.1", flash=("1.84.1.1.1",))),
    ),
    unknown("pairing.driver-firmware", "npu-smi hung", lambda: judge_host(with_firmware(a1_host(), flash=HUNG))),
    unknown(
        "pairing.driver-firmware", "a board hung", lambda: judge_host(with_firmware(a1_host(), doubt=HUNG)), "hung"
    ),
    unknown("pairing.driver-firmware", "no file", lambda: judge_host(with_driver(a1_host(), file=UNREAD)), "denied"),
    unknown("pairing.driver-firmware", "no chip answered", lambda: judge_host(with_firmware(a1_host(), flash=()))),
    passes("pairing.compatibility-line", "OK", lambda: judge_host(a1_host(level="hdk23")), "OK on 8"),
    fails(
        "pairing.compatibility-line",
        "NOK",
        lambda: judge_host(changed(a1_host(level="hdk23"), boards=boards("NOK"))),
        "NPU 0 NOK",
    ),
    unknown(
        "pairing.compatibility-line",
        "not root",
        lambda: judge_host(changed(a1_host(level="hdk23"), boards=boards("NOT SUPPORT"))),
        "NOT SUPPORT",
    ),
    unknown(
        "pairing.compatibility-line",
        "no list of modules",
        lambda: judge_host(with_driver(a1_host(level="hdk23"), modules_loaded=UNREAD)),
    ),
    unknown(
        "pairing.compatibility-line",
        "nothing is loaded",
        lambda: judge_host(with_driver(a1_host(level="hdk23"), modules_loaded=(), running=None)),
        "no module",
    ),
    unknown("pairing.compatibility-line", "hung", lambda: judge_host(changed(a1_host(), boards=HUNG))),
    skips("pairing.compatibility-line", "hdk 22 has no such line", lambda: judge_host(a1_host())),
    skips(
        "pairing.compatibility-line",
        "not judged between install and reboot",
        lambda: judge_host(with_driver(changed(a1_host(level="hdk23"), boards=boards("NOK")), running="22.0.4")),
    ),
    skips(
        "pairing.compatibility-line",
        "not judged while the log is newer than the boot",
        lambda: judge_host(
            changed(
                a1_host(level="hdk23"),
                boards=boards("NOK"),
                install_log=InstallLog(
                    modified_at=BOOTED_AT + 10, hdk_at=BOOTED_AT + 10, last_line="done", unfinished=False
                ),
            )
        ),
    ),
    passes("pairing.cann-driver", "6.0.1 on 22.0.4", lambda: judge_host(a1_host())),
    fails("pairing.cann-driver", "7.0.0 on 22.0.4", lambda: judge_host(new_cann_on_hdk_22()), "toolkit 7.0.0"),
    passes(
        "pairing.cann-driver",
        "7.0.0 on 24.1.0 is the state between two steps",
        lambda: judge_host(changed(a1_host(level="hdk24"), cann=(cann("a1-hdk23"),))),
    ),
    unknown("pairing.cann-driver", "unreadable", lambda: judge_host(changed(a1_host(), cann=UNREAD))),
    unknown(
        "pairing.cann-driver", "driver hung", lambda: judge_host(with_driver(a1_host(), running=HUNG)), "npu-smi hung"
    ),
    unknown(
        "pairing.cann-driver",
        "neither listed nor published",
        lambda: judge_host(
            changed(a1_host(), cann=(cann("a1-hdk23").model_copy(update={"inner": None, "accepts_driver": None}),))
        ),
    ),
    skips("pairing.cann-driver", "no CANN", lambda: judge_host(changed(a1_host(), cann=()))),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_pairing(case: Case) -> None:
    prove(case)


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_a_host_at_a_published_level_has_no_pairing_fault(level: str) -> None:
    family, _, name = level.partition("-")
    facts = a1_host(level=name) if family == "a1" else a2_host(level=name)

    worst = {finding.verdict.value for finding in judge_host(facts)}
    assert worst <= {"pass", "skip"}


def test_old_firmware_is_told_which_firmware_belongs_to_the_driver() -> None:
    facts = with_firmware(a1_host(level="hdk23"), file="1.84.15.1.310", flash=("1.84.15.1.310",))

    found = next(finding for finding in judge_host(facts) if finding.id == "pairing.driver-firmware")
    assert found.expected == "7.1.0.5.220"
    assert "7.1.0.5.220" in found.next_action


def test_between_the_install_and_the_reboot_nobody_is_told_to_change_the_firmware() -> None:
    waiting = with_driver(a1_host(level="hdk23"), running="22.0.4")

    found = {finding.id: finding.verdict.value for finding in judge_host(waiting)}
    assert found["pairing.driver-firmware"] == "skip"
    assert found["pairing.driver-running"] == "fail"


def test_lists_that_refuse_a_cann_name_the_drivers_it_was_published_for() -> None:
    found = next(finding for finding in judge_host(new_cann_on_hdk_22()) if finding.id == "pairing.cann-driver")

    assert found.expected.startswith("CANN 7.0.0 with HDK 23.0.")
    assert found.expected in found.next_action
