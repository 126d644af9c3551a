"""Steps back: what is refused, and what is planned with a word."""

from __future__ import annotations

import pytest

from ascend_provision.stack.facts import OsFacts
from ascend_provision.stack.machine import HardwareRecord
from ascend_provision.stack.model import Unknown
from tests.unit.factories import a1_host, a2_host, changed
from tests.unit.planner.test_plan import planned


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (HardwareRecord(), "the running driver keeps no record of what its cards demand"),
        (HardwareRecord(demand=Unknown(unknown="crc_error")), "crc_error"),
        (HardwareRecord(demand=234, releases={234: "23.0.0"}, clocks=("NA",), memory=("NA",)), ""),
    ],
)
def test_on_a2_a_step_back_that_the_cards_may_refuse_is_planned_and_says_so(record: HardwareRecord, said: str) -> None:
    plan = planned(changed(a2_host(level="hdk24"), hardware=record))
    doubts = [note for note in plan.notes if "whether these cards refuse an HDK as old as 23.0.3" in note]

    assert plan.decision == "change"
    assert [said in doubt for doubt in doubts] == ([True] if said else [])


def test_a_driver_older_than_the_system_asks_for_is_refused() -> None:
    new = OsFacts(id="openEuler", version_id="24.03", pretty_name="openEuler 24.03 (LTS-SP1)", os_release_is_link=True)
    host = a2_host(level="hdk24")
    assert not isinstance(host.pci, Unknown)
    server = {"subsystem_vendor": "19e5", "subsystem_device": "3002"}
    pci = tuple(function.model_copy(update=server) for function in host.pci)

    plan = planned(changed(host, os=new, arch="aarch64", pci=pci))
    assert any("under openEuler 24.03 (LTS-SP1) needs HDK >=25.2.0, not 23.0.3" in reason for reason in plan.reasons)
    assert not any("needs HDK" in reason for reason in planned(changed(host, os=new, pci=pci)).reasons)  # x86_64


def test_going_back_to_an_older_driver_is_called_a_downgrade() -> None:
    back = planned(a1_host(level="hdk23"), "hdk22").notes

    assert any("HDK 23.0.3 -> 22.0.4 is a step back" in note and "EDOC1100162121" in note for note in back)
    assert any("CANN 7.0.0 -> 6.0.1 is a step back, of which nothing is published" in note for note in back)
    assert not any("step back" in note for note in planned(a1_host()).notes)
