"""A check on a timer: systemd units on the controller, and the last report with its exit status on disk."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from ascend_provision.stack.errors import ProvisionError, UsageError
from ascend_provision.stack.model import Noun

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,40}")
_PREFIX = "ascend-provision-check-"
_UNITS = Path("/etc/systemd/system")
_SYSTEMD_RUNS = Path("/run/systemd/system")

Run = Callable[[Sequence[str]], "subprocess.CompletedProcess[str]"]


class Schedule(Noun):
    """`command` is the whole argv of the check; `directory` keeps what it reported; `calendar` is systemd's syntax."""

    name: str
    calendar: str
    command: tuple[str, ...]
    directory: Path
    working_directory: Path
    environment: dict[str, str] = {}

    @property
    def unit(self) -> str:
        return _PREFIX + self.name


class Kept(Noun):
    """How the last scheduled check ended; times are seconds since the epoch."""

    exit_status: int
    started_at: float
    ended_at: float
    error: str = ""


class Status(Noun):
    """One schedule as systemd and the disk know it; `kept` is None before the first check ended."""

    name: str
    timer: str
    next_run: str
    directory: str
    kept: Kept | None


def service_text(schedule: Schedule) -> str:
    """The service unit. It fails when the check does, so whatever watches failed units sees it."""
    environment = "".join(
        f"Environment={_quoted(f'{name}={value}')}\n" for name, value in sorted(schedule.environment.items())
    )
    return (
        "# Written by `ascend-provision schedule install`; `schedule remove` takes it away.\n"
        "[Unit]\n"
        f"Description=ascend-provision check {schedule.name}\n"
        "Wants=network-online.target\n"
        "After=network-online.target\n\n"
        "[Service]\n"
        "Type=oneshot\n"
        "User=root\n"
        f"WorkingDirectory={str(schedule.working_directory).replace('%', '%%')}\n"
        f"{environment}"
        f"ExecStart={' '.join(_quoted(word).replace('$', '$$') for word in schedule.command)}\n"
        "TimeoutStartSec=1h\n"
    )


def timer_text(schedule: Schedule) -> str:
    """The timer unit; a run that was missed while the controller was off is made up for."""
    return (
        "# Written by `ascend-provision schedule install`; `schedule remove` takes it away.\n"
        "[Unit]\n"
        f"Description=When to run ascend-provision check {schedule.name}\n\n"
        "[Timer]\n"
        f"OnCalendar={schedule.calendar}\n"
        "Persistent=true\n\n"
        "[Install]\n"
        "WantedBy=timers.target\n"
    )


def keep(directory: Path, kept: Kept, reports: dict[str, str]) -> None:
    """Put the reports (file name -> text) and then the status in place, each by rename. Raises UsageError."""
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        for name, text in {**reports, "status.json": kept.model_dump_json(indent=2) + "\n"}.items():
            fresh = directory / f".{name}.{os.getpid()}"
            fresh.write_text(text, encoding="utf-8")
            fresh.replace(directory / name)
    except OSError as error:
        raise UsageError(f"{directory} cannot keep the report", code="keep-unwritable", why=str(error)) from error


def last(directory: Path) -> Kept | None:
    """What the last check in that directory left; None when none ended yet."""
    path = directory / "status.json"
    return Kept.model_validate(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None


class Systemd:
    """The controller's systemd."""

    def __init__(self, units: Path = _UNITS, run: Run | None = None, runs: Path = _SYSTEMD_RUNS) -> None:
        self._units = units
        self._run = run or _command
        self._runs = runs

    def install(self, schedule: Schedule) -> None:
        """Write both units and start the timer. Raises UsageError; nothing is left behind when systemd refuses."""
        self._assert_here()
        if not _NAME.fullmatch(schedule.name):
            raise UsageError(
                f"`{schedule.name}` cannot name a schedule", code="schedule-name", why="a-z, 0-9 and `-`, at most 41"
            )
        self._check_calendar(schedule.calendar)
        files = self._files(schedule.name)
        try:
            for path, text in zip(files, (service_text(schedule), timer_text(schedule)), strict=True):
                path.write_text(text, encoding="utf-8")
                path.chmod(0o644)
            self._verify(files)
            self._systemctl("daemon-reload")
            self._systemctl("enable", "--now", f"{schedule.unit}.timer")
        except (OSError, ProvisionError) as error:
            for path in files:
                path.unlink(missing_ok=True)
            if isinstance(error, OSError):
                raise UsageError(
                    f"{self._units} cannot be written", code="units-unwritable", why=str(error), next_action="be root"
                ) from error
            raise

    def remove(self, name: str) -> None:
        """Stop the timer and delete both units; the kept reports stay. Raises UsageError for an unknown name."""
        self._assert_here()
        files = self._files(name)
        if not any(path.exists() for path in files):
            known = ", ".join(self.names()) or "none"
            raise UsageError(f"no schedule `{name}`", code="schedule-unknown", next_action=f"installed: {known}")
        self._systemctl("disable", "--now", f"{_PREFIX}{name}.timer")
        for path in files:
            path.unlink(missing_ok=True)
        self._systemctl("daemon-reload")

    def names(self) -> list[str]:
        """The schedules installed on this controller."""
        return sorted(path.stem.removeprefix(_PREFIX) for path in self._units.glob(f"{_PREFIX}*.timer"))

    def status(self, name: str, directory: Path) -> Status:
        """The timer's state and what the last check left."""
        self._assert_here()
        shown = self._run(
            ["systemctl", "show", f"{_PREFIX}{name}.timer", "--property=ActiveState,NextElapseUSecRealtime"]
        )
        values = dict(line.partition("=")[::2] for line in shown.stdout.splitlines())
        return Status(
            name=name,
            timer=values.get("ActiveState", "unknown"),
            next_run=values.get("NextElapseUSecRealtime", "") or "not planned",
            directory=str(directory),
            kept=last(directory),
        )

    def _files(self, name: str) -> tuple[Path, Path]:
        return self._units / f"{_PREFIX}{name}.service", self._units / f"{_PREFIX}{name}.timer"

    def _assert_here(self) -> None:
        if not self._runs.is_dir():
            raise UsageError(
                "schedules need systemd, and this machine does not run it",
                code="no-systemd",
                why=f"{self._runs} does not exist",
                next_action="let another scheduler run `ascend-provision check … --keep DIR`",
            )

    def _check_calendar(self, calendar: str) -> None:
        checked = self._run(["systemd-analyze", "calendar", calendar])
        if checked.returncode:
            raise UsageError(
                f"systemd does not understand --on-calendar {calendar!r}",
                code="schedule-calendar",
                why=_last_line(checked.stderr or checked.stdout),
                next_action="for example: daily, `Mon..Fri 06:00`; see systemd.time(7)",
            )

    def _verify(self, files: Sequence[Path]) -> None:
        checked = self._run(["systemd-analyze", "verify", *map(str, files)])
        if checked.returncode:
            raise ProvisionError(
                "systemd refuses the units that were written", code="units-refused", why=_last_line(checked.stderr)
            )

    def _systemctl(self, *words: str) -> None:
        done = self._run(["systemctl", *words])
        if done.returncode:
            raise ProvisionError(
                f"`systemctl {' '.join(words)}` failed", code="systemctl-failed", why=_last_line(done.stderr)
            )


def _quoted(word: str) -> str:
    """One word of a unit's line: systemd expands %, and reads \\ and quotes ($ only in ExecStart=)."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return escaped if re.fullmatch(r"[A-Za-z0-9_./:=@,+-]+", escaped) else f'"{escaped}"'


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def _command(argv: Sequence[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    except FileNotFoundError as error:
        raise UsageError(f"`{argv[0]}` is not installed", code="no-systemd", why=str(error)) from error
