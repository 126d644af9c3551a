from __future__ import annotations

import pytest

from ascend_provision.evidence import hdk
from ascend_provision.evidence.install_info import InstallInfo
from ascend_provision.evidence.install_log import Log
from ascend_provision.evidence.npu_smi import Info
from ascend_provision.evidence.version_info import DriverFile, FirmwareFile
from ascend_provision.stack.facts import Board, BootFacts, Chip, InstallLog
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import FirmwareVersion, HdkVersion
from tests.unit.factories import chip

OLD, NEW = HdkVersion("22.0.4"), HdkVersion("23.0.3")
WHY = Unknown(unknown="npu-smi.info: timed out after 20 s")
LOW, HIGH = FirmwareVersion("1.84.15.1.310"), FirmwareVersion("7.1.0.5.220")
BOOT = BootFacts(boot_id="b", booted_at=1000.0, now=2000.0)
SILENT = Unknown(unknown="upgrade-tool is not installed")


def running(
    shown: HdkVersion | Unknown | None,
    modules: tuple[str, ...] | Unknown,
    boards: tuple[Board, ...] | Unknown = WHY,
    chips: tuple[Chip, ...] | Unknown = WHY,
    seen: tuple[Chip, ...] = (),
) -> HdkVersion | Unknown | None:
    smi = Info(tool=NEW, driver=shown, chips=chips, processes=WHY, seen=seen)
    return hdk.driver(DriverFile(NEW), InstallInfo(None, None), smi, modules, True, boards).running


def test_between_install_and_reboot_the_old_driver_runs() -> None:
    assert running(OLD, ("drv_pcie_host",)) == OLD


def test_without_a_loaded_module_no_driver_runs_whatever_a_file_says() -> None:
    assert running(None, ()) is None
    assert running(WHY, ()) is None


def test_chips_of_npu_smi_and_a_list_without_a_module_cannot_both_be_so() -> None:
    one = chip(0, "910B3", "0000:C1:00.0")

    assert isinstance(running(OLD, (), chips=(one,)), Unknown)
    assert isinstance(running(OLD, (), seen=(one,)), Unknown)
    assert running(OLD, (), chips=()) is None


def test_a_hung_npu_smi_leaves_the_running_driver_unknown() -> None:
    assert running(WHY, ("drv_pcie_host",)) == WHY


def test_modules_of_an_uninstalled_driver_still_run_some_version() -> None:
    assert isinstance(running(None, ("drv_pcie_host",)), Unknown)


def test_npu_smi_is_enough_where_lsmod_could_not_be_read() -> None:
    assert running(OLD, Unknown(unknown="lsmod: timed out")) == OLD


def board(number: int, firmware: FirmwareVersion | None) -> Board:
    return Board(npu_id=number, software=OLD, firmware=firmware, compatibility=None)


def test_boards_that_agree_name_the_running_driver_where_no_title_was_read() -> None:
    assert running(WHY, ("drv_pcie_host",), (board(0, HIGH), board(1, HIGH))) == OLD
    assert (
        running(WHY, ("drv_pcie_host",), (board(0, HIGH), board(1, HIGH).model_copy(update={"software": NEW}))) == WHY
    )
    assert running(WHY, ("drv_pcie_host",), (board(0, HIGH).model_copy(update={"software": None}),)) == WHY


def flash(
    versions: tuple[FirmwareVersion, ...] | Unknown, boards: tuple[Board, ...] | Unknown
) -> tuple[FirmwareVersion, ...] | Unknown:
    seen = hdk.Flash(versions=versions, boards=boards, waiting=SILENT)
    return hdk.firmware(FirmwareFile(None), seen, Log(None, None), BOOT).flash


def test_two_levels_of_firmware_on_one_host_are_two_versions() -> None:
    assert flash(SILENT, (board(0, HIGH), board(1, LOW))) == (LOW, HIGH)


def test_one_source_is_enough_for_the_flash_and_two_are_united() -> None:
    assert flash((HIGH,), WHY) == (HIGH,)
    assert flash((LOW,), (board(0, HIGH),)) == (LOW, HIGH)


def test_a_board_that_prints_na_makes_the_flash_unknown_and_not_equal() -> None:
    assert isinstance(flash(SILENT, (board(0, HIGH), board(1, None))), Unknown)


def test_a_source_that_was_asked_and_did_not_answer_leaves_a_doubt_beside_the_other() -> None:
    seen = hdk.Flash(versions=(HIGH,), boards=WHY, waiting=SILENT, doubts=(WHY,))
    found = hdk.firmware(FirmwareFile(None), seen, Log(None, None), BOOT)

    assert (found.flash, found.doubt) == ((HIGH,), WHY)


def test_one_board_that_tells_nothing_beside_others_that_do_is_a_doubt_and_none_at_all_is_not() -> None:
    def doubt(*firmware: FirmwareVersion | None) -> Unknown | None:
        boards = tuple(board(number, version) for number, version in enumerate(firmware))
        seen = hdk.Flash(versions=(HIGH,), boards=boards, waiting=SILENT)
        return hdk.firmware(FirmwareFile(None), seen, Log(None, None), BOOT).doubt

    assert isinstance(doubt(HIGH, None), Unknown)
    assert doubt(HIGH, HIGH) is None
    assert doubt(None, None) is None


def test_the_log_does_not_speak_for_a_tool_that_was_asked_and_not_understood() -> None:
    seen = hdk.Flash(versions=SILENT, boards=SILENT, waiting=WHY, no_word=False)

    assert hdk.firmware(FirmwareFile(None), seen, log(900.0, None), BOOT).pending == WHY


def pending(waiting: bool | Unknown, log: Log) -> bool | Unknown:
    seen = hdk.Flash(versions=SILENT, boards=SILENT, waiting=waiting)
    return hdk.firmware(FirmwareFile(None), seen, log, BOOT).pending


def log(written: float, flashed: float | Unknown | None) -> Log:
    return Log(InstallLog(modified_at=written, last_line="", unfinished=False), flashed)


@pytest.mark.parametrize("waiting", [True, False])
def test_the_tool_is_believed_about_a_pending_restart(waiting: bool) -> None:
    assert pending(waiting, log(1500.0, 1400.0)) is waiting


@pytest.mark.parametrize(
    ("record", "due"),
    [(log(1500.0, 1400.0), True), (log(1500.0, 900.0), False), (log(900.0, None), False)],
    ids=["flashed after the boot", "flashed before the boot", "nothing installed since the boot"],
)
def test_without_the_tool_the_log_and_the_boot_time_decide(record: Log, due: bool) -> None:
    assert pending(SILENT, record) is due


@pytest.mark.parametrize("record", [Log(None, None), log(1500.0, None), Log(WHY, WHY), log(1500.0, WHY)])
def test_without_tool_and_proof_pending_is_unknown(record: Log) -> None:
    assert pending(SILENT, record) == SILENT
