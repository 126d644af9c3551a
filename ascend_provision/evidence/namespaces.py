"""/proc/uda/namespace_node: the mount namespaces that the driver has given cards to.

    ns_id 0 identify 10001 root_tgid 4242 dev_num 1 namespace 00000000abcdef12(#), udev list:
    logic_devid udevid
           0        3

`(#)` marks the namespace of the reader. Source: uda_proc_fs of the driver (github.com/hicann/driver); only drivers of
HDK 24.1 and later have the file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ascend_provision.evidence.reading import Reading, absent, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import Occupant, Process
from ascend_provision.stack.model import Unknown

_HEAD = re.compile(
    r"ns_id (\d{1,9}) identify [0-9a-f]+ root_tgid (\d{1,10}) dev_num (\d{1,4}) namespace \S*?(\(#\))?, udev list:"
)
_CARD = re.compile(r"\s*(\d{1,9})\s+(\d{1,9})")
_TITLE = "logic_devid udevid"


def parse(evidence: Evidence, processes: Sequence[Process]) -> Reading[tuple[Occupant, ...] | Unknown | None]:
    """None where the driver has no such file; () when nobody has a card. `processes` are looked up by `root_tgid`."""
    if absent(evidence):
        return Reading(None)
    if (why := silence(evidence)) is not None:
        return Reading(why)
    by_pid = {process.pid: process for process in processes}
    heads: list[re.Match[str]] = []
    cards: list[list[int]] = []
    unread: list[str] = []
    for line in lines(evidence.text):
        if head := _HEAD.fullmatch(line.strip()):
            heads.append(head)
            cards.append([])
        elif (card := _CARD.fullmatch(line.rstrip())) and cards:
            cards[-1].append(int(card[2]))
        elif line.strip() != _TITLE:
            unread.append(line)
    short = [head[1] for head, listed in zip(heads, cards, strict=True) if len(listed) != int(head[3])]
    if unread or short:
        what = unread[0][:120] if unread else f"namespace {short[0]} lists fewer cards than it counts"
        return Reading(Unknown(unknown=f"/proc/uda/namespace_node: not understood: {what}"), unread=tuple(unread))
    return Reading(
        tuple(
            Occupant(
                ns_id=int(head[1]), root_tgid=int(head[2]), devices=tuple(sorted(listed)), own=head[4] is not None,
                process=by_pid.get(int(head[2])),
            )
            for head, listed in zip(heads, cards, strict=True)
        )
    )  # fmt: skip
