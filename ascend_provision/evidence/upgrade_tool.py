"""`upgrade-tool --component -1 --version` and `--status`: the chips' flash.

A flashed firmware shows its version at once, before the restart that runs it; only `--status` tells the difference
(`waitting_restart`, as the tool spells it). Sources: docs/formats.md#upgrade-tool.
"""

from __future__ import annotations

import re

from ascend_provision.evidence.reading import Reading, absent, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import FirmwareVersion

_COMPONENT = re.compile(r'\s*\{"device_id":\s*(\d+),\s*"component":\s*"?([\w ]+?)"?,\s*"version":\s*"?([^"}]+?)"?\}')
_STATUS = re.compile(r'\s*\{"device(?:_id)?":\s*(\d+),.*"status":\s*"?([\w ]+?)"?\s*\}')
_SAID = re.compile(r"\s*Get (component|system) version\([^)]*\) succeed|\s*[{}]\s*$|\s*Get device.*status.*succeed")
_WAITING = frozenset({"waitting_restart", "waiting_restart"})
_BUSY = frozenset({"upgrading", "waitting_sync", "waiting_sync", "synchronizing"})


def parse_versions(evidence: Evidence) -> Reading[tuple[FirmwareVersion, ...] | Unknown]:
    """The distinct component versions of all chips, lowest first."""
    if (why := _why(evidence)) is not None:
        return Reading(why)
    found: set[FirmwareVersion] = set()
    unread: list[str] = []
    for line in lines(evidence.text):
        if row := _COMPONENT.fullmatch(line.rstrip()):
            version = FirmwareVersion.maybe(row[3])
            if version is None:
                return Reading(Unknown(unknown=f"upgrade-tool: {row[3][:80]!r} is not a firmware version"))
            found.add(version)
        elif not _SAID.match(line):
            unread.append(line)
    if (why := _torn(unread)) is not None:
        return Reading(why, unread=tuple(unread))
    return Reading(tuple(sorted(found)) or Unknown(unknown="upgrade-tool: no component version"), unread=tuple(unread))


def parse_status(evidence: Evidence) -> Reading[bool | Unknown]:
    """Does a flashed firmware wait for a restart? Unknown when the tool does not support the question."""
    if (why := _why(evidence)) is not None:
        return Reading(why)
    states, unread = _states(evidence)
    if states & _WAITING:
        return Reading(True, unread=tuple(unread))
    if (why := _torn(unread)) is not None:
        return Reading(why, unread=tuple(unread))
    if states == {"idle"}:
        return Reading(False, unread=tuple(unread))
    said = ", ".join(sorted(states)) or "nothing understood"
    return Reading(Unknown(unknown=f"upgrade-tool --status: {said}", settle=_settle(states)), unread=tuple(unread))


def has_no_word(evidence: Evidence) -> bool:
    """The tool is not there, refuses the question, or says `not support`: then another source may tell instead."""
    refused = evidence.status not in {None, 0} and not evidence.truncated
    return absent(evidence) or refused or (evidence.ok and _states(evidence) == ({"not support"}, []))


def _states(evidence: Evidence) -> tuple[set[str], list[str]]:
    """The chips' states, and the lines that nobody understood."""
    states: set[str] = set()
    unread: list[str] = []
    for line in lines(evidence.text):
        if row := _STATUS.fullmatch(line.rstrip()):
            states.add(row[2])
        elif not _SAID.match(line):
            unread.append(line)
    return states, unread


def _torn(unread: list[str]) -> Unknown | None:
    """A chip's line that was not understood: what it said of that chip is lost, whatever the others say."""
    torn = next((line for line in unread if '"' in line or "{" in line), None)
    return None if torn is None else Unknown(unknown=f"upgrade-tool: not understood: {torn.strip()[:120]}")


def _settle(states: set[str]) -> str:
    return "wait until the firmware is synchronised" if states & _BUSY else ""


def _why(evidence: Evidence) -> Unknown | None:
    if absent(evidence):
        return Unknown(unknown="upgrade-tool is not installed", settle="install the driver")
    return silence(evidence)
