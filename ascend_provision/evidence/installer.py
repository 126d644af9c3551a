"""What a `.run` installer or an uninstall script said: its exit status AND its last success line must agree.

Exit status 0 is done, 2 is done with a restart due, 1 failed; "Stoped!" is a refused question that ends 0. Success
lines carry colours. "… finished!" with "Kernel modules can not be removed" is a success too, and a restart is due.
Sources: docs/formats.md#installers.
"""

from __future__ import annotations

import re
from typing import Literal

from ascend_provision.stack.model import Noun
from ascend_provision.stack.plan import Ending

Component = Literal["driver", "firmware", "toolkit", "kernels", "nnal", "uninstall"]

_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\r")
_HDK = r"{} package (?:install|upgrad)\w*\s*(?:success\w*|finished)!?"
_CANN = r"(?:Ascend|Atlas)-\S*{}\S* (?:install|upgrad)\w* success\w*"
_SUCCESS: dict[Component, re.Pattern[str]] = {
    "driver": re.compile(_HDK.format("Driver")),
    "firmware": re.compile(_HDK.format("Firmware")),
    "toolkit": re.compile(_CANN.format("(?:toolkit|nnae|nnrt)")),
    "kernels": re.compile(_CANN.format("(?:kernels|ops)")),
    "nnal": re.compile(_CANN.format("(?:nnal|atb)")),
    "uninstall": re.compile(r"(?:package )?uninstall\w*\s+(?:success\w*|finished)!?", re.IGNORECASE),
}
_ERROR = re.compile(r"\[ERROR\]:?\s*(.*)|(?:^|: )(ERROR: .*)", re.IGNORECASE)
_MODULES = re.compile(r"Kernel modules can not be removed")
_RESTART = re.compile(r"[Rr]eboot (?:needed|now)")
_STOPPED = re.compile(r"Stoped!$|Stop installation")
_NOT_LAST = re.compile(r"\[INFO\]:? ?End [Tt]ime|^\s*$")
_ACCEPTED = {"driver": {0, 2}, "firmware": {0, 2}}


class InstallerReading(Noun):
    """`last_line` is the last line that says something; `reason` why it failed, empty when it did not."""

    ending: Ending
    last_line: str
    reason: str = ""


def read(component: Component, rc: int | None, text: str) -> InstallerReading:
    """Judge one run. `rc` None means that nobody knows how it ended: that is a failure here, never a success."""
    rows = [row.strip() for row in _COLOUR.sub("", text).split("\n")]
    last = next((row for row in reversed(rows) if not _NOT_LAST.search(row)), "")
    success = _last(_SUCCESS[component], rows)
    failed = _failure(component, rc, rows, success)
    if failed:
        return InstallerReading(ending=Ending.FAILED, last_line=last, reason=failed)
    said = "\n".join(rows[success:])
    if _MODULES.search(said):
        ending = Ending.MODULES_STILL_LOADED if component == "uninstall" else Ending.REBOOT_NEEDED
    elif rc == 2 or _RESTART.search(said):
        ending = Ending.REBOOT_NEEDED
    else:
        ending = Ending.DONE
    return InstallerReading(ending=ending, last_line=last)


def last_word(text: str) -> str:
    """The last line of an installer's output that says how something ended; empty when none does."""
    rows = [row.strip() for row in _COLOUR.sub("", text).split("\n")]
    told = (*_SUCCESS.values(), _ERROR, _MODULES, _STOPPED)
    return next((row[:300] for row in reversed(rows) if any(pattern.search(row) for pattern in told)), "")


def _failure(component: Component, rc: int | None, rows: list[str], success: int) -> str:
    """Why it failed; empty when it did not."""
    error = _last_error(rows)
    if rc is None:
        return f"no exit status: the command did not end or its status was lost{f'; it said: {error}' if error else ''}"
    if rc not in _ACCEPTED.get(component, {0}):
        agreed = " (although it printed success)" if success >= 0 and not error else ""
        return f"exit status {rc}{agreed}: {error or _nothing(rows)}"
    if any(row.rstrip().endswith("Stoped!") for row in rows) and success < 0:
        return "it asked a question, got no `y` and stopped: use --quiet"
    if success < 0:
        return f"exit status {rc}, but it never said that it succeeded: {error or _nothing(rows)}"
    if error and _last(_ERROR, rows) > success:
        return f"exit status {rc}, but an error came after its success line: {error}"
    return ""


def _last(pattern: re.Pattern[str], rows: list[str]) -> int:
    return max((number for number, row in enumerate(rows) if pattern.search(row)), default=-1)


def _last_error(rows: list[str]) -> str:
    number = _last(_ERROR, rows)
    match = _ERROR.search(rows[number]) if number >= 0 else None
    return "" if match is None else (match[1] or match[2] or rows[number]).strip()[:300]


def _nothing(rows: list[str]) -> str:
    said = [row for row in rows if not _NOT_LAST.search(row)]
    return f"its last line is {said[-1][:200]!r}" if said else "it printed nothing"
