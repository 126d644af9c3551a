"""Back over SSH: from a finished upgrade by hand, and from a failed one by policy; the host is then as it was."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.lab.conftest import LabFactory
from tests.lab.provision import AT_ONCE, Operator, shown

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1200), pytest.mark.xdist_group("waves")]

KEPT = "sha256sum /etc/hccn.conf; stat -c '%a %u:%g %n' /etc/hccn.conf /usr/local/Ascend/driver/version.info"


@pytest.fixture(scope="module")
def operator(lab: LabFactory, packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Operator:
    fleet = lab("back")
    fleet.up(1, "atlas-800-9000", "hdk22", "--no-frameworks", "--no-containers", "--prefix", "back")
    return Operator(fleet, packages, tmp_path_factory.mktemp("state"))


def looks(operator: Operator) -> dict[str, object]:
    """What must be the same again: versions, kept files, profiles, services."""
    facts = operator.facts("back-1")["back-1"]
    parts = ("driver", "firmware", "cann", "kept_files", "env_files", "services", "network", "chips")
    return {
        **{part: facts[part] for part in parts},
        "files": operator.fleet.exec("back-1", "sh", "-c", KEPT).stdout,
        "profiles": operator.fleet.exec(
            "back-1", "sh", "-c", "ls -lR --time-style=+ /etc/profile.d /etc/ascend-provision"
        ).stdout,
    }


def test_an_upgraded_host_goes_back_to_what_it_was(operator: Operator) -> None:
    before = looks(operator)
    status, results, ran = operator.change("upgrade", "back-1", "hdk23")
    assert status == 0, shown(results, ran)

    ran = operator.run("rollback", "--hosts", "back-1", "--yes", "--format", "json", inventory=False)

    results = {host["host"]: host for host in json.loads(ran.stdout)["hosts"]}
    assert ran.returncode == 0, shown(results, ran)
    assert results["back-1"]["after"] == {**results["back-1"]["after"], "driver": "22.0.4", "toolkit": "6.0.1"}
    assert results["back-1"]["smoke"].startswith("pass")
    assert looks(operator) == before


def test_a_host_whose_installer_fails_is_rolled_back_by_policy(operator: Operator) -> None:
    before = looks(operator)
    operator.fleet.do("fault", "back-1", "installer-exits-1")
    named = ("--hosts", "back-1", "--to", "hdk23", "--packages", str(operator.packages), "--yes", "--format", "json")
    inventory = ("-i", str(operator.fleet.inventory))
    result = operator.state / "failed.json"
    running = operator.until_step(
        "driver-install", "upgrade", *named, *AT_ONCE, "--on-fail", "rollback", *inventory, "-o", str(result)
    )
    journal = max((operator.state / "runs").glob("*/journal.jsonl"), key=lambda path: path.stat().st_mtime)
    end = time.monotonic() + 120
    while '"turned-back"' not in journal.read_text() and time.monotonic() < end:
        time.sleep(0.2)
    operator.fleet.do("fault", "back-1", "installer-exits-1", "--clear")

    status = running.wait(timeout=600)

    host = json.loads(result.read_text())["hosts"][0]
    assert status == 8, host
    assert host["outcome"] == "rolled-back"
    assert host["reason"].startswith("driver-install: ")
    assert looks(operator) == before
