"""Runs of KEY=VALUE lines: which file, or which dump of an environment, they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ascend_provision.evidence.pasted.cut import Piece
from ascend_provision.evidence.pasted.lines import Line
from ascend_provision.evidence.version_info import IGNORED
from ascend_provision.stack.versions import FirmwareVersion, HdkVersion

DRIVER, FIRMWARE = "driver/version.info", "firmware/version.info"
INSTALL_INFO, HCCN_CONF, CANN_RECORD = "ascend_install.info", "hccn.conf", "ascend_cann_install.info"
PACKAGE_INFO, VERSION_CFG, COMPONENT, NNAL = (
    "CANN install record",
    "version.cfg",
    "CANN version.info",
    "NNAL version.info",
)
OS_RELEASE, ENVIRONMENT = "os-release", "environment variables"

_KEY = re.compile(r"(?:export +|declare -x +)?([A-Za-z_][\w.-]*)=")
_DEVICE = re.compile(r"(?:address|netmask|netdetect|gateway|send_arp_status|tls_enable|arp)_\d{1,3}")
_OF_DRIVER = frozenset({"ascendhal_version", "tsfw_version", "compatible_version_fw", "dvppkernels_version"})
_OF_FIRMWARE = frozenset({"compatible_version_drv", "firmware_version"})
_SHELL = frozenset({"PATH", "HOME", "PWD", "SHLVL", "LANG", "LD_LIBRARY_PATH", "PYTHONPATH", "SHELL", "USER"})
STACK = re.compile(
    "ASCEND|Ascend|HCCL_|PYTORCH_(NPU_)?ALLOC_CONF|RANK_TABLE|ATB_|ACL_|ACLNN_|TASK_QUEUE_ENABLE|MINDSPORE|MS_ENABLE|"
    "MS_ALLOC_CONF|NPU_|CPU_AFFINITY_CONF|COMBINED_ENABLE|MULTI_STREAM_MEMORY_REUSE|INF_NAN_MODE_ENABLE|"
    "STREAMS_PER_DEVICE|PER_STREAM_QUEUE|OOM_SNAPSHOT_ENABLE"
)
"""What a line must name to concern the stack: the filter of the probe."""
_FIRMWARE_DOTS = 4
_ONCE = frozenset({"Version", "package_name", "UserName"})
_SEVERAL = re.compile(r"\s+/\s+(?=\w+=)")


def split(piece: Piece) -> Iterator[Piece]:
    """The files in one run of lines: one ends where a key that a file has once comes again, or at a blank line.

    What stands below a blank line and is of the same kind, or of none, goes on with what is above it.
    """
    held: list[Line] = []
    keys: set[str] = set()
    kind = ""
    for block in _blocks(piece.lines):
        own, here = name(piece, tuple(block)), {_key(line) for line in block}
        if held and (here & keys & _ONCE or own not in {"", kind}):
            yield _named(piece, held)
            held, keys, kind = [], set(), ""
        held += block
        keys |= here
        kind = kind or own
    if held:
        yield _named(piece, held)


def _blocks(rows: tuple[Line, ...]) -> Iterator[list[Line]]:
    """Lines up to a blank one, or to a key that a file has once and this block already has."""
    held: list[Line] = []
    keys: set[str] = set()
    for line in _single(rows):
        key = _key(line)
        if held and (not line.bare or (key in keys and key in _ONCE)):
            yield held
            held, keys = [], set()
        if line.bare:
            held.append(line)
            keys.add(key)
    if held:
        yield held


def _single(rows: tuple[Line, ...]) -> Iterator[Line]:
    """`A=1 / B=2` on one line, as people shorten, is two."""
    for line in rows:
        for part in _SEVERAL.split(line.text):
            yield Line(line.number, part)


def _named(piece: Piece, rows: list[Line]) -> Piece:
    own = tuple(rows)
    return Piece(piece.file, name(piece, own), own, piece.above)


def name(piece: Piece, rows: tuple[Line, ...]) -> str:
    """The file by its keys; where they leave it open, by the version's form and by what stands above."""
    keys = {_key(line) for line in rows}
    text = "\n".join(line.bare for line in rows)
    if any(key.startswith(("Driver_Install", "Firmware_Install")) for key in keys) or "UserName" in keys:
        return INSTALL_INFO
    if any(_DEVICE.fullmatch(key) for key in keys):
        return HCCN_CONF
    if any(key.endswith(("_running_version", "_upgrade_version", "_installed_version")) for key in keys):
        return VERSION_CFG
    if "package_name" in keys:
        return PACKAGE_INFO
    if "Ascend-cann-" in text and " : " in text:
        return NNAL
    if any(key.endswith(("_InstallPath", "_Install_Path_Param")) for key in keys):
        return CANN_RECORD
    if "Version" in keys or keys & _OF_DRIVER or keys & _OF_FIRMWARE:
        return _version_info(piece, keys, text)
    if "VERSION_ID" in keys or {"ID", "PRETTY_NAME"} & keys:
        return OS_RELEASE
    if keys & _SHELL or any(STACK.search(line.text) for line in rows):
        return ENVIRONMENT
    return ""


def _version_info(piece: Piece, keys: set[str], text: str) -> str:
    if "version_dir" in keys or any(key.startswith("required_package_") for key in keys):
        return COMPONENT
    if keys & _OF_DRIVER or len(keys & IGNORED) > 1:
        return DRIVER
    if keys & _OF_FIRMWARE:
        return FIRMWARE
    where = {word: word in piece.above.words for word in ("driver", "firmware")}
    if where["driver"] != where["firmware"]:
        return DRIVER if where["driver"] else FIRMWARE
    match = re.search(r"^Version=(\S+)", text, re.MULTILINE)
    version = match[1] if match else ""
    if version.count(".") >= _FIRMWARE_DOTS and FirmwareVersion.maybe(version):
        return FIRMWARE
    return DRIVER if HdkVersion.maybe(version) else ""


def _key(line: Line) -> str:
    match = _KEY.match(line.bare)
    return match[1] if match else ""
