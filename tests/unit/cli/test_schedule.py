"""`schedule install|remove|status` as typed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from ascend_provision.cli import schedule as module
from ascend_provision.cli.main import main
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.fleet.schedule import Kept, Schedule, Status


class FakeSystemd:
    installed: list[Schedule] = []
    removed: list[str] = []

    def install(self, schedule: Schedule) -> None:
        self.installed.append(schedule)

    def remove(self, name: str) -> None:
        self.removed.append(name)

    def names(self) -> list[str]:
        return ["rack7"]

    def status(self, name: str, directory: Path) -> Status:
        kept = Kept(exit_status=3, started_at=100.0, ended_at=104.5)
        return Status(name=name, timer="active", next_run="tomorrow", directory=str(directory), kept=kept)


@pytest.fixture(autouse=True)
def _systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FakeSystemd.installed, FakeSystemd.removed = [], []
    monkeypatch.setenv("ASCEND_PROVISION_STATE", str(tmp_path))
    monkeypatch.setattr(module, "Systemd", FakeSystemd)
    monkeypatch.setattr(module.inventories, "load", absolute)


def absolute(sources: list[str], _pattern: str) -> Inventory:
    return Inventory(sources=tuple(f"/abs/{source}" for source in sources), hosts=("a1-1",))


def test_the_timer_runs_the_check_that_was_typed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    typed = "schedule install --hosts rack7 -i a.yml -i b.yml --on-calendar daily --name rack7 --deadline 90 --forks 9"

    assert main(typed.split()) == 0

    (made,) = FakeSystemd.installed
    kept = str(tmp_path / "schedules" / "rack7")
    assert made.command[:4] == (sys.executable, "-m", "ascend_provision.cli.main", "check")
    assert list(made.command[4:]) == (
        f"--hosts rack7 -i /abs/a.yml -i /abs/b.yml --deadline 90 --forks 9 --keep {kept}".split()
    )
    assert (made.calendar, made.environment) == ("daily", {"ASCEND_PROVISION_STATE": str(tmp_path)})
    assert "last check ended" in capsys.readouterr().out


def test_status_tells_the_last_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schedule", "status"]) == 0
    text = capsys.readouterr().out
    assert main(["schedule", "status", "--format", "json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["schedules"]

    assert text.startswith("rack7: timer active, next tomorrow; last check ended ")
    assert "with exit 3 after 4.5 s" in text
    assert one["kept"]["exit_status"] == 3


def test_remove_says_where_the_last_report_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schedule", "remove", "--name", "rack7"]) == 0

    assert FakeSystemd.removed == ["rack7"]
    assert str(tmp_path / "schedules" / "rack7") in capsys.readouterr().err
