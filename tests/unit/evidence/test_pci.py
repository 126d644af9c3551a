from __future__ import annotations

from ascend_provision.evidence import pci
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import PciNpu
from ascend_provision.stack.model import Unknown


def read(text: str, status: int = 0) -> tuple[PciNpu, ...] | Unknown:
    return pci.parse(Evidence(name="pci", status=status, text=text)).facts


def test_functions_come_in_bus_order_with_their_ids() -> None:
    text = "0000:C1:00.0 device=0xd801 subsystem=0x0200:0x0100\n0000:01:00.0 device=0xd801 subsystem=:\n"

    assert read(text) == (
        PciNpu(bus="0000:01:00.0", device="d801"),
        PciNpu(bus="0000:c1:00.0", device="d801", subsystem_vendor="0200", subsystem_device="0100"),
    )


def test_a_host_without_an_npu_has_none_and_one_without_sysfs_is_unknown() -> None:
    assert read("") == ()
    assert isinstance(read("", 1), Unknown)


def test_a_line_of_another_form_is_not_dropped() -> None:
    assert isinstance(read("01:00.0 Processing accelerators: Huawei Device d802\n"), Unknown)
