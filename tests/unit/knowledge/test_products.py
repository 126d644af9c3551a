from __future__ import annotations

import re

import pytest

from ascend_provision.knowledge import products
from ascend_provision.stack.facts import PciNpu


def function(device: str, subsystem: str = "0000:0000", bus: str = "61:00.0") -> PciNpu:
    vendor, _, card = subsystem.partition(":")
    return PciNpu(bus=bus, device=device, subsystem_vendor=vendor, subsystem_device=card)


@pytest.mark.parametrize("row", products.known(), ids=lambda row: row.id)
def test_every_product_is_found_from_its_own_pci_ids(row: products.Product) -> None:
    device = re.search(r"\[19e5:([0-9a-f]{4})\]", row.example)

    assert device is not None
    for subsystem in row.subsystems:
        assert products.identify([function(device[1], subsystem)]) == row


def test_no_pci_id_belongs_to_two_products() -> None:
    ids = [(row.device, subsystem) for row in products.known() for subsystem in row.subsystems]

    assert len(ids) == len(set(ids))


def test_an_unlisted_subsystem_still_tells_the_family() -> None:
    found = products.identify([function("d802", "19e5:9999")])

    assert found is not None
    assert (found.family, found.chip) == ("A2", "910b")


def test_huaweis_network_card_is_no_npu() -> None:
    assert products.identify([function("1822")]) is None
    assert products.npus([function("1822"), function("d801", "0200:0100")]) == (function("d801", "0200:0100"),)


def test_a_duo_card_has_two_chips_at_one_function_and_an_a3_die_has_its_own() -> None:
    duo, die, unlisted = function("d500", "0200:0110"), function("d803", "19e5:3000"), function("d500", "19e5:9999")

    assert products.chip_count([duo, duo]) == 4
    assert products.chip_count([die] * 16) == 16
    assert products.chip_count([unlisted, function("1822")]) == 1


def test_a_host_with_two_families_is_not_identified() -> None:
    assert products.identify([function("d801", "0200:0100"), function("d500", "0200:0110")]) is None


def test_two_products_of_one_family_are_still_that_family() -> None:
    found = products.identify([function("d802", "19e5:3000"), function("d802", "19e5:6000")])

    assert found is not None
    assert found.family == "A2"


@pytest.mark.parametrize(
    ("name", "family"),
    [("910B", "A1"), ("910ProB", "A1"), ("910B3", "A2"), ("910B4-1", "A2"), ("Ascend910", "A3"), ("310P3", "310P")],
)
def test_the_chip_name_trap_910b_without_a_digit_is_an_a1(name: str, family: str) -> None:
    assert products.family_of_name(name) == family


def test_a_name_nobody_published_has_no_family() -> None:
    assert products.family_of_name("910Z9") is None


def test_chips_of_one_family_by_name_name_a_product_of_it_and_mixed_ones_none() -> None:
    found = products.of_names({"910B3"})

    assert found is not None
    assert found.family == "A2"
    assert products.of_names({"910B3", "910B"}) is None
    assert products.of_names({"910Z"}) is None
    assert products.of_names(set()) is None


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Ascend910", "A3"),
        ("Ascend910A", "A1"),
        ("Ascend910B", "A1"),
        ("910B", "A1"),
        ("Ascend910ProB", "A1"),
        ("910PremiumA", "A1"),
        ("Ascend910B1", "A2"),
        ("Ascend910B2C", "A2"),
        ("910B4-1", "A2"),
        ("910B7", "A2"),
        ("Ascend910_9391", "A3"),
        ("310P3", "310P"),
        ("310B4", "310B"),
        ("910C", None),
        ("910BX", None),
        ("", None),
    ],
)
def test_a_chip_name_tells_its_family_or_nothing(name: str, family: str | None) -> None:
    assert products.family_of_name(name) == family


@pytest.mark.parametrize("form", products.name_forms(), ids=lambda form: form.form)
def test_every_form_has_names_of_its_own(form: products.NameForm) -> None:
    assert {products.family_of_name(name) for name in form.examples} == {form.family}
