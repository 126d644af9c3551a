"""Files that must survive, with content hash, mode and owner: `sha256sum` and `stat -c '%a %u:%g %Y %n'`."""

from __future__ import annotations

import re

from ascend_provision.evidence.reading import Reading, absent, lines, unreadable
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import KeptFile
from ascend_provision.stack.model import Noun, Unknown

KEPT = ("/etc/hccn.conf", "/etc/vnpu.cfg", "/etc/ascend_install.info", "/etc/Ascend/ascend_cann_install.info")
_SUM = re.compile(r"([0-9a-f]{64})[ *]+(/.*)")
_STAT = re.compile(r"([0-7]{1,5}) (\d+:\d+) (\d{1,15}) (/.*)")


class FileState(Noun):
    """Octal mode, numeric owner, seconds since the epoch of the last change."""

    mode: str
    owner: str
    modified_at: float


def parse_sums(evidence: Evidence) -> dict[str, str]:
    """Path -> sha256, as far as the files could be read (sha256sum ends 1 when one could not)."""
    return {row[2]: row[1] for line in lines(evidence.text) if (row := _SUM.fullmatch(line))}


def parse_states(evidence: Evidence) -> dict[str, FileState]:
    """Path -> its state, as far as the files could be read; none of them when a line is no file's and no complaint."""
    if _torn(evidence):
        return {}
    rows = (row for line in lines(evidence.text) if (row := _STAT.fullmatch(line)))
    return {row[4]: FileState(mode=row[1].zfill(4), owner=row[2], modified_at=float(row[3])) for row in rows}


def _torn(stat: Evidence) -> tuple[str, ...]:
    return tuple(line for line in lines(stat.text) if not _STAT.fullmatch(line) and not line.startswith("stat: "))


def parse(stat: Evidence, sha256: Evidence) -> Reading[tuple[KeptFile, ...] | Unknown]:
    """The kept files that exist. A host without any of them is (), one without stat or sha256sum is unknown."""
    if absent(stat) and absent(sha256):
        return Reading(())
    for evidence in (stat, sha256):
        if evidence.status is None or evidence.truncated:
            return Reading(unreadable(evidence, "not read"))
    if torn := _torn(stat):
        return Reading(Unknown(unknown=f"{stat.name}: not understood: {torn[0][:120]}"), unread=torn)
    sums, states = parse_sums(sha256), parse_states(stat)
    for evidence, read in ((stat, states), (sha256, sums)):
        if not read:
            return Reading(unreadable(evidence, "no file in its output"))
    unread = tuple(path for path in KEPT if (path in sums) != (path in states))
    if unread:
        return Reading(Unknown(unknown=f"{unread[0]} could not be read", settle="probe as root"), unread=unread)
    return Reading(
        tuple(
            KeptFile(path=path, sha256=sums[path], mode=states[path].mode, owner=states[path].owner)
            for path in KEPT
            if path in sums
        )
    )
