"""The main job: a mixed fleet goes from its stack to another with one command, and nothing of it is lost on the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.lab.conftest import LabFactory
from tests.lab.provision import Operator, shown

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1500), pytest.mark.xdist_group("upgrade")]

KEPT = "stat -c '%a %u:%g %s' /etc/hccn.conf; sha256sum /etc/hccn.conf"


@pytest.fixture(scope="module")
def operator(lab: LabFactory, packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Operator:
    """An A1 at HDK 22 and an A2 at 23.0.RC3; on each the driver installer drops the NPU addresses."""
    fleet = lab("main")
    for profile, stack in (("atlas-800-9000", "hdk22"), ("atlas-800t-a2", "hdk23rc")):
        for host in fleet.up(1, profile, stack, "--no-frameworks"):
            fleet.do("fault", host, "hccn-dropped")
    return Operator(fleet, packages, tmp_path_factory.mktemp("state"))


def test_one_command_takes_a_mixed_fleet_to_23_and_then_to_what_a_torch_npu_needs(operator: Operator) -> None:
    fleet = operator.fleet
    hosts = [row["name"] for row in fleet.status()["hosts"]]
    before = {host: fleet.exec(host, "sh", "-c", KEPT).stdout for host in hosts}

    status, results, ran = operator.change("upgrade", "all", "hdk23")

    assert status == 0, shown(results, ran)
    for host, row in results.items():
        after = row["after"]
        assert (after["driver"], after["firmware"], after["toolkit"], after["kernels"]) == (
            "23.0.3",
            "7.1.0.5.220",
            "7.0.0",
            "7.0.0",
        ), host
        assert 1 <= row["reboots"] <= 3
        assert row["smoke"].startswith("pass: 8 cards")
        assert fleet.exec(host, "sh", "-c", KEPT).stdout == before[host]
        assert any(step["step"] == "restore" for step in row["steps"]), "the fault never acted"

    status, results, ran = operator.change("upgrade", "all", "hdk23")

    assert status == 0, shown(results, ran)
    assert {row["outcome"] for row in results.values()} == {"nothing-to-do"}
    assert {row["tasks"] for row in results.values()} == {0}

    status, results, ran = operator.change("upgrade", "all", "torch_npu=2.4.0.post2")

    assert status == 0, shown(results, ran)
    assert "CANN 8.0.0 is published for HDK 24.1.0" in " ".join(ran.stderr.split()), (
        "what forces the driver is said before"
    )
    assert {row["after"]["toolkit"] for row in results.values()} == {"8.0.0"}
    assert {row["after"]["driver"] for row in results.values()} == {"24.1.0"}
    assert {host: row["after"]["firmware"] for host, row in results.items()} == {
        host: "7.5.0.2.220" if host.startswith("a1") else "7.5.0.3.220" for host in hosts
    }
    for host in hosts:
        assert fleet.exec(host, "sh", "-c", KEPT).stdout == before[host]


def test_what_was_stopped_runs_again_and_the_host_keeps_no_lease(operator: Operator) -> None:
    for host, facts in operator.facts("all").items():
        services = {service["unit"]: service for service in facts["services"]}
        assert services["npu-exporter.service"]["active"], host
        assert not any(service["held"] for service in facts["services"]), host
        assert all(box["running"] and box["restart"] == "always" for box in facts["containers"]), host
        assert facts["record"]["lease_run"] is None, host


def test_every_run_left_a_record_with_plan_evidence_and_timings(operator: Operator) -> None:
    listed = operator.run("runs", "list", inventory=False)
    assert listed.returncode == 0, listed.stderr
    first = min(path.parent for path in (operator.state / "runs").glob("*-upgrade-*/result.json"))

    shown_run = operator.run("runs", "show", first.name, inventory=False)

    assert "23.0.3" in shown_run.stdout
    assert (first / "plan.json").is_file()
    assert list((first / "evidence" / "before").glob("*.probe"))
    assert any("verify" in path.name for path in (first / "evidence").iterdir())
    told = sum(len(host["steps"]) for host in json.loads((first / "result.json").read_text())["hosts"])
    assert (first / "journal.jsonl").read_text().count("step-ended") == told
    assert told > 2 * 14, "an A1 and an A2, all of their steps"
