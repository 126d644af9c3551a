"""A check on a timer: the units say exactly what was asked, and the last report stays on disk."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from ascend_provision.fleet import schedule
from ascend_provision.fleet.schedule import Kept, Schedule, Systemd
from ascend_provision.stack.errors import ProvisionError, UsageError


def nightly(directory: Path, **changed: object) -> Schedule:
    values = {
        "name": "rack7",
        "calendar": "*-*-* 02:00",
        "command": ("/opt/venv/bin/ascend-provision", "check", "--hosts", "rack7:!spare", "-i", "/etc/ansible/hosts"),
        "directory": directory,
        "working_directory": Path("/root/fleet"),
        "environment": {"ASCEND_PROVISION_STATE": "/var/lib/x y"},
        **changed,
    }
    return Schedule.model_validate(values)


class FakeSystemd:
    """Answers like systemd's tools; `refuses` maps a command's beginning to the error it prints."""

    def __init__(self, refuses: dict[tuple[str, ...], str] | None = None) -> None:
        self.said: list[tuple[str, ...]] = []
        self.refuses = refuses or {}

    def __call__(self, argv: Sequence[str]) -> subprocess.CompletedProcess[str]:
        self.said.append(tuple(argv))
        for beginning, error in self.refuses.items():
            if tuple(argv[: len(beginning)]) == beginning:
                return subprocess.CompletedProcess(argv, 1, "", error)
        shown = "ActiveState=active\nNextElapseUSecRealtime=Tue 2026-12-01 02:00:00 UTC\n"
        return subprocess.CompletedProcess(argv, 0, shown if argv[1] == "show" else "", "")


def test_installing_writes_both_units_and_starts_the_timer(tmp_path: Path) -> None:
    systemd = FakeSystemd()
    wanted = nightly(tmp_path / "kept")

    Systemd(tmp_path, systemd, runs=tmp_path).install(wanted)

    service, timer = (tmp_path / f"ascend-provision-check-rack7.{kind}" for kind in ("service", "timer"))
    assert service.read_text() == schedule.service_text(wanted)
    assert timer.read_text() == schedule.timer_text(wanted)
    assert "OnCalendar=*-*-* 02:00\n" in timer.read_text()
    assert systemd.said[-2:] == [
        ("systemctl", "daemon-reload"),
        ("systemctl", "enable", "--now", "ascend-provision-check-rack7.timer"),
    ]


def test_words_with_blanks_and_signs_reach_the_check_unchanged(tmp_path: Path) -> None:
    text = schedule.service_text(nightly(tmp_path, command=("ap", "--hosts", "a b", "$HOME", "100%", 'say "x"')))

    assert 'ExecStart=ap --hosts "a b" "$$HOME" "100%%" "say \\"x\\""\n' in text
    assert 'Environment="ASCEND_PROVISION_STATE=/var/lib/x y"\n' in text


def test_a_calendar_that_systemd_does_not_understand_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    systemd = FakeSystemd({("systemd-analyze", "calendar"): "Failed to parse calendar specification 'often'"})

    with pytest.raises(UsageError) as error:
        Systemd(tmp_path, systemd, runs=tmp_path).install(nightly(tmp_path, calendar="often"))

    assert (error.value.code, "often" in error.value.why) == ("schedule-calendar", True)
    assert list(tmp_path.iterdir()) == []


def test_when_systemd_refuses_the_timer_no_unit_stays(tmp_path: Path) -> None:
    systemd = FakeSystemd({("systemctl", "enable"): "Failed to enable unit: Access denied"})

    with pytest.raises(ProvisionError, match="systemctl enable"):
        Systemd(tmp_path, systemd, runs=tmp_path).install(nightly(tmp_path))

    assert list(tmp_path.iterdir()) == []


def test_a_machine_without_systemd_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        Systemd(tmp_path, FakeSystemd(), runs=tmp_path / "nowhere").install(nightly(tmp_path))

    assert error.value.code == "no-systemd"


@pytest.mark.parametrize("name", ["", "Rack7", "../etc", "a" * 42, "rack_7"])
def test_a_name_that_is_no_unit_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError) as error:
        Systemd(tmp_path, FakeSystemd(), runs=tmp_path).install(nightly(tmp_path, name=name))

    assert error.value.code == "schedule-name"


def test_removing_stops_the_timer_and_keeps_the_reports(tmp_path: Path) -> None:
    units, kept, systemd = tmp_path / "units", tmp_path / "kept", FakeSystemd()
    units.mkdir()
    controller = Systemd(units, systemd, runs=tmp_path)
    controller.install(nightly(kept))
    schedule.keep(kept, Kept(exit_status=3, started_at=1.0, ended_at=2.0), {"report.txt": "h1: fail\n"})

    controller.remove("rack7")

    assert list(units.iterdir()) == []
    assert (kept / "report.txt").read_text() == "h1: fail\n"
    assert ("systemctl", "disable", "--now", "ascend-provision-check-rack7.timer") in systemd.said


def test_removing_a_schedule_that_is_not_there_names_those_that_are(tmp_path: Path) -> None:
    controller = Systemd(tmp_path, FakeSystemd(), runs=tmp_path)
    controller.install(nightly(tmp_path / "kept"))

    with pytest.raises(UsageError) as error:
        controller.remove("rack8")

    assert (error.value.code, error.value.next_action) == ("schedule-unknown", "installed: rack7")


def test_status_tells_the_next_run_and_how_the_last_one_ended(tmp_path: Path) -> None:
    controller = Systemd(tmp_path, FakeSystemd(), runs=tmp_path)
    kept = tmp_path / "kept"

    before = controller.status("rack7", kept)
    schedule.keep(kept, Kept(exit_status=5, started_at=10.0, ended_at=14.5), {"report.json": "{}"})
    after = controller.status("rack7", kept)

    assert (before.timer, before.next_run, before.kept) == ("active", "Tue 2026-12-01 02:00:00 UTC", None)
    assert after.kept == Kept(exit_status=5, started_at=10.0, ended_at=14.5)


def test_the_kept_report_is_replaced_whole(tmp_path: Path) -> None:
    for status in (3, 0):
        schedule.keep(
            tmp_path, Kept(exit_status=status, started_at=1.0, ended_at=2.0), {"report.json": f'{{"n": {status}}}'}
        )

    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.json", "status.json"]
    assert json.loads((tmp_path / "report.json").read_text()) == {"n": 0}
    assert schedule.last(tmp_path) == Kept(exit_status=0, started_at=1.0, ended_at=2.0)
