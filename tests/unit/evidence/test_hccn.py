from __future__ import annotations

from typing import Any

import pytest

from ascend_provision.evidence import hccn
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import NpuNetwork
from ascend_provision.stack.model import Unknown

TOOL = Evidence(name="hccn_tool", status=0)


@pytest.mark.of("conf")
def test_hccn_conf_reads_as_its_devices(case: Any, plain: Any) -> None:
    reading = hccn.parse_conf(case.evidence())

    assert case.facts == plain(reading.facts)
    assert case.unread == reading.unread


@pytest.mark.of("ip")
def test_a_live_address_reads_as_published(case: Any, plain: Any) -> None:
    assert case.facts == plain(hccn.parse_ip(case.evidence()).facts)


@pytest.mark.of("link")
def test_a_link_reads_as_published(case: Any, plain: Any) -> None:
    assert case.facts == plain(hccn.parse_link(case.evidence()).facts)


def test_an_address_that_an_installer_dropped_is_seen_as_none_live_and_kept_in_the_file() -> None:
    live = {0: (Evidence(name="ip", status=13, text="Get ipconf failed, because no ip was preset there!\n"),
                Evidence(name="link", status=0, text="link status: UP\n"))}  # fmt: skip
    found = hccn.network({0: {"address": "10.20.0.2"}}, live, TOOL).facts

    assert found == (NpuNetwork(device=0, conf_address="10.20.0.2", live_address=None, link_up=True),)


def test_a_hung_hccn_tool_leaves_the_file_known_and_the_live_side_unknown() -> None:
    hung = Evidence(name="hccn_tool.ip.0", note="timed out after 10 s")
    skipped = Evidence(name="hccn_tool.link.0", note="skipped: hccn_tool hung")
    found = hccn.network({0: {"address": "10.20.0.2"}}, {0: (hung, skipped)}, TOOL).facts

    assert not isinstance(found, Unknown)
    assert found[0].conf_address == "10.20.0.2"
    assert found[0].live_address == Unknown(unknown="hccn_tool.ip.0: timed out after 10 s")
    assert found[0].link_up == Unknown(unknown="hccn_tool.link.0: skipped: hccn_tool hung")


def test_a_host_without_cards_and_conf_has_no_network() -> None:
    assert hccn.network({}, {}, Evidence(name="hccn_tool", note="not found")).facts == ()


def test_an_unreadable_conf_without_devices_is_unknown() -> None:
    why = Unknown(unknown="hccn.conf: not readable")

    assert hccn.network(why, {}, TOOL).facts == why
