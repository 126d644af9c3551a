"""What a look at a host says of faults that no command of it has reported yet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.lab.conftest import LabFactory, LabFleet
from tests.lab.provision import Operator

pytestmark = [pytest.mark.lab, pytest.mark.timeout(600), pytest.mark.xdist_group("looking")]


@pytest.fixture(scope="module")
def fleet(lab: LabFactory) -> LabFleet:
    fleet = lab("sick")
    fleet.up(1, "atlas-800-9000", "hdk22", "--prefix", "split")
    fleet.up(1, "atlas-800-9000", "hdk22", "--prefix", "dark")
    for fault in ("port-taken", "virtual-npus", "tmp-noexec"):
        fleet.do("fault", "split-1", fault)
    fleet.do("fault", "dark-1", "node-missing")
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
