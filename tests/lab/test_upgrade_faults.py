"""One night, many hosts: each goes wrong in its own way, none hides another, and each is named with what to do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.lab.conftest import LabFactory
from tests.lab.provision import Operator, Ran, shown

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1500), pytest.mark.xdist_group("faults")]

A1 = "atlas-800-9000"
FAULTS = {
    "exits-1": "installer-exits-1",
    "dkms": "dkms-build-fails",
    "no-return": "reboot-never-returns",
    "old-kernel": "boots-old-kernel",
    "lost-chip": "loses-chip",
    "cold-start": "firmware-cold-start",
    "modules": "module-busy",
    "corrupt": "hccl-corrupt-rank=3",
    "damaged": "package-damaged",
}
Night = dict[str, Any]


@pytest.fixture(scope="module")
def night(lab: LabFactory, packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Night:
    """One `upgrade` over all of them: what it printed, what it says of each host, and what the hosts were before."""
    fleet = lab("night")
    quick = ("--no-frameworks", "--no-containers")
    for name, fault in {"good": "", **FAULTS}.items():
        (host,) = fleet.up(1, A1, "hdk22", *quick, "--prefix", name)
        if fault:
            fleet.do("fault", host, fault)
    fleet.up(1, A1, "hdk22", "--no-containers", "--prefix", "envs")
    (job,) = fleet.up(1, A1, "hdk22", *quick, "--prefix", "job")
    fleet.do("fault", job, "foreign-job")
    (other,) = fleet.up(1, "atlas-800t-a2", "hdk23rc", *quick, "--prefix", "other")
    (dark,) = fleet.up(1, A1, "hdk22", *quick, "--prefix", "dark")
    fleet.do("power", "off", dark)
    only_910 = tmp_path_factory.mktemp("only-910")
    for path in packages.iterdir():
        if "-910b" not in path.name:
            (only_910 / path.name).symlink_to(path)
    sums = [line for line in (packages / "SHA256SUMS").read_text().splitlines(keepends=True) if "-910b" not in line]
    (only_910 / "SHA256SUMS").unlink()
    (only_910 / "SHA256SUMS").write_text("".join(sums))
    operator = Operator(fleet, only_910, tmp_path_factory.mktemp("state"))
    untouched = {host: fleet.digest(host) for host in (job, other)}
    status, results, ran = operator.change("upgrade", "all", "hdk23", "--reboot-limit", "60")
    return {
        "fleet": fleet,
        "operator": operator,
        "status": status,
        "ran": ran,
        "untouched": untouched,
        "hosts": {re.sub(r"-\d+$", "", host): row for host, row in results.items()},
    }


def row(night: Night, name: str) -> dict[str, Any]:
    found: dict[str, Any] = night["hosts"][name]
    return found


def test_the_healthy_host_finishes_whatever_happens_to_the_others(night: Night) -> None:
    assert row(night, "good")["outcome"] == "done", shown(night["hosts"], night["ran"])


def test_every_host_is_in_the_result_and_failure_decides_the_exit_status(night: Night) -> None:
    assert len(night["hosts"]) == 14
    assert night["status"] == 7


@pytest.mark.parametrize(
    ("name", "outcome", "step", "reason"),
    [
        ("exits-1", "failed", "driver-install", r"driver-install failed with status 1"),
        ("dkms", "failed", "driver-install", r"[Dd]kms"),
        ("no-return", "failed", "reboot-after-uninstall", r"has not come back \d+ s after"),
        ("old-kernel", "failed", "reboot-after-uninstall", r"came back on kernel \S+, expected \S+"),
        ("lost-chip", "failed", "verify", r"7"),
        ("cold-start", "failed", "reboot-final", r"only after a cold start"),
        ("corrupt", "failed", "hccl-smoke", r"rank.* 3"),
        ("damaged", "failed", "stage", r"sha256|[Dd]amaged"),
        ("job", "refused", "plan", r"a job holds a card: pid \d+"),
        ("other", "refused", "plan", r"chip 910b|only for another machine"),
        ("dark", "unreachable", "", r"reached over ssh|timed out"),
    ],
)
def test_a_bad_host_is_named_with_step_reason_and_next_action(
    night: Night, name: str, outcome: str, step: str, reason: str
) -> None:
    found = row(night, name)

    assert (found["outcome"], found["step"]) == (outcome, step), shown(night["hosts"], night["ran"])
    assert re.search(reason, found["reason"]), found["reason"]
    assert found["next_action"], found


def test_modules_that_an_uninstall_leaves_loaded_cost_a_reboot_not_the_host(night: Night) -> None:
    found = row(night, "modules")

    assert found["outcome"] == "done", shown(night["hosts"], night["ran"])
    endings = {step["step"]: step["ending"] for step in found["steps"]}
    assert endings["hdk-uninstall"] == "modules-still-loaded"
    assert endings["reboot-after-uninstall"] == "done"


def test_environments_that_do_not_match_any_more_are_named_and_left_alone(night: Night) -> None:
    found = row(night, "envs")

    assert found["outcome"] == "done-with-mismatch", shown(night["hosts"], night["ran"])
    assert "torch_npu 1.8.1 does not match CANN 7.0.0" in found["reason"]


def test_refused_hosts_were_not_changed(night: Night) -> None:
    for host, before in night["untouched"].items():
        assert night["fleet"].digest(host) == before, host


def test_a_failed_host_keeps_its_drain(night: Night) -> None:
    services = night["operator"].facts("exits-1-1")["exits-1-1"]["services"]

    assert any(service["held"] and not service["active"] for service in services)


def test_the_cold_start_that_was_asked_for_and_the_same_command_finish_the_host(night: Night) -> None:
    operator: Operator = night["operator"]
    operator.fleet.do("power", "off", "cold-start-1")
    operator.fleet.do("power", "on", "cold-start-1")

    status, results, ran = operator.change("upgrade", "cold-start-1", "hdk23")

    assert status == 0, shown(results, ran)
    assert results["cold-start-1"]["outcome"] == "done"
    assert not any(step["step"].endswith("install") and step["step"] != "cann-install" for step in ran_steps(results))


def ran_steps(results: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    return [step for found in results.values() for step in found["steps"]]


def test_a_mended_host_goes_on_where_it_stopped(night: Night) -> None:
    operator: Operator = night["operator"]
    operator.fleet.do("fault", "exits-1-1", "installer-exits-1", "--clear")

    status, results, ran = operator.change("upgrade", "exits-1-1", "hdk23")

    assert status == 0, shown(results, ran)
    assert "hdk-uninstall" not in {step["step"] for step in ran_steps(results)}


def said(ran: Ran) -> str:
    return ran.stdout + ran.stderr
