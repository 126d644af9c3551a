from __future__ import annotations

from ascend_provision.check import reading
from ascend_provision.stack.facts import BootFacts, Chip, InstallLog
from ascend_provision.stack.model import Unknown
from tests.unit.factories import BOOTED_AT, a1_host, bare_host, cann, changed, chip, with_driver

DARK = Unknown(unknown="cut")


def named(*names: str) -> tuple[Chip, ...]:
    return tuple(chip(number, name, f"C{number}") for number, name in enumerate(names))


def test_a_driver_that_could_not_be_looked_for_is_not_a_missing_one() -> None:
    assert reading.no_driver(bare_host())
    assert not reading.no_driver(a1_host())
    assert not reading.no_driver(with_driver(a1_host(), file=DARK))


def test_a_reboot_is_pending_only_by_a_log_newer_than_the_boot() -> None:
    def logged(at: float) -> InstallLog:
        return InstallLog(modified_at=at, hdk_at=at, last_line="done", unfinished=False)

    assert reading.reboot_pending(a1_host()) is False
    assert reading.reboot_pending(changed(a1_host(), install_log=logged(BOOTED_AT - 1))) is False
    assert reading.reboot_pending(changed(a1_host(), install_log=logged(BOOTED_AT + 1))) is True
    assert reading.reboot_pending(changed(a1_host(), install_log=DARK)) is None
    unclocked = changed(a1_host(), install_log=logged(1), boot=BootFacts(boot_id="b", booted_at=DARK))
    assert reading.reboot_pending(unclocked) is None


def test_only_runtimes_are_suites() -> None:
    parts = (cann("a1-hdk22"), cann("a1-hdk22", "kernels", chip="910"), cann("a1-hdk22", "nnae"))

    assert [item.part for item in reading.suites(changed(a1_host(), cann=parts))] == ["toolkit", "nnae"]
    assert reading.suites(changed(a1_host(), cann=DARK)) == ()


def test_the_product_is_read_from_the_pci_bus_and_by_the_chips_names_where_nobody_could_read_that() -> None:
    blind = changed(a1_host(), pci=Unknown(unknown="not in the evidence given"))
    known, by_name = reading.product(a1_host()), reading.product(blind)

    assert known is not None
    assert by_name is not None
    assert (by_name.family, by_name.chip) == (known.family, known.chip) == ("A1", "910")
    assert reading.product(changed(blind, chips=Unknown(unknown="npu-smi hung"))) is None
    assert reading.product(bare_host(pci=())) is None


def test_the_family_of_a_generation_without_a_product_is_told_by_its_chips_names() -> None:
    chips = named("950PR", "950PR")

    assert reading.family(a1_host()) == "A1"
    assert reading.family(changed(a1_host(), pci=(), chips=chips)) == "A5"
    assert reading.family(changed(a1_host(), pci=(), chips=(*chips, *named("910B3")))) is None
    assert reading.family(changed(a1_host(), pci=(), chips=DARK)) is None


def test_a_long_list_is_cut_and_counted() -> None:
    assert reading.several(["a", "b"]) == "a, b"
    assert reading.several(["a", "b", "c"], 2, "; ") == "a; b and 1 more"
