"""The NPU network of a lab host: hccn_tool, /etc/hccn.conf, and the subnet rule of each product."""

from __future__ import annotations

import pytest

from ascend_provision.lab.ascend import network, profiles
from tests.unit.lab.ascend.conftest import Host, MakeHost


def conf(host: Host) -> dict[str, str]:
    return dict(line.split("=", 1) for line in (host.root / "etc/hccn.conf").read_text().splitlines())


def test_on_a1_npu_n_and_n_plus_4_share_one_of_four_subnets(a1_hdk23: Host) -> None:
    nets = [conf(a1_hdk23)[f"address_{npu}"].rsplit(".", 2)[0] for npu in range(8)]

    assert nets[:4] == nets[4:]
    assert len(set(nets)) == 4


def test_on_a2_all_npus_are_in_one_subnet(a2_hdk24: Host) -> None:
    assert len({conf(a2_hdk24)[f"address_{npu}"].rsplit(".", 2)[0] for npu in range(8)}) == 1


def test_on_a3_the_two_dies_of_an_npu_are_in_different_subnets(make_host: MakeHost) -> None:
    settings = conf(make_host("atlas-800t-a3", "hdk25"))
    nets = [settings[f"address_{device}"].rsplit(".", 2)[0] for device in range(16)]

    assert all(nets[die] != nets[die + 1] for die in range(0, 16, 2))
    assert [key for key in settings if key.endswith("_15")] == [
        "address_15", "netmask_15", "gateway_15", "arp_15", "netdetect_15", "send_arp_status_15", "tls_enable_15",
    ]  # fmt: skip
    assert settings["arp_15"].startswith(f"-i eth15 -s {settings['address_14']} ")


def test_an_a3_answers_on_all_its_devices(make_host: MakeHost) -> None:
    host = make_host("atlas-800t-a3", "hdk25")

    assert host.run("hccn_tool", "-i", "15", "-ip", "-g").stdout.startswith("ipaddr:10.101.1.25\n")
    assert host.run("hccn_tool", "-i", "15", "-link", "-g").stdout == "link status: UP\n"
    mac = host.run("hccn_tool", "-i", "14", "-mac", "-g").stdout.split()[-1]
    assert conf(host)["arp_15"].endswith(mac)


def test_chips_without_a_network_port_have_no_hccn_conf(make_host: MakeHost) -> None:
    host = make_host("atlas-300i-duo", "hdk23")

    assert not (host.root / "etc/hccn.conf").exists()
    assert list((host.root / "opt/ascend-lab/hw/hccn").iterdir()) == []


def test_no_two_hosts_share_an_address() -> None:
    seen = [
        network.address(profiles.get(name), index, npu)[0]
        for name in profiles.names()
        for index in range(32)
        for npu in range(8)
        if name == "atlas-800-9000"
    ]

    assert len(set(seen)) == len(seen) == 256


def test_hdk_22_writes_no_tls_line_and_23_does(a1_hdk22: Host, a1_hdk23: Host) -> None:
    assert not any(key.startswith("tls_enable") for key in conf(a1_hdk22))
    assert [k for k in conf(a1_hdk23) if k.endswith("_0")] == [
        "address_0",
        "netmask_0",
        "netdetect_0",
        "gateway_0",
        "send_arp_status_0",
        "tls_enable_0",
    ]


@pytest.mark.parametrize(
    ("topic", "first_line"),
    [
        ("-ip", "ipaddr:10.101.1.11"),
        ("-link", "link status: UP"),
        ("-net_health", "net health status: Success"),
        ("-netdetect", "netdetect address: 10.101.0.1"),
        ("-fec", "fec mode: rs FEC mode"),
        ("-speed", "Speed: 100000 Mb/s"),
        ("-status", "Netdev status:Settings for eth1:"),
        ("-optical", "optical info:"),
        ("-stat", "packet statistics:"),
        ("-lldp", "Chassis ID TLV"),
        ("-hw_stats", "[devid 1] pd_alloc: 0"),
    ],
)
def test_what_the_tool_shows(a1_hdk23: Host, topic: str, first_line: str) -> None:
    done = a1_hdk23.run("hccn_tool", "-i", "1", topic, "-g")

    assert (done.returncode, done.stdout.splitlines()[0]) == (0, first_line)


def test_a_link_that_is_down_is_down_in_every_answer(a1_hdk23: Host) -> None:
    a1_hdk23.fault("hccn-link-down", "2")

    assert a1_hdk23.run("hccn_tool", "-i", "2", "-link", "-g").stdout == "link status: DOWN\n"
    assert a1_hdk23.run("hccn_tool", "-i", "2", "-net_health", "-g").stdout == "net health status: Fault\n"
    assert (
        "0 received, 100.00% packet loss"
        in a1_hdk23.run("hccn_tool", "-i", "2", "-ping", "-g", "address", "10.102.9.9").stdout
    )
    assert a1_hdk23.run("hccn_tool", "-i", "1", "-link", "-g").stdout == "link status: UP\n"


def test_setting_an_address_changes_the_npu_and_the_file_and_keeps_the_files_mode(a1_hdk23: Host) -> None:
    mode = (a1_hdk23.root / "etc/hccn.conf").stat().st_mode

    done = a1_hdk23.run("hccn_tool", "-i", "4", "-ip", "-s", "address", "192.168.9.4", "netmask", "255.255.255.0")

    assert (done.returncode, done.stdout) == (0, "")
    assert a1_hdk23.run("hccn_tool", "-i", "4", "-ip", "-g").stdout == "ipaddr:192.168.9.4\nnetmask:255.255.255.0\n"
    assert (conf(a1_hdk23)["address_4"], conf(a1_hdk23)["netmask_4"]) == ("192.168.9.4", "255.255.255.0")
    assert len(conf(a1_hdk23)) == 48
    assert (a1_hdk23.root / "etc/hccn.conf").stat().st_mode == mode


def test_recovery_puts_the_files_settings_back_on_the_npu(a1_hdk23: Host) -> None:
    (a1_hdk23.root / "opt/ascend-lab/hw/hccn/0").write_text("")

    assert a1_hdk23.run("hccn_tool", "-i", "0", "-ip", "-g").returncode == 13
    assert a1_hdk23.run("hccn_tool", "-i", "0", "-cfg", "recovery").returncode == 0
    assert a1_hdk23.run("hccn_tool", "-i", "0", "-ip", "-g").stdout.startswith("ipaddr:10.100.1.10\n")


def test_without_a_detect_address_the_network_is_init(a1_hdk23: Host) -> None:
    (a1_hdk23.root / "opt/ascend-lab/hw/hccn/0").write_text("address=10.0.0.1\nnetmask=255.0.0.0\n")

    assert a1_hdk23.run("hccn_tool", "-i", "0", "-net_health", "-g").stdout == "net health status: Init\n"


def test_a_bare_host_has_no_npu_network(make_host: MakeHost) -> None:
    host = make_host("atlas-800-9000", "bare")

    assert not (host.root / "etc/hccn.conf").exists()
    done = host.run("hccn_tool", "-i", "0", "-ip", "-g")
    assert (done.returncode, done.stdout) == (1, "Command execute failed!\n")


def test_tls_that_is_on_for_one_device_is_off_for_the_others(a1_hdk23: Host) -> None:
    a1_hdk23.fault("hccn-tls-on", "5")
    answers = [a1_hdk23.run("hccn_tool", "-i", str(npu), "-tls", "-g").stdout for npu in (4, 5)]

    assert [f"tls switch[{on}]" in answer for on, answer in enumerate(answers)] == [True, True]


def test_without_an_address_to_detect_the_health_stays_at_init(a1_hdk23: Host) -> None:
    a1_hdk23.fault("hccn-no-detect", "3,4")

    assert a1_hdk23.run("hccn_tool", "-i", "3", "-netdetect", "-g").stdout == "netdetect address: 0.0.0.0\n"
    assert a1_hdk23.run("hccn_tool", "-i", "4", "-net_health", "-g").stdout == "net health status: Init\n"
    assert a1_hdk23.run("hccn_tool", "-i", "2", "-net_health", "-g").stdout == "net health status: Success\n"
