from __future__ import annotations

import pytest

from ascend_provision.evidence import install_log
from ascend_provision.evidence.kept_files import FileState
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import InstallLog
from ascend_provision.stack.model import Unknown

WRITTEN_AT = 1_700_000_100.0
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


@pytest.mark.parametrize("text", ["", "L \n", "L a line of something else\n"])
def test_a_file_that_no_installer_wrote_is_unknown(text: str) -> None:
    assert isinstance(read(text).log, Unknown)


def test_a_log_without_its_time_of_change_is_unknown() -> None:
    log = install_log.parse(Evidence(name="install.log", status=0, text=FLASHED + LAST), None).facts

    assert isinstance(log.log, Unknown)
    assert isinstance(log.flashed_at, Unknown)
