from __future__ import annotations

import pytest

from ascend_provision.check import judge_target
from ascend_provision.knowledge import stacks
from ascend_provision.stack.facts import BootFacts, Chip, HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.target import Target
from tests.unit.check.cases import HUNG, Case, fails, passes, prove, unknown
from tests.unit.factories import KERNEL, a1_host, bare_host, cann, changed, with_driver, with_firmware

UNREAD = Unknown(unknown="cut")
FOUND = stacks.named("hdk23", "910")
assert FOUND is not None
HDK23: Target = FOUND


def done() -> HostFacts:
    return a1_host(level="hdk23")


def verified(facts: HostFacts, **more: object) -> tuple[Finding, ...]:
    known: dict[str, object] = {"chips_before": 8, "boot_id_before": "boot-before", "kernel": KERNEL, **more}
    return judge_target(facts, HDK23, **known)


def sick() -> HostFacts:
    facts = done()
    assert not isinstance(facts.chips, Unknown)
    first, *rest = facts.chips
    return changed(facts, chips=(Chip.model_validate({**first.model_dump(), "health": "Alarm"}), *rest))


CASES: list[Case] = [
    passes("verify.driver", "running and installed", lambda: verified(done()), "23.0.3"),
    fails(
        "verify.driver",
        "the old one still runs",
        lambda: verified(with_driver(done(), running="22.0.4")),
        "22.0.4 is running",
    ),
    fails(
        "verify.driver",
        "the file is another",
        lambda: verified(with_driver(done(), file="23.0.5")),
        "23.0.5 is installed",
    ),
    fails("verify.driver", "an overwrite that left none", lambda: verified(bare_host()), "no driver is running"),
    unknown("verify.driver", "hung", lambda: verified(with_driver(done(), running=HUNG))),
    passes("verify.modules", "loaded", lambda: verified(done())),
    fails("verify.modules", "none", lambda: verified(with_driver(done(), modules_loaded=()))),
    unknown("verify.modules", "no lsmod", lambda: verified(with_driver(done(), modules_loaded=UNREAD))),
    passes("verify.firmware", "in every chip", lambda: verified(done()), "7.1.0.5.220"),
    fails(
        "verify.firmware",
        "one chip behind",
        lambda: verified(with_firmware(done(), flash=("1.84.15.1.310", "7.1.0.5.220"))),
        "1.84.15.1.310",
    ),
    unknown("verify.firmware", "hung", lambda: verified(with_firmware(done(), flash=HUNG))),
    unknown("verify.firmware", "a board hung", lambda: verified(with_firmware(done(), doubt=HUNG))),
    unknown("verify.firmware", "no chip answered", lambda: verified(with_firmware(done(), flash=()))),
    passes("verify.firmware-active", "idle", lambda: verified(done())),
    fails("verify.firmware-active", "a cold start is needed", lambda: verified(with_firmware(done(), pending=True))),
    unknown("verify.firmware-active", "hung", lambda: verified(with_firmware(done(), pending=HUNG))),
    passes("verify.cann", "7.0.0", lambda: verified(done()), "toolkit 7.0.0"),
    fails("verify.cann", "the old one", lambda: verified(changed(done(), cann=(cann("a1-hdk22"),))), "toolkit 6.0.1"),
    fails(
        "verify.cann",
        "old kernels beside it",
        lambda: verified(changed(done(), cann=(cann("a1-hdk23"), cann("a1-hdk22", "kernels", chip="910")))),
        "kernels 6.0.1",
    ),
    fails("verify.cann", "none", lambda: verified(changed(done(), cann=())), "no CANN"),
    unknown("verify.cann", "unread", lambda: verified(changed(done(), cann=UNREAD))),
    passes("verify.chips", "eight before and after", lambda: verified(done()), "8 chips OK"),
    fails("verify.chips", "one lost in the reboot", lambda: verified(a1_host(level="hdk23", chips=7)), "7 chips"),
    fails("verify.chips", "one sick after it", lambda: verified(sick()), "NPU 0 chip 0 Alarm"),
    unknown("verify.chips", "hung", lambda: verified(changed(done(), chips=HUNG))),
    passes("verify.rebooted", "a new boot id", lambda: verified(done())),
    fails(
        "verify.rebooted", "the reboot never came", lambda: verified(done(), boot_id_before="boot-a1-01-1"), "as before"
    ),
    unknown(
        "verify.rebooted", "unread", lambda: verified(changed(done(), boot=BootFacts(boot_id=UNREAD, booted_at=UNREAD)))
    ),
    passes("verify.kernel", "the same", lambda: verified(done()), KERNEL),
    fails("verify.kernel", "booted another one", lambda: verified(done(), kernel="4.19.90"), KERNEL),
    unknown(
        "verify.kernel",
        "unread",
        lambda: verified(changed(done(), kernel=done().kernel.model_copy(update={"running": UNREAD}))),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_target(case: Case) -> None:
    prove(case)


def test_a_host_at_its_target_passes_everything() -> None:
    assert {finding.verdict.value for finding in verified(done())} == {"pass"}


def test_a_wish_for_cann_alone_says_nothing_about_the_driver() -> None:
    given = judge_target(a1_host(), Target(cann=HDK23.cann))

    assert {finding.id for finding in given} == {"verify.cann", "verify.chips"}


def test_a_cold_start_is_asked_for_in_words() -> None:
    found = next(f for f in verified(with_firmware(done(), pending=True)) if f.id == "verify.firmware-active")

    assert found.next_action.startswith("power the host off and on")


def test_an_empty_table_where_nobody_counted_before_is_not_a_pass() -> None:
    found = next(f for f in verified(changed(done(), chips=()), chips_before=None) if f.id == "verify.chips")

    assert found.verdict.value == "fail"
