"""What a look at a host says of faults that no command of it has reported yet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.lab.conftest import LabFactory, LabFleet
from tests.lab.provision import Operator

pytestmark = [pytest.mark.lab, pytest.mark.timeout(600), pytest.mark.xdist_group("looking")]


SPLIT = ("port-taken", "virtual-npus", "tmp-noexec", "cann-part-mixed")
SICK = {
    "ill": (
        "health-alarm=3",
        "hccn-link-down=2",
        "hccn-tls-on=5",
        "hccn-no-detect=4",
        "stale-rank-table",
        "kernel-pending",
        "disk-full",
    ),
    "mute": ("dcmi-8005",),
    "kept": ("dcmi-8020",),
}


@pytest.fixture(scope="module")
def fleet(lab: LabFactory) -> LabFleet:
    fleet = lab("sick")
    fleet.up(1, "atlas-800-9000", "hdk22", "--prefix", "split")
    fleet.up(1, "atlas-800-9000", "hdk22", "--prefix", "dark")
    for fault in SPLIT:
        fleet.do("fault", "split-1", fault)
    fleet.do("fault", "dark-1", "node-missing")
    for name, faults in SICK.items():
        fleet.up(1, "atlas-800-9000", "hdk22", "--prefix", name)
        for fault in faults:
            fleet.do("fault", f"{name}-1", fault)
    return fleet


@pytest.fixture(scope="module")
def said(fleet: LabFleet, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, dict[str, str]]]:
    """Host -> id -> the finding that is not good, or any."""
    operator = Operator(fleet, Path("/nowhere"), tmp_path_factory.mktemp("state"))
    report = json.loads(operator.run("check", "--hosts", "all", "--format", "json").stdout)
    return {host["host"]: {finding["id"]: finding for finding in host["findings"]} for host in report["hosts"]}


def test_a_taken_port_virtual_npus_and_a_hardened_tmp_are_each_named(
    said: dict[str, dict[str, dict[str, str]]],
) -> None:
    split = said["split-1"]

    assert (split["ports.hccl"]["verdict"], split["ports.hccl"]["observed"]) == ("warn", "60000 by pid 1 systemd")
    assert split["cards.virtual"]["observed"] == "virtual NPUs 196, 197"
    assert split["pairing.cann-parts"]["verdict"] == "warn"
    assert "asks for compiler 1.84, which is 7.5.0.1.129 (CANN 8.0.RC3)" in split["pairing.cann-parts"]["observed"]
    assert split["prerequisites.mounts"]["observed"] == "/tmp (tmpfs on /tmp) is noexec"
    assert split["chips.access"]["verdict"] == "pass"


def test_a_missing_node_is_the_reason_that_a_refusal_is_given_on_this_host(
    said: dict[str, dict[str, dict[str, str]]],
) -> None:
    dark = said["dark-1"]

    assert dark["access.nodes"]["observed"] == "no /dev/davinci_manager"
    assert dark["access.modules"]["verdict"] == "pass"
    assert dark["chips.access"]["verdict"] == "fail"
    assert dark["chips.access"]["evidence"].startswith("look first at access.nodes")


@pytest.mark.parametrize(
    ("key", "verdict", "observed"),
    [
        ("chips.health", "fail", "Alarm"),
        ("hccn.link", "warn", "2"),
        ("hccn.tls", "fail", "5"),
        ("hccn.health", "warn", "4"),
        ("leftovers.yours", "warn", "/root/hccl_8p_01234567_ill-1.json"),
        ("pending.kernel", "fail", "boot"),
        ("prerequisites.space", "warn", "0 MB"),
    ],
)
def test_each_of_several_faults_of_one_host_is_named(
    key: str, verdict: str, observed: str, said: dict[str, dict[str, dict[str, str]]]
) -> None:
    found = said["ill-1"][key]

    assert found["verdict"] == verdict, found
    assert observed in found["observed"], found


@pytest.mark.parametrize(("host", "code"), [("mute-1", "-8005"), ("kept-1", "-8020")])
def test_a_refusal_of_npu_smi_is_told_with_its_code(
    host: str, code: str, said: dict[str, dict[str, dict[str, str]]]
) -> None:
    found = said[host]["chips.access"]

    assert found["verdict"] == "fail"
    assert code in found["observed"], found


def test_a_fault_that_is_switched_off_leaves_nothing_behind(
    said: dict[str, dict[str, dict[str, str]]], fleet: LabFleet, tmp_path: Path
) -> None:
    """After every other test of this file: `said` has been read before."""
    del said
    for host, faults in {
        "split-1": ("port-taken", "virtual-npus", "tmp-noexec", "cann-part-mixed"),
        "dark-1": ("node-missing",),
    }.items():
        for fault in faults:
            fleet.do("fault", host, fault, "--clear")
    report = json.loads(Operator(fleet, Path("/nowhere"), tmp_path).run("check", "--hosts", "split-1,dark-1",
                                                                        "--format", "json").stdout)  # fmt: skip

    bad = {
        (host["host"], finding["id"], finding["observed"])
        for host in report["hosts"]
        for finding in host["findings"]
        if finding["verdict"] not in {"pass", "skip"}
    }
    assert bad == set()
