from __future__ import annotations

import pytest

from ascend_provision.knowledge import products, rank_tables


@pytest.mark.parametrize("family", sorted({product.family for product in products.known() if product.nic != "none"}))
def test_every_family_with_an_npu_network_has_a_form(family: str) -> None:
    row = rank_tables.form(family)

    assert row is not None
    assert row.versions


def test_a_family_without_pci_ids_is_known_by_its_chips() -> None:
    row = rank_tables.form(products.family_of_name("950PR") or "")

    assert row is not None
    assert row.family == "A5"
    assert rank_tables.form("310P") is None


def test_a_version_that_needs_more_is_one_the_family_reads() -> None:
    assert all(row.super_device_in in row.versions for row in rank_tables.forms() if row.super_device_in)


def test_jobs_read_these_files_without_being_told() -> None:
    assert "/etc/hccl_rootinfo.json" in rank_tables.used()
