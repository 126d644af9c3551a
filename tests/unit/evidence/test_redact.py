"""What a recording hides, and what must not change: no verdict hangs on a secret, a serial number or an address."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.check import judge_host
from ascend_provision.evidence import facts, wire
from ascend_provision.evidence.redact import redact
from tests.unit.evidence.answers import FAMILIES, answer

SALT = b"a salt of this test, 32 bytes ok"
ADDRESSES = st.ip_addresses(v=4)


@pytest.mark.parametrize(
    ("line", "gone"),
    [
        ("export HCCL_AUTH_TOKEN=hunter2", "hunter2"),
        ("pid=7 command=python serve.py --api-key hunter2 --max-num-batched-tokens 8192", "hunter2"),
        ("pid=7 command=python serve.py --password=hunter2", "hunter2"),
        ("pid=7 command=wget https://me:hunter2@example.org/x", "hunter2"),
        ('{"password": "hunter2"}', "hunter2"),
        ("Authorization: Bearer hunter2", "hunter2"),
        ("Authorization: Token hunter2", "hunter2"),
        ('{"auths": {"swr.example.org": {"auth": "aHVudGVyMg=="}}}', "aHVudGVyMg=="),
        ("export SECRET_KEY=hunter2", "hunter2"),
        ("export OBS_SECRET_ACCESS_KEY=hunter2", "hunter2"),
        ("export DJANGO_SECRET_KEY='hunter2'", "hunter2"),
        ("pid=7 command=obsutil cp --secret-key hunter2 a b", "hunter2"),
        ("pid=7 command=obsutil config -ak hunter1 -sk hunter2", "hunter2"),
        ("pid=7 command=obsutil config -ak hunter1 -sk hunter2", "hunter1"),
        ("export AK=hunter1 SK=hunter2", "hunter2"),
        ("export PGPASSWORD=hunter2", "hunter2"),
        ("dbpassword: hunter2", "hunter2"),
        ("passphrase: correct horse battery", "battery"),
        ("pid=7 command=x hf_abcdefghijklmnopqrstuvwx", "hf_abcdefghijklmnopqrstuvwx"),
        ("\tSerial Number                  : 2102310XXX10P8000001", "2102310XXX10P8000001"),
        ("\tVDie ID                        : 1A2B3C4D 5E6F", "1A2B3C4D"),
        ("arp_0=-i eth0 -s 10.20.0.114 bc:1e:85:d8:ca:dd", "bc:1e:85:d8:ca:dd"),
        ("arp_0=-i eth0 -s 10.20.0.114 bc:1e:85:d8:ca:dd", "10.20.0.114"),
        ("address_0=fd00:1:2::17", "fd00:1:2::17"),
    ],
)
def test_secrets_serials_and_addresses_are_gone(line: str, gone: str) -> None:
    assert gone not in redact(f"|{line}", SALT)


@pytest.mark.parametrize(
    "line",
    [
        "HwHiAiUser:x:1000:1000::/home/HwHiAiUser:/bin/bash",
        "pid=7 command=python serve.py --max-num-batched-tokens 8192 --tokenizer /models/q",
        "netmask_0=255.255.255.0",
        "address_0=0.0.0.0",
        "server_id:127.0.0.1",
        "\tSerial Number                  : NA",
        "export PYTORCH_NPU_ALLOC_CONF=expandable_segments:True",
        "| 0                         | 0000:C1:00.0  | 0           0    / 0          3351 / 65536         |",
        "at_npu::native::AclSetCompileopt",
    ],
)
def test_what_findings_need_stays(line: str) -> None:
    assert redact(f"|{line}", SALT) == f"|{line}"


def test_four_numbers_that_are_a_version_stay_in_the_sections_that_have_versions() -> None:
    answer_of_it = "@driver.version 1\n|Version=22.0.4.1\n@hccn.conf 1\n|address_0=22.0.4.1\n"

    shown = redact(answer_of_it, SALT).splitlines()
    assert shown[1] == "|Version=22.0.4.1"
    assert shown[3] != "|address_0=22.0.4.1"


def test_our_own_record_stays_and_sums_of_files_are_hidden() -> None:
    text = f"@own.lease 1\n|token=3\n@kept.sha256 1\n|{'a' * 64}  /etc/hccn.conf\n"

    shown = redact(text, SALT)
    assert "|token=3\n" in shown
    assert "a" * 64 not in shown
    assert "  /etc/hccn.conf" in shown


@given(ADDRESSES, ADDRESSES, st.integers(8, 32))
def test_one_subnet_stays_one_and_two_stay_two(
    first: ipaddress.IPv4Address, second: ipaddress.IPv4Address, length: int
) -> None:
    def net(address: object) -> object:
        return ipaddress.ip_interface(f"{address}/{length}").network

    def hidden(address: object) -> str:
        return redact(f"|address_0={address}", SALT).partition("=")[2]

    kept = [a for a in (first, second) if hidden(a) == str(a)]
    if not kept:
        assert (net(first) == net(second)) == (net(hidden(first)) == net(hidden(second)))


def test_addresses_can_stay() -> None:
    line = "|arp_0=-i eth0 -s 10.20.0.114 bc:1e:85:d8:ca:dd"

    assert redact(line, SALT, keep_addresses=True) == line
    assert redact(line, SALT) == redact(line, SALT)
    assert redact(line, SALT) != redact(line, b"another salt")


@pytest.mark.parametrize("family", FAMILIES)
def test_a_recorded_host_gets_the_verdicts_of_the_live_one(family: str) -> None:
    live = answer({"hccn_tool.ip.2": "ipaddr:10.20.9.9\nnetmask:255.255.255.0\n"}, family)

    def verdicts(text: str) -> list[tuple[str, str]]:
        found = judge_host(facts.read(wire.parse("h", text)))
        return [(finding.id, finding.verdict.value) for finding in found]

    hidden = redact(live, SALT)
    assert wire.parse("h", hidden).complete
    assert "10.20." not in hidden
    assert "210231" not in hidden
    assert verdicts(hidden) == verdicts(live)
    assert judge_host(facts.read(wire.parse("h", redact(live, SALT, keep_addresses=True)))) == judge_host(
        facts.read(wire.parse("h", live))
    )
