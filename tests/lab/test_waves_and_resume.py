"""Waves over SSH: a canary that fails spares the others, and the run goes on once it is mended, killed or not."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.lab.conftest import LabFactory
from tests.lab.provision import Operator, shown

pytestmark = [pytest.mark.lab, pytest.mark.timeout(900), pytest.mark.xdist_group("waves")]

INSTALLS = "grep -c 'Driver. .*Start time' /var/log/ascend_seclog/ascend_install.log || :"


@pytest.fixture(scope="module")
def operator(lab: LabFactory, packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Operator:
    fleet = lab("waves")
    fleet.up(2, "atlas-800-9000", "hdk22", "--no-frameworks", "--no-containers", "--prefix", "wave")
    return Operator(fleet, packages, tmp_path_factory.mktemp("state"))


def installs(operator: Operator, host: str) -> int:
    return int(operator.fleet.exec(host, "sh", "-c", INSTALLS).stdout or 0)


def leases(operator: Operator) -> dict[str, Any]:
    ran = operator.run("lease", "show", "--hosts", "all", "--format", "json")
    return {row["host"]: row["run"] for row in json.loads(ran.stdout)["hosts"]}


def test_a_failed_canary_halts_and_the_next_host_is_not_touched(operator: Operator) -> None:
    operator.fleet.do("fault", "wave-1", "installer-exits-1")
    untouched = operator.fleet.do("digest", "wave-2")

    ran = operator.run(
        "upgrade", "--hosts", "all", "--to", "hdk23", "--packages", str(operator.packages), "--yes", "--format", "json"
    )

    result = json.loads(ran.stdout)
    outcomes = {host["host"]: host["outcome"] for host in result["hosts"]}
    assert ran.returncode == 7, ran.stderr
    assert outcomes == {"wave-1": "failed", "wave-2": "not-started"}
    assert result["halted"] == "halted: wave-1 failed as canary"
    assert result["resume"] == f"ascend-provision upgrade --resume {result['run']}"
    assert operator.fleet.do("digest", "wave-2") == untouched
    assert leases(operator) == {"wave-1": None, "wave-2": None}


def test_a_resumed_run_that_is_killed_in_the_driver_install_is_resumed_to_its_end(operator: Operator) -> None:
    operator.fleet.do("fault", "wave-1", "installer-exits-1", "--clear")
    operator.fleet.do("fault", "wave-1", "install-delay=30")
    before = {host: installs(operator, host) for host in ("wave-1", "wave-2")}
    running = operator.until_step("driver-install", "upgrade", "--resume")
    time.sleep(5)
    running.send_signal(signal.SIGKILL)
    running.wait()

    held = leases(operator)
    assert held["wave-1"] is not None
    busy = operator.run("lease", "break", "--hosts", "wave-1", "--yes")
    assert busy.returncode == 9, busy.stdout
    assert "driver-install" in busy.stdout
    operator.fleet.do("fault", "wave-1", "install-delay", "--clear")

    ran = operator.run("upgrade", "--resume", "--format", "json", inventory=False)

    results = {host["host"]: host for host in json.loads(ran.stdout)["hosts"]}
    assert ran.returncode == 0, shown(results, ran)
    assert {host: row["outcome"] for host, row in results.items()} == {"wave-1": "done", "wave-2": "done"}
    assert {host: row["after"]["driver"] for host, row in results.items()} == {"wave-1": "23.0.3", "wave-2": "23.0.3"}
    assert {host: installs(operator, host) - before[host] for host in results} == {"wave-1": 1, "wave-2": 1}
    assert leases(operator) == {"wave-1": None, "wave-2": None}


def test_a_finished_run_has_nothing_to_go_on_with(operator: Operator) -> None:
    ran = operator.run("upgrade", "--resume", "--format", "json", inventory=False)

    result = json.loads(ran.stdout)
    assert ran.returncode == 0, ran.stderr
    assert {host["outcome"] for host in result["hosts"]} == {"done"}
    assert sum(host["tasks"] for host in result["hosts"]) == 0
