from __future__ import annotations

import pytest

from ascend_provision.evidence import install_log
from ascend_provision.evidence.kept_files import FileState
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import InstallLog
from ascend_provision.stack.model import Unknown

WRITTEN_AT = 1_714_528_900.0
"""2024-05-01 10:01:40 at a place eight hours ahead of UTC."""
STATE = FileState(mode="0640", owner="0:0", modified_at=WRITTEN_AT)
FLASHED = """ [Firmware] [2024-05-01 10:00:00] [INFO]Start time: 2024-05-01 10:00:00
 [Firmware] [2024-05-01 10:00:01] [INFO]uninstall firmware success
 [Firmware] [2024-05-01 10:00:50] [INFO]firmware upgrade success
 [Firmware] [2024-05-01 10:00:51] [INFO]End time: 2024-05-01 10:00:51
 [Driver] [2024-05-01 10:01:00] [INFO]Start time: 2024-05-01 10:01:00
"""
LAST = "L [Driver] [2024-05-01 10:01:40] [INFO]add chattr for driver package\n"


def read(text: str) -> install_log.Log:
    return install_log.parse(Evidence(name="install.log", status=0, text=text), STATE).facts


def test_the_time_firmware_was_written_is_known_whatever_the_hosts_time_zone_is() -> None:
    log = read(FLASHED + LAST)

    assert log.flashed_at == WRITTEN_AT - 50
    assert log.log == InstallLog(
        modified_at=WRITTEN_AT,
        last_line="[Driver] [2024-05-01 10:01:40] [INFO]add chattr for driver package",
        unfinished=True,
        hdk_at=WRITTEN_AT,
    )


def test_a_cann_package_that_writes_last_does_not_make_the_driver_newer() -> None:
    log = read(FLASHED + "L [Runtime] [2024-05-01 10:59:00] [INFO]runtime run package installed\n").log

    assert isinstance(log, InstallLog)
    assert log.hdk_at == WRITTEN_AT - 58 * 60


def test_removed_firmware_was_not_written() -> None:
    removed = " [Firmware] [2024-05-01 10:01:30] [INFO]uninstall firmware success\n"

    assert read(FLASHED + removed + LAST).flashed_at is None


def test_a_run_that_ended_is_finished() -> None:
    ended = " [Driver] [2024-05-01 10:01:40] [INFO]End time: 2024-05-01 10:01:40\n"
    log = read(FLASHED + ended + "L" + ended).log

    assert isinstance(log, InstallLog)
    assert not log.unfinished


def test_no_log_is_a_fact() -> None:
    log = install_log.parse(Evidence(name="install.log", note="not found"), None).facts

    assert log == install_log.Log(None, None)


def test_a_log_that_is_there_by_its_state_and_was_not_sent_is_unknown() -> None:
    log = install_log.parse(Evidence(name="install.log", note="not found"), STATE).facts

    assert isinstance(log.log, Unknown)
    assert isinstance(log.flashed_at, Unknown)


@pytest.mark.parametrize("days", [-300, -2, 2, 20_000])
def test_a_log_whose_lines_are_days_away_from_its_change_is_unknown(days: int) -> None:
    state = FileState(mode="0640", owner="0:0", modified_at=WRITTEN_AT + days * 86400)
    log = install_log.parse(Evidence(name="install.log", status=0, text=FLASHED + LAST), state).facts

    assert isinstance(log.log, Unknown)


def test_a_line_that_is_no_installers_and_came_last_says_nothing_about_when_the_others_were_written() -> None:
    state = FileState(mode="0640", owner="0:0", modified_at=WRITTEN_AT + 9 * 86400)
    log = install_log.parse(Evidence(name="install.log", status=0, text=f"{FLASHED}L rotated\n"), state).facts

    assert isinstance(log.log, InstallLog)


@pytest.mark.parametrize(
    "text",
    [
        FLASHED.replace("Start", "St\ufffdrt", 1) + LAST,
        FLASHED.replace("[INFO]Start", "[IN O]Start", 1) + LAST,
        FLASHED.replace("Start", 'S"tart', 1) + LAST,
        f"{FLASHED}L [Dri\n",
        f"{FLASHED}L [Driver] [2024-05-01 10:01:40] [INFO]End time: 2024-05-01 10:01:40\n",
    ],
    ids=[
        "a byte of no text",
        "no level",
        "not a line to be sent",
        "the last line cut",
        "the end is only the last line",
    ],
)
def test_a_log_that_lost_a_line_that_begins_or_ends_a_run_is_unknown(text: str) -> None:
    assert isinstance(read(text).log, Unknown)


@pytest.mark.parametrize("text", ["", "L \n", "L a line of something else\n"])
def test_a_file_that_no_installer_wrote_is_unknown(text: str) -> None:
    assert isinstance(read(text).log, Unknown)


def test_a_log_without_its_time_of_change_is_unknown() -> None:
    log = install_log.parse(Evidence(name="install.log", status=0, text=FLASHED + LAST), None).facts

    assert isinstance(log.log, Unknown)
    assert isinstance(log.flashed_at, Unknown)
