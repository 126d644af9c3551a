"""`/etc/ascend_install.info`: what the HDK installers remember of themselves. Sources: docs/formats.md#install-info."""

from __future__ import annotations

from dataclasses import dataclass

from ascend_provision.evidence.reading import Reading, absent, lines, pairs, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import InstallRecord
from ascend_provision.stack.model import Unknown

_PREFIXES = ("Driver_", "Firmware_", "User")


@dataclass(frozen=True)
class InstallInfo:
    """`keys` are all of its keys; the paths are None when the file, or the line, is not there."""

    driver_path: str | Unknown | None
    firmware_path: str | Unknown | None
    keys: tuple[str, ...] = ()


def parse(evidence: Evidence) -> Reading[InstallInfo]:
    """Never raises; an absent file means that neither package is recorded."""
    if absent(evidence):
        return Reading(InstallInfo(None, None))
    if (why := silence(evidence)) is not None:
        return Reading(InstallInfo(why, why))
    values = pairs(evidence.text)
    if not any(key.startswith(_PREFIXES) for key in values):
        why = Unknown(unknown="/etc/ascend_install.info: none of its keys")
        return Reading(InstallInfo(why, why), unread=tuple(lines(evidence.text)))
    unread = tuple(line for line in lines(evidence.text) if not line.startswith(_PREFIXES))
    return Reading(
        InstallInfo(
            driver_path=values.get("Driver_Install_Path_Param"),
            firmware_path=values.get("Firmware_Install_Path_Param"),
            keys=tuple(values),
        ),
        unread=unread,
    )


def record(evidence: Evidence, aicpu: str | None) -> InstallRecord | Unknown | None:
    """What the file says about whom and what; None when there is no file. `aicpu`: the probe's yes or no, or None."""
    if absent(evidence):
        return None
    if (why := silence(evidence)) is not None:
        return why
    values = pairs(evidence.text)
    if not any(key.startswith(_PREFIXES) for key in values):
        return Unknown(unknown="/etc/ascend_install.info: none of its keys")
    return InstallRecord(
        user=values.get("UserName", ""),
        group=values.get("UserGroup", ""),
        keys=tuple(values),
        aicpu=aicpu == "yes" if aicpu else Unknown(unknown="opp/aicpu was not looked for"),
    )
