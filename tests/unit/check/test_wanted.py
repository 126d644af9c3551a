from __future__ import annotations

import pytest

from ascend_provision.check.wanted import target
from ascend_provision.stack.errors import UsageError
from tests.unit.factories import a1_host, a2_host, changed


def test_a_named_stack_means_what_was_published_for_the_hosts_chip() -> None:
    assert str(target(a1_host(), "hdk24", "", "", "").firmware) == "7.5.0.2.220"
    assert str(target(a2_host(), "hdk24", "", "", "").firmware) == "7.5.0.3.220"


def test_a_version_overrides_that_of_the_stack_and_leaves_the_rest() -> None:
    wanted = target(a1_host(), "hdk23", "", "", "8.0.0")

    assert (str(wanted.driver), str(wanted.cann)) == ("23.0.3", "8.0.0")


def test_a_driver_brings_its_published_firmware_as_it_does_for_an_upgrade() -> None:
    assert str(target(a1_host(), "", "23.0.3", "", "").firmware) == "7.1.0.5.220"


def test_versions_alone_need_no_product() -> None:
    wanted = target(changed(a1_host(), pci=()), "", "23.0.3", "", "")

    assert (str(wanted.driver), wanted.firmware, wanted.cann) == ("23.0.3", None, None)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("", "", "", ""), "target-missing"),
        (("hdk22", "", "", ""), "wish-unknown-stack"),
        (("hdk99", "", "", ""), "wish-unknown-stack"),
        (("", "", "seven", ""), "wish-bad-version"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_can(arguments: tuple[str, str, str, str], code: str) -> None:
    with pytest.raises(UsageError) as caught:
        target(a2_host(), *arguments)

    assert caught.value.code == code
    assert caught.value.next_action


def test_a_stack_means_nothing_on_a_host_without_a_known_npu() -> None:
    with pytest.raises(UsageError) as caught:
        target(changed(a1_host(), pci=()), "hdk23", "", "", "")

    assert caught.value.code == "product-unknown"
