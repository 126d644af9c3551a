"""Variables of the stack in the processes that have a card open: `F PID`, then NAME=VALUE lines with a blank in front.

Source: proc(5), /proc/PID/environ (the environment the process was started with).
"""

from __future__ import annotations

import re

from ascend_provision.evidence.reading import Reading, blocks, foreign_lines, is_number, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import Holder
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import LiveEnv

_VARIABLE = re.compile(r"([A-Z][A-Z0-9_]*)=(.*)")
_COMMAND = 60


def parse(evidence: Evidence, holders: tuple[Holder, ...] | Unknown) -> Reading[tuple[LiveEnv, ...] | Unknown]:
    """One entry for each holder whose environment could be read; unknown when the holders are."""
    if isinstance(holders, Unknown):
        return Reading(holders)
    if (why := silence(evidence)) is not None:
        return Reading(why)
    said = {holder.pid: holder.command for holder in holders}
    found: list[LiveEnv] = []
    unread: list[str] = []
    entries = blocks(evidence.text)
    if strange := foreign_lines(evidence.text):
        return Reading(Unknown(unknown=f"{evidence.name}: not understood: {strange[0][:120]}"), unread=strange)
    for _, text, content in entries:
        if not is_number(text):
            unread.append(text)
            continue
        rows = [(line, _VARIABLE.fullmatch(line)) for line in content]
        unread += [line for line, row in rows if row is None]
        found.append(
            LiveEnv(
                pid=int(text),
                name=f"pid {text} {said.get(int(text), '')[:_COMMAND]}".strip(),
                variables={row[1]: row[2] for _, row in rows if row},
            )
        )
    if unread:
        return Reading(Unknown(unknown=f"{evidence.name}: not understood: {unread[0][:120]}"), unread=tuple(unread))
    return Reading(tuple(found))
