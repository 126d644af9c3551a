"""Driver and firmware facts, each from several readings that must not be mixed up: file, flash, what runs, the tool."""

from __future__ import annotations

from dataclasses import dataclass

from ascend_provision.evidence.install_info import InstallInfo
from ascend_provision.evidence.install_log import Log
from ascend_provision.evidence.npu_smi import Info
from ascend_provision.evidence.version_info import DriverFile, FirmwareFile
from ascend_provision.stack.facts import Board, BootFacts, DriverFacts, FirmwareFacts
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import FirmwareVersion, HdkVersion


@dataclass(frozen=True)
class Flash:
    """What the chips' flash says: by `upgrade-tool` and by the boards, and whether a restart is due.

    `doubts` are why one of the two was asked and is not known, `no_word` that the tool does not tell about restarts.
    """

    versions: tuple[FirmwareVersion, ...] | Unknown
    boards: tuple[Board, ...] | Unknown
    waiting: bool | Unknown
    doubts: tuple[Unknown, ...] = ()
    no_word: bool = True


def driver(
    file: DriverFile,
    info: InstallInfo,
    smi: Info,
    modules: tuple[str, ...] | Unknown,
    built: bool | Unknown,
    boards: tuple[Board, ...] | Unknown,
) -> DriverFacts:
    """`running` is npu-smi's right-hand version while modules are loaded; None when none is loaded."""
    return DriverFacts(
        file=file.version,
        running=_running(_shown(smi.driver, boards), modules, _shows_chips(smi)),
        tool=smi.tool,
        package=file.package,
        inner=file.inner,
        accepts_cann=file.accepts_cann,
        accepts_firmware=file.accepts_firmware,
        modules_loaded=modules,
        install_path=info.driver_path,
        built_for_kernel=built,
    )


def _shown(title: HdkVersion | Unknown | None, boards: tuple[Board, ...] | Unknown) -> HdkVersion | Unknown | None:
    """The title's driver; where no title was read, the software version that all boards agree on: it is the same."""
    if not isinstance(title, Unknown) or isinstance(boards, Unknown):
        return title
    versions = {board.software for board in boards}
    return next((found for found in versions if found is not None and len(versions) == 1), title)


def _shows_chips(smi: Info) -> bool:
    return bool(smi.seen) or (not isinstance(smi.chips, Unknown) and bool(smi.chips))


def _running(
    shown: HdkVersion | Unknown | None, modules: tuple[str, ...] | Unknown, chips: bool
) -> HdkVersion | Unknown | None:
    if isinstance(modules, Unknown):
        return shown if isinstance(shown, HdkVersion) else modules
    if not modules and chips:  # without its modules npu-smi has no chip to show
        return Unknown(unknown="npu-smi shows chips, and no module of the driver is in the kernel's list")
    if not modules:
        return None
    if shown is None:
        return Unknown(unknown="driver modules are loaded, but npu-smi is gone", settle="restart the host")
    return shown


def firmware(file: FirmwareFile, flash: Flash, log: Log, boot: BootFacts) -> FirmwareFacts:
    """`flash` unites both sources; two that disagree show as two versions."""
    return FirmwareFacts(
        file=file.version,
        flash=_flash(flash),
        pending=_pending(flash.waiting, log, boot) if flash.no_word else flash.waiting,
        package=file.package,
        accepts_driver=file.accepts_driver,
        doubt=next(iter((*flash.doubts, *_some_told(flash.boards))), None),
    )


def _some_told(boards: tuple[Board, ...] | Unknown) -> list[Unknown]:
    """Every board tells its firmware, or none does (it needs root): one that alone does not may have another."""
    if isinstance(boards, Unknown) or len({board.firmware is None for board in boards}) < 2:
        return []
    dumb = next(board.npu_id for board in boards if board.firmware is None)
    return [Unknown(unknown=f"NPU {dumb} tells no firmware version, the others do")]


def _flash(flash: Flash) -> tuple[FirmwareVersion, ...] | Unknown:
    from_boards: tuple[FirmwareVersion, ...] | Unknown = Unknown(unknown="npu-smi shows no firmware version")
    if isinstance(flash.boards, Unknown):
        from_boards = flash.boards
    elif all(board.firmware is not None for board in flash.boards):
        from_boards = tuple(sorted({board.firmware for board in flash.boards if board.firmware is not None}))
    if isinstance(flash.versions, Unknown):
        return from_boards
    if isinstance(from_boards, Unknown):
        return flash.versions
    return tuple(sorted({*flash.versions, *from_boards}))


def _pending(waiting: bool | Unknown, log: Log, boot: BootFacts) -> bool | Unknown:
    """The tool's own word; where it has none, whether the log says that firmware was written since the boot."""
    if not isinstance(waiting, Unknown):
        return waiting
    if isinstance(log.log, Unknown) or isinstance(log.flashed_at, Unknown) or isinstance(boot.booted_at, Unknown):
        return waiting
    if log.flashed_at is not None:
        return log.flashed_at > boot.booted_at
    if log.log is not None and log.log.modified_at < boot.booted_at:
        return False
    return waiting
