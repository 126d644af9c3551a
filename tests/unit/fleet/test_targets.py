"""One wish, different chips."""

from __future__ import annotations

import pytest

from ascend_provision.fleet.gather import Gathered
from ascend_provision.fleet.targets import targets
from ascend_provision.knowledge.wishes import parse
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.target import Target
from ascend_provision.stack.versions import FirmwareVersion
from tests.unit.factories import a1_host, a2_host, changed


def gathered(*facts: HostFacts) -> Gathered:
    return Gathered(facts={one.host: one for one in facts}, unreachable={})


def test_a_named_stack_means_another_firmware_on_another_chip() -> None:
    wanted, without = targets(gathered(a1_host("a1-1"), a2_host("a2-1")), parse("hdk24"))

    assert without == {}
    assert wanted["a1-1"].driver == wanted["a2-1"].driver
    assert wanted["a1-1"].firmware == FirmwareVersion("7.5.0.2.220")
    assert wanted["a2-1"].firmware == FirmwareVersion("7.5.0.3.220")


def test_a_stack_that_one_chip_never_had_leaves_that_host_without_a_target() -> None:
    wanted, without = targets(gathered(a1_host("a1-1"), a2_host("a2-1")), parse("hdk22"))

    assert list(wanted) == ["a1-1"]
    assert without == {"a2-1": "stack `hdk22` is not published for chip 910b"}


def test_a_stack_that_no_chip_of_the_fleet_had_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="hdk22"):
        targets(gathered(a2_host("a2-1")), parse("hdk22"))


def test_a_framework_names_nothing_to_install() -> None:
    assert targets(gathered(a1_host("a1-1")), parse("torch_npu=2.1.0")) == ({"a1-1": Target()}, {})


def test_a_host_whose_bus_could_not_be_read_has_no_target() -> None:
    blind = changed(a1_host("a1-1"), pci=Unknown(unknown="lspci hung"))

    assert targets(gathered(blind), parse("hdk23")) == ({}, {"a1-1": "lspci hung"})
