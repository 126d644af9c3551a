"""`plan`: statuses, text and file of a fleet's plan."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ascend_provision.bundle import store
from ascend_provision.cli.main import main
from tests.unit.cli.fleets import Fleet, behind
from tests.unit.factories import a1_host, bare_host

HDK23 = (
    "Ascend-hdk-910-npu-driver_23.0.3_linux-x86-64.run",
    "Ascend-hdk-910-npu-firmware_7.1.0.5.220.run",
    "Ascend-cann-toolkit_7.0.0_linux-x86_64.run",
    "Ascend-cann-kernels-910_7.0.0_linux.run",
)


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    directory = tmp_path / "packages"
    directory.mkdir()
    for name in HDK23:
        (directory / name).write_text(name)
    store.add(directory)
    return directory


def plan(packages: Path, *more: str) -> int:
    return main(["plan", "--hosts", "all", "-i", "h,", "--to", "hdk23", "--packages", str(packages), *more])


def test_changes_pending_are_2_and_every_step_is_shown(
    tmp_path: Path, packages: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behind(Fleet(a1_host("a1-1")), monkeypatch, tmp_path)

    assert plan(packages) == 2
    out = capsys.readouterr().out

    assert out.startswith("Plan: upgrade to hdk23: 1 to change, 0 with nothing to do, 0 refused\n")
    assert "driver    22.0.4 -> 23.0.3" in out
    assert HDK23[0] in out


def test_a_host_that_is_there_already_is_0(tmp_path: Path, packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    behind(Fleet(a1_host("a1-1", "hdk23")), monkeypatch, tmp_path)

    assert plan(packages) == 0


def test_equal_fleets_give_equal_bytes(tmp_path: Path, packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    behind(Fleet(a1_host("a1-1"), a1_host("a1-2")), monkeypatch, tmp_path)

    for name in ("a.json", "b.json"):
        assert plan(packages, "-o", str(tmp_path / name)) == 2

    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert json.loads((tmp_path / "a.json").read_text())["wish"] == "hdk23"


def test_json_on_stdout_is_the_plan_and_nothing_else(
    tmp_path: Path, packages: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behind(Fleet(a1_host("a1-1")), monkeypatch, tmp_path)

    plan(packages, "--format", "json")

    assert json.loads(capsys.readouterr().out)["hosts"][0]["decision"] == "change"


def test_a_refused_host_is_6_and_an_unreachable_one_is_named(
    tmp_path: Path, packages: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behind(Fleet(a1_host("a1-1"), bare_host("a1-2"), unreachable={"a1-3": "No route to host"}), monkeypatch, tmp_path)

    assert plan(packages) == 6
    out, err = capsys.readouterr()

    assert "\na1-2: refused\n  because no driver is installed on this host\n" in out
    assert "a1-3: unreachable: No route to host\n" in err


def test_a_bare_host_is_planned_with_bootstrap(tmp_path: Path, packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    behind(Fleet(bare_host("a1-2")), monkeypatch, tmp_path)

    assert plan(packages, "--bootstrap") == 2


def test_a_damaged_package_ends_it_before_any_host_is_asked(
    tmp_path: Path, packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fleet = behind(Fleet(a1_host("a1-1")), monkeypatch, tmp_path)
    (packages / HDK23[0]).write_text("damaged")

    assert plan(packages) == 4
    assert fleet.asked == []


def test_a_wish_that_cannot_be_read_ends_it_before_any_host_is_asked(
    tmp_path: Path, packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fleet = behind(Fleet(a1_host("a1-1")), monkeypatch, tmp_path)

    assert plan(packages, "--to", "driver=latest") == 4
    assert fleet.asked == []


def test_a_plan_file_says_how_it_is_applied(
    tmp_path: Path, packages: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behind(Fleet(a1_host("a1-1")), monkeypatch, tmp_path)

    assert plan(packages, "-o", str(tmp_path / "p.json")) == 2

    applied = f"ascend-provision upgrade -i h, --plan {tmp_path / 'p.json'} --packages {packages}\n"
    assert applied in capsys.readouterr().err
