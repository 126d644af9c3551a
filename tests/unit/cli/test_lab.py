"""`lab` as an operator mistypes it; what it does on hosts is in tests/lab."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.cli.main import main
from ascend_provision.lab import rootless


@pytest.fixture(autouse=True)
def _no_fleet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASCEND_LAB_RUN", str(tmp_path))
    monkeypatch.delenv("ASCEND_LAB_NAME", raising=False)
    monkeypatch.setattr(rootless, "become_root", lambda _fleet: None)  # it would replace the test run itself


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["status"], "the lab fleet `default` is not up"),
        (["status", "--name", "rack7"], "the lab fleet `rack7` is not up"),
        (["inventory"], "is not up"),
        (["exec", "a1-1", "--", "true"], "is not up"),
        (["run", "--", "true"], "is not up"),
        (["run", "--"], "Missing argument"),
        (["power", "off", "a1-1"], "is not up"),
        (["power", "explode", "a1-1"], "explode"),
        (["cut", "a1-1"], "is not up"),
        (["digest", "a1-1"], "is not up"),
        (["logs", "a1-1"], "is not up"),
        (["fault"], "name a host and a fault"),
        (["fault", "a1-1"], "name a host and a fault"),
        (["fault", "a1-1", "explodes"], "there is no fault 'explodes'"),
        (["fault", "a1-1", "dcmi-8005"], "is not up"),
        (["up", "--nodes", "many"], "--nodes"),
        (["up", "--nodes", "0"], "at least one host"),
        (["up", "--stack", "hdk99"], "not published"),
        (["up", "--profile", "dgx"], "not published"),
        (["up", "--python", "2.7"], "2.7"),
        (["packages", "/nonexistent", "--stack", "hdk22"], "name a profile too"),
        (["explode"], "explode"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistake_is_said_with_status_4_and_no_traceback(
    typed: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["lab", *typed])

    told = capsys.readouterr().err
    assert status == 4
    assert told.startswith("error: ")
    assert said in told
    assert "Traceback" not in told


def test_the_faults_can_be_listed_without_a_fleet(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "fault", "--list"]) == 0

    assert "reboot-never-returns" in capsys.readouterr().out


def test_taking_down_a_fleet_that_is_not_up_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "down"]) == 0

    assert capsys.readouterr().err == "fleet default was not up\n"
