from __future__ import annotations

from typing import Any

import pytest

from ascend_provision.evidence import hccn
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.network import NpuNetwork

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


@pytest.mark.of("health")
def test_net_health_is_the_tools_own_word(case: Any) -> None:
    assert case.facts == hccn.parse_health(case.evidence()).facts


@pytest.mark.of("netdetect")
def test_no_detect_address_is_none(case: Any) -> None:
    assert case.facts == hccn.parse_netdetect(case.evidence()).facts


@pytest.mark.of("tls")
def test_the_tls_switch_is_on_or_off(case: Any) -> None:
    assert case.facts == hccn.parse_tls(case.evidence()).facts


@pytest.mark.parametrize(
    ("section", "device"),
    [("hccn_tool.tls.7", 7), ("hccn_tool.ip.15", 15), ("hccn_tool", None), ("hccn_tool.optical.1", None),
     ("hccn_tool.ip.x", None), ("npu-smi.board.0", None)],
)  # fmt: skip
def test_a_section_is_about_one_device(section: str, device: int | None) -> None:
    assert hccn.device_of(section) == device


def live(**said: Evidence) -> hccn.Live:
    """What hccn_tool said about a healthy device, but for what is given."""
    usual = {
        "ip": Evidence(name="ip", status=0, text="ipaddr:10.20.0.2\nnetmask:255.255.0.0\n"),
        "link": Evidence(name="link", status=0, text="link status: UP\n"),
        "health": Evidence(name="health", status=0, text="net health status: Success\n"),
        "netdetect": Evidence(name="netdetect", status=0, text="netdetect address: 10.20.0.1\n"),
        "tls": Evidence(name="tls", status=0, text="dev_id:0, tls switch[0](0:disable, 1:enable)\n"),
    }
    return hccn.Live(**{**usual, **said})


def test_file_and_card_of_one_device_come_together() -> None:
    conf = {0: {"address": "10.20.0.2", "netmask": "255.255.0.0", "gateway": "10.20.0.1", "netdetect": "10.20.0.1"}}

    assert hccn.network(conf, {0: live()}, TOOL).facts == (
        NpuNetwork(
            device=0, conf_address="10.20.0.2", live_address="10.20.0.2", link_up=True, conf_netmask="255.255.0.0",
            live_netmask="255.255.0.0", conf_gateway="10.20.0.1", conf_netdetect="10.20.0.1",
            live_netdetect="10.20.0.1", health="Success", tls=False,
        ),
    )  # fmt: skip


def test_a_device_with_an_ipv6_address_only_is_not_one_without_an_address() -> None:
    found = hccn.network({0: {"IPv6address": "fd00::2"}}, {0: live()}, TOOL).facts

    assert not isinstance(found, Unknown)
    assert isinstance(found[0].conf_address, Unknown)


def test_an_address_that_an_installer_dropped_is_seen_as_none_live_and_kept_in_the_file() -> None:
    none = Evidence(name="ip", status=13, text="Get ipconf failed, because no ip was preset there!\n")
    found = hccn.network({0: {"address": "10.20.0.2"}}, {0: live(ip=none)}, TOOL).facts

    assert not isinstance(found, Unknown)
    assert (found[0].conf_address, found[0].live_address, found[0].link_up) == ("10.20.0.2", None, True)


def test_a_hung_hccn_tool_leaves_the_file_known_and_the_live_side_unknown() -> None:
    hung = Evidence(name="hccn_tool.ip.0", note="timed out after 10 s")
    skipped = Evidence(name="hccn_tool.link.0", note="skipped: hccn_tool hung")
    found = hccn.network({0: {"address": "10.20.0.2"}}, {0: live(ip=hung, link=skipped, tls=skipped)}, TOOL).facts

    assert not isinstance(found, Unknown)
    assert found[0].conf_address == "10.20.0.2"
    assert found[0].live_address == Unknown(unknown="hccn_tool.ip.0: timed out after 10 s")
    assert found[0].link_up == Unknown(unknown="hccn_tool.link.0: skipped: hccn_tool hung")
    assert isinstance(found[0].tls, Unknown)


def test_a_host_without_cards_and_conf_has_no_network() -> None:
    assert hccn.network({}, {}, Evidence(name="hccn_tool", note="not found")).facts == ()


def test_an_unreadable_conf_without_devices_is_unknown() -> None:
    why = Unknown(unknown="hccn.conf: not readable")

    assert hccn.network(why, {}, TOOL).facts == why
