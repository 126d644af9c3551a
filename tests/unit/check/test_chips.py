from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import CardProcess, Chip, Holder, HostFacts, PciNpu
from ascend_provision.stack.machine import Process
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import HUNG, Case, fails, passes, prove, skips, unknown, warns
from tests.unit.factories import a1_host, a2_host, bare_host, changed, chip


def with_chip(facts: HostFacts, **changes: object) -> HostFacts:
    """The host with fields of its chip 3 changed."""
    assert not isinstance(facts.chips, Unknown)
    chips = list(facts.chips)
    chips[3] = Chip.model_validate({**chips[3].model_dump(), **changes})
    return changed(facts, chips=tuple(chips))


def without_chip(facts: HostFacts, npu: int) -> HostFacts:
    assert not isinstance(facts.chips, Unknown)
    return changed(facts, chips=tuple(one for one in facts.chips if one.npu_id != npu))


def a1_host_with(**changes: object) -> HostFacts:
    return changed(a1_host(), **changes)


CUT = Unknown(unknown="npu-smi info: the table ends in the middle")
NO_DRIVER_IN_KERNEL = Unknown(unknown="npu-smi info: dcmi module initialize failed. ret is -8005")
USED_ELSEWHERE = Unknown(
    unknown="npu-smi info: dcmi model initialized failed, because the device is used. ret is -8020"
)
AFTER_UPGRADE = Unknown(unknown="npu-smi info: dcmi module initialize failed. ret is -8001")
NO_MESSAGE = Unknown(unknown="npu-smi info: dcmi module initialize failed. ret is -8010")

CASES: list[Case] = [
    fails(
        "chips.access", "no driver in the kernel", lambda: judge_host(a1_host_with(chips=NO_DRIVER_IN_KERNEL)), "-8005"
    ),
    fails(
        "chips.access", "a container keeps the card", lambda: judge_host(a1_host_with(chips=USED_ELSEWHERE)), "-8020"
    ),
    fails(
        "chips.access", "a driver of another package", lambda: judge_host(a1_host_with(chips=AFTER_UPGRADE)), "-8001"
    ),
    fails(
        "chips.access", "a message the chip does not get", lambda: judge_host(a1_host_with(chips=NO_MESSAGE)), "-8010"
    ),
    unknown(
        "chips.access", "a hung npu-smi is not a missing driver", lambda: judge_host(a1_host_with(chips=HUNG)), "hung"
    ),
    passes("chips.access", "eight chips answer", lambda: judge_host(a1_host()), "8 chips"),
    skips("chips.access", "a bare host has nothing to ask", lambda: judge_host(bare_host())),
    fails(
        "chips.health",
        "an alarm in a table that somebody cut",
        lambda: judge_host(
            a1_host_with(chips=CUT, chips_seen=(chip(0, "910A", "c1"), chip(1, "910A", "81", health="Alarm")))
        ),
        "NPU 1 chip 0",
    ),
    unknown(
        "chips.health",
        "a cut table whose chips are well says nothing of the others",
        lambda: judge_host(a1_host_with(chips=CUT, chips_seen=(chip(0, "910A", "c1"), chip(1, "910A", "81")))),
        "ends in the middle",
    ),
    fails(
        "chips.health",
        "one alarm",
        lambda: judge_host(with_chip(a1_host(), health="Alarm")),
        "NPU 3 chip 0 (0000:B2:00.0) Alarm",
    ),
    fails(
        "chips.health",
        "a warning is not healthy",
        lambda: judge_host(with_chip(a1_host(), health="Warning")),
        "Warning",
    ),
    unknown("chips.health", "npu-smi itself says UNKNOWN", lambda: judge_host(with_chip(a1_host(), health="UNKNOWN"))),
    unknown("chips.health", "no chips were read", lambda: judge_host(a1_host_with(chips=HUNG))),
    unknown("chips.health", "an empty table is not eight healthy chips", lambda: judge_host(a1_host_with(chips=()))),
    passes("chips.health", "all chips OK", lambda: judge_host(a2_host())),
    fails("chips.count", "one card of eight is lost", lambda: judge_host(without_chip(a1_host(), 5)), "7 chips"),
    unknown("chips.count", "no chips were read", lambda: judge_host(a1_host_with(chips=HUNG))),
    unknown("chips.count", "no lspci", lambda: judge_host(a1_host_with(pci=Unknown(unknown="lspci not found")))),
    passes("chips.count", "all there", lambda: judge_host(a1_host())),
    warns("chips.product", "seven NPUs are no Atlas 800", lambda: judge_host(a1_host(chips=7)), "7 chips"),
    unknown("chips.product", "no lspci", lambda: judge_host(a1_host_with(pci=Unknown(unknown="lspci not found")))),
    unknown("chips.product", "no NPU on the bus", lambda: judge_host(a1_host_with(pci=())), "no PCI device"),
    passes("chips.product", "eight chips", lambda: judge_host(a1_host()), "8 chips"),
    warns("chips.name", "a 910B3 on A1 PCI ids", lambda: judge_host(with_chip(a1_host(), name="910B3")), "910B3"),
    unknown(
        "chips.name", "a chip name nobody published", lambda: judge_host(with_chip(a1_host(), name="910Z")), "910Z"
    ),
    passes(
        "chips.name", "910B without a digit is an A1", lambda: judge_host(with_chip(a1_host(), name="910B")), "910B"
    ),
    passes(
        "chips.name",
        "a new A2 that no list has yet",
        lambda: judge_host(with_chip(a2_host(), name="910B5-1")),
        "910B5-1",
    ),
    warns(
        "chips.name",
        "a 910ProA where the PCI id says A2",
        lambda: judge_host(with_chip(a2_host(), name="910ProA")),
        "910ProA",
    ),
    skips("chips.name", "no product", lambda: judge_host(a1_host_with(pci=()))),
    warns(
        "chips.idle-memory",
        "20 GB without a process",
        lambda: judge_host(with_chip(a1_host(), hbm_used_mb=20_000)),
        "NPU 3 chip 0 20000 MB",
    ),
    warns(
        "chips.idle-memory",
        "held without a process while another card works",
        lambda: judge_host(
            changed(
                with_chip(a2_host(), hbm_used_mb=55_000, hbm_total_mb=65_536),
                card_processes=(CardProcess(npu_id=0, chip_id=0, pid=77, name="python", memory_mb=19_000),),
                holders=(Holder(pid=77, uid=0, user="root", command="python", devices=("/dev/davinci0",)),),
            )
        ),
        "NPU 3 chip 0 55000 MB",
    ),
    unknown(
        "chips.idle-memory",
        "npu-smi told no memory of one",
        lambda: judge_host(with_chip(a1_host(), hbm_used_mb=None)),
        "NPU 3 chip 0",
    ),
    passes(
        "chips.idle-memory",
        "what an idle 64 GB chip takes by itself",
        lambda: judge_host(with_chip(a2_host(), hbm_used_mb=4_400, hbm_total_mb=65_536)),
    ),
    warns(
        "chips.idle-memory",
        "as much on a 32 GB chip",
        lambda: judge_host(with_chip(a2_host(), hbm_used_mb=4_400, hbm_total_mb=32_768)),
        "4400 MB",
    ),
    passes(
        "chips.idle-memory",
        "without a table the open node explains it",
        lambda: judge_host(
            changed(
                with_chip(a1_host(), hbm_used_mb=20_000),
                card_processes=Unknown(unknown="this npu-smi prints no process table"),
                holders=(Holder(pid=77, uid=0, user="root", command="python", devices=("/dev/davinci3",)),),
            )
        ),
        "7 idle chips",
    ),
    unknown("chips.idle-memory", "no process table", lambda: judge_host(changed(a2_host(), card_processes=HUNG))),
    passes(
        "chips.idle-memory",
        "the process explains it",
        lambda: judge_host(
            changed(
                with_chip(a1_host(), hbm_used_mb=20_000),
                card_processes=(CardProcess(npu_id=3, chip_id=0, pid=77, name="python", memory_mb=19_000),),
            )
        ),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_chips(case: Case) -> None:
    prove(case)


def test_the_lost_card_is_named_by_its_bus_id() -> None:
    findings = judge_host(without_chip(a1_host(), 5))

    lost = next(finding for finding in findings if finding.id == "chips.count")
    assert lost.evidence == "on the bus without a chip: db:00.0"


def duo(chips: int) -> HostFacts:
    """Two Atlas 300I Duo cards of which that many chips answer; both chips of a card have one bus id."""
    functions = tuple(
        PciNpu(bus=f"0{card}:00.0", device="d500", subsystem_vendor="0200", subsystem_device="0110") for card in (1, 2)
    )
    found = tuple(chip(n // 2 + 1, "310P3", f"0{n // 2 + 1}") for n in range(chips))
    return a1_host_with(pci=functions, chips=found)


def test_two_duo_cards_have_four_chips_at_two_functions() -> None:
    findings = {finding.id: finding for finding in judge_host(duo(4))}

    assert findings["chips.count"].observed == "4 chips for 2 PCI functions"
    assert findings["chips.product"].verdict.value == "pass"


def test_a_duo_card_that_lost_one_of_its_chips_is_named() -> None:
    lost = next(finding for finding in judge_host(duo(3)) if finding.id == "chips.count")

    assert (lost.verdict.value, lost.expected) == ("fail", "4 (lspci)")
    assert lost.evidence == "on the bus without a chip: 02:00.0"


def test_hdk_22_prints_no_process_table_and_is_judged_by_the_open_devices() -> None:
    no_table = Unknown(unknown="this npu-smi prints no process table")
    idle = next(f for f in judge_host(a1_host_with(card_processes=no_table)) if f.id == "chips.idle-memory")
    held = with_chip(a1_host_with(card_processes=no_table), hbm_used_mb=20_000)

    assert idle.verdict.value == "pass"
    assert next(f for f in judge_host(held) if f.id == "chips.idle-memory").verdict.value == "warn"


def test_a_sick_chip_is_said_before_anything_else() -> None:
    assert judge_host(with_chip(a1_host(), health="Alarm"))[0].id == "chips.health"


def test_memory_that_nobody_holds_names_the_zombies_of_a_host_whose_npu_smi_lists_no_process() -> None:
    dead = Process(pid=700, name="python", state="Z", ppid=600, parent="launcher")
    held = with_chip(a1_host_with(card_processes=Unknown(unknown="no table"), processes=(dead,)), hbm_used_mb=20_000)
    found = next(finding for finding in judge_host(held) if finding.id == "chips.idle-memory")

    assert found.evidence == "zombies of the host: pid 700 python, child of 600 launcher"
