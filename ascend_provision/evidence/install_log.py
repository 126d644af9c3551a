"""`/var/log/ascend_seclog/ascend_install.log`: when it was written, how its last run ended, what it flashed since boot.

Lines look like `[Firmware] [2025-04-27 17:42:40] [INFO]firmware upgrade success`; the probe sends those that begin or
end something (after one blank) and the last line of all (after `L `). The log never says "installed successfully",
that goes to stdout only. Sources: docs/formats.md#install-log.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timezone

from ascend_provision.evidence.kept_files import FileState
from ascend_provision.evidence.reading import Reading, absent, garbled, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import InstallLog
from ascend_provision.stack.model import Unknown

PATH = "/var/log/ascend_seclog/ascend_install.log"
_LINE = re.compile(
    r"\[(?P<part>[\w-]+)\] \[(?P<at>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\] \[(?P<level>[A-Z]+)\]:? ?(?P<text>.*)"
)
_TURN = re.compile(r"(?:Start|End) time", re.IGNORECASE)
"""What begins or ends a run."""
_KEPT = re.compile(r"Start time|End time|irmware.*success|ERROR")
"""What a line has that the probe sends for its own sake."""
_CANN = re.compile(r"\[[\w-]+\] ?\[\d{8}[ -][\d:]+\] ?\[[A-Z]+\]")
"""CANN's own packages write their times without the dashes, into logs of their own."""
_ZONE = 15 * 3600
"""No place is further from UTC, seconds."""
_HDK = frozenset({"Driver", "Firmware"})
_FLASHED = re.compile(r"firmware (?:package )?(?:upgrade|install)\w* success", re.IGNORECASE)
_REMOVED = re.compile(r"uninstall\w*.*firmware|firmware.*uninstall", re.IGNORECASE)


@dataclass(frozen=True)
class Log:
    """`flashed_at`: when firmware was last written to the chips by the log, seconds since the epoch."""

    log: InstallLog | Unknown | None
    flashed_at: float | Unknown | None


def parse(evidence: Evidence, state: FileState | None) -> Reading[Log]:
    """None when there is no log: nothing was ever installed from a package, or somebody removed it."""
    if absent(evidence):
        why = None if state is None else Unknown(unknown=f"{PATH}: {evidence.note}, yet its time of change was read")
        return Reading(Log(why, why))
    if (why := silence(evidence)) is not None:
        return Reading(Log(why, why))
    rows = lines(evidence.text)
    last = next((line[2:] for line in rows if line.startswith("L ")), "")
    if state is None:
        why = Unknown(unknown=f"{PATH}: its time of change was not read")
        return Reading(Log(why, why))
    events = [match for line in rows if line.startswith(" ") and (match := _LINE.match(line[1:]))]
    if not events and not _LINE.match(last):
        why = Unknown(unknown=f"{PATH}: not a line of an installer in it")
        return Reading(Log(why, why), unread=tuple(rows))
    torn = next((line for line in rows if _torn(line)), None)
    if torn is None and _TURN.search(last) and (not events or events[-1][0] != last):
        torn = f"L {last}"  # the probe sends what begins or ends a run twice when it is the last line
    if torn is not None:
        why = Unknown(unknown=f"{PATH}: not understood: {torn.strip()[:120]}")
        return Reading(Log(why, why), unread=(torn,))
    if (why_not := _far(events, last, state.modified_at)) is not None:
        return Reading(Log(why_not, why_not))
    shift = _to_utc(events, last, state.modified_at)
    written = [*events, *filter(None, [_LINE.match(last)])]
    log = InstallLog(
        modified_at=state.modified_at,
        last_line=last,
        unfinished=_unfinished(events),
        hdk_at=max((_epoch(event["at"]) + shift for event in written if event["part"] in _HDK), default=None),
    )
    return Reading(Log(log, _flashed_at(events, shift)))


def _torn(line: str) -> bool:
    """A line that the probe would not send, has a byte that no text has, or turns a run and is none of an installer."""
    text = line[1:].lstrip()
    odd = not _LINE.match(text) and not _CANN.match(text)
    cut = line.startswith("L [") and odd
    return (
        garbled(line) or cut or (_TURN.search(text) is not None and odd) or (line[0] == " " and not _KEPT.search(line))
    )


def _far(events: list[re.Match[str]], last: str, modified_at: float) -> Unknown | None:
    """The last line was written when the file was changed: the two are a time zone apart, or one of them is wrong."""
    newest = _LINE.match(last)
    ages = [modified_at - _epoch(event["at"]) for event in ([newest] if newest else events)]
    if min(ages) < -_ZONE or (newest and max(ages) > _ZONE):
        return Unknown(unknown=f"{PATH}: its lines and its time of change are days apart")
    return None


def _unfinished(events: list[re.Match[str]]) -> bool:
    """The last `Start time` has no `End time` after it."""
    open_run = False
    for event in events:
        if event["text"].lower().startswith("start time"):
            open_run = True
        elif event["text"].lower().startswith("end time"):
            open_run = False
    return open_run


def _to_utc(events: list[re.Match[str]], last: str, modified_at: float) -> float:
    """Log times are local; the last line was written when the file was changed, which gives their distance to UTC."""
    newest = _LINE.match(last) or events[-1]
    return modified_at - _epoch(newest["at"])


def _flashed_at(events: list[re.Match[str]], shift: float) -> float | Unknown | None:
    flashed = [event for event in events if event["part"] == "Firmware"]
    for event in reversed(flashed):
        if _FLASHED.search(event["text"]):
            return _epoch(event["at"]) + shift
        if _REMOVED.search(event["text"]):
            return None
    return None


def _epoch(text: str) -> float:
    try:
        return datetime.strptime(text, "%Y-%m-%d %H:%M:%S").replace(tzinfo=timezone.utc).timestamp()
    except ValueError:
        return 0.0
