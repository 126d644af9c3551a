from __future__ import annotations

from ascend_provision.knowledge.components import Item
from ascend_provision.knowledge.matrix import published
from ascend_provision.knowledge.tables import tables


def test_the_bits_of_a_row_are_the_verdicts_of_the_matrix() -> None:
    versions = ("8.1.RC1", "8.2.RC1", "8.3.RC1")
    good, doubtful = tables(published(), "910b").masks(Item(component="mindspore", version="2.7.1"), "cann", versions)

    assert (good, doubtful) == (0b100, 0)


def test_kernels_and_nnal_come_with_every_cann() -> None:
    found = tables(published(), "910b")

    assert found.candidates("nnal") == found.candidates("cann")


def test_a_framework_needs_what_its_rows_name_down_to_the_firmware_but_no_derived_name() -> None:
    found = tables(published(), "910b")

    assert {"cann", "torch"} <= set(found.needs("torch_npu"))
    assert not {"torch_npu_series", "python"} & set(found.needs("torch_npu"))
    assert found.needs("hdk") == ("firmware",)


def test_hosts_of_one_chip_share_their_tables() -> None:
    assert tables(published(), "910b") is tables(published(), "910b")
