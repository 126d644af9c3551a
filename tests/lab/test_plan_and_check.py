"""Looking without touching: plans as files, checks of sick hosts, and bad input as operators type it."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import pytest

from tests.lab.conftest import LabFactory, LabFleet
from tests.lab.provision import Operator

pytestmark = [pytest.mark.lab, pytest.mark.timeout(900), pytest.mark.xdist_group("looking")]

A1 = "atlas-800-9000"


@pytest.fixture(scope="module")
def fleet(lab: LabFactory) -> LabFleet:
    fleet = lab("look")
    fleet.up(1, A1, "hdk22", "--prefix", "well")
    fleet.up(1, A1, "hdk22", "--prefix", "hung")
    fleet.up(1, A1, "hdk22", "--prefix", "dead")
    fleet.do("fault", "hung-1", "tools-hang")
    fleet.do("power", "off", "dead-1")
    return fleet


@pytest.fixture(scope="module")
def operator(fleet: LabFleet, packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Operator:
    return Operator(fleet, packages, tmp_path_factory.mktemp("state"))


def plan(operator: Operator, path: Path) -> int:
    named = ("--hosts", "well-1", "--to", "hdk23", "--packages", str(operator.packages))
    return operator.run("plan", *named, "-o", str(path)).returncode


def test_two_plans_of_one_state_are_the_same_bytes(operator: Operator, tmp_path: Path) -> None:
    assert plan(operator, tmp_path / "a.json") == 2
    assert plan(operator, tmp_path / "b.json") == 2
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_an_edited_plan_and_a_stale_plan_are_refused(operator: Operator, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    plan(operator, path)
    apply = ("--plan", str(path), "--packages", str(operator.packages), "--yes")
    whole = path.read_text()
    path.write_text(whole.replace('"reboot_timeout": 1800', '"reboot_timeout": 1', 1))

    edited = operator.run("upgrade", *apply)

    assert edited.returncode == 6
    assert "digest" in edited.stderr

    path.write_text(whole)
    operator.fleet.do("exec", "well-1", "--", "useradd", "HwDmUser")
    stale = operator.run("upgrade", *apply)

    assert stale.returncode == 6, stale.stdout + stale.stderr
    assert "not as it was when the plan was made" in stale.stdout
    assert operator.fleet.exec("well-1", "test", "-e", "/var/lib/ascend-provision/steps/quiesce.rc").returncode != 0


def test_a_host_whose_tools_all_hang_is_unknown_within_the_deadline(operator: Operator) -> None:
    began = time.monotonic()

    ran = operator.run("check", "--hosts", "hung-1", "--deadline", "20", "--format", "json")

    seconds = time.monotonic() - began
    assert ran.returncode == 5, ran.stdout[-2000:] + ran.stderr[-2000:]
    probe = json.loads(ran.stdout)
    assert "hung-1" in json.dumps(probe)
    assert seconds < 20 + 5 + 20, "probe deadline, its grace, and Ansible's own start"


def test_one_dead_host_never_hides_the_others(operator: Operator) -> None:
    ran = operator.run("check", "--hosts", "well-1,dead-1", "--format", "json")
    report = json.loads(ran.stdout)

    assert "dead-1" in report["unreachable"]
    assert [host["host"] for host in report["hosts"]] == ["well-1"]
    assert report["hosts"][0]["findings"]


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("check", "--hosts", "nobody"), 4, "nobody"),
        (("check", "--hots", "all"), 4, "--hots"),
        (("chek", "--hosts", "all"), 4, "chek"),
        (("plan", "--hosts", "well-1", "--to", "hdk99"), 4, "hdk99"),
        (("plan", "--hosts", "well-1", "--to", "driver=banana"), 4, "banana"),
    ],
)
def test_bad_input_is_named_and_ends_4(operator: Operator, arguments: tuple[str, ...], status: int, said: str) -> None:
    more = ("--packages", str(operator.packages)) if arguments[0] == "plan" else ()

    ran = operator.run(*arguments, *more)

    assert (ran.returncode, "Traceback" in ran.stderr) == (status, False), ran.stdout + ran.stderr
    assert said in ran.stderr


def test_a_missing_inventory_an_empty_store_and_a_damaged_package_are_named(operator: Operator, tmp_path: Path) -> None:
    missing = operator.run("check", "--hosts", "all", "-i", str(tmp_path / "nowhere"), inventory=False)
    assert missing.returncode == 4
    assert "nowhere" in missing.stderr

    wish = ("plan", "--hosts", "well-1", "--to", "hdk23")
    (tmp_path / "empty").mkdir()
    empty = operator.run(*wish, "--packages", str(tmp_path / "empty"))
    assert empty.returncode == 4
    assert "empty" in empty.stderr

    broken = tmp_path / "broken"
    broken.mkdir()
    for path in operator.packages.iterdir():
        (broken / path.name).write_bytes(path.read_bytes())
    victim = broken / "Ascend-hdk-910-npu-driver_23.0.3_linux-x86-64.run"
    victim.write_bytes(victim.read_bytes()[:-1] + b"?")
    damaged = operator.run(*wish, "--packages", str(broken))
    assert damaged.returncode == 4
    assert victim.name in damaged.stderr


def test_two_packages_that_match_are_both_named_and_none_is_chosen(operator: Operator, tmp_path: Path) -> None:
    twice = tmp_path / "twice"
    shutil.copytree(operator.packages, twice)
    plain, with_arch = "Ascend-cann-kernels-910_7.0.0_linux.run", "Ascend-cann-kernels-910_7.0.0_linux-x86_64.run"
    shutil.copy(twice / plain, twice / with_arch)
    sums = (twice / "SHA256SUMS").read_text()
    line = next(line for line in sums.splitlines() if line.endswith(plain))
    (twice / "SHA256SUMS").write_text(f"{sums}{line.replace(plain, with_arch)}\n")

    ran = operator.run("plan", "--hosts", "well-1", "--to", "hdk23", "--packages", str(twice))

    assert ran.returncode == 6, ran.stdout + ran.stderr
    assert "2 packages match kernels 7.0.0" in ran.stdout
    assert plain in ran.stdout
    assert with_arch in ran.stdout
