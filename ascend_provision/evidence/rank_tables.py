"""Rank tables on the host: which NPU is which rank of a job, as HCCL reads it.

Forms 1.0 (A1, A2) and 1.2 (super-pods of A3) have servers with devices; 2.0 is one list of ranks; the form before them
has groups of instances. The probe sends `F PATH` with the text on one line, or `C PATH` for a table that is too long.
Sources: docs/formats.md#rank-tables.
"""

from __future__ import annotations

import json
from typing import Any

from ascend_provision.evidence.reading import Reading, absent, blocks, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.network import RankDevice, RankServer, RankTable

_MOST_RANKS = 4096


def parse(evidence: Evidence) -> Reading[tuple[RankTable, ...] | Unknown]:
    """Every table found, also one that cannot be read: its `problem` says why."""
    if absent(evidence):
        return Reading(())
    if (why := silence(evidence)) is not None:
        return Reading(why)
    entries = blocks(evidence.text, "FC")
    if not entries and (foreign := lines(evidence.text)):
        return Reading(Unknown(unknown=f"rank tables: not understood: {foreign[0][:120]}"), unread=tuple(foreign))
    return Reading(tuple(_table(head, path, "\n".join(text)) for head, path, text in entries))


def _table(head: str, path: str, text: str) -> RankTable:
    if head == "C":
        return RankTable(path=path, problem="too long to be read from here")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return RankTable(path=path, problem="no whole JSON document")
    if not isinstance(document, dict):
        return RankTable(path=path, problem="JSON, and no rank table")
    servers = _servers(document)
    if servers is None:
        return RankTable(path=path, problem="JSON without server_list, rank_list or group_list")
    count = document.get("server_count", document.get("rank_count"))
    return RankTable(
        path=path,
        version=_text(document.get("version")),
        status=_text(document.get("status")),
        count=_text(count),
        servers=servers,
    )


def _servers(document: dict[str, Any]) -> tuple[RankServer, ...] | None:
    """The servers of the forms 1.x; for 2.0 one server without a name that has all the ranks."""
    listed = document.get("server_list")
    if isinstance(listed, list):
        return tuple(
            RankServer(server_id=_text(server.get("server_id")), devices=_devices(server.get("device")))
            for server in listed[:_MOST_RANKS]
            if isinstance(server, dict)
        )
    if isinstance(groups := document.get("group_list"), list):
        return _grouped(groups)
    ranks = document.get("rank_list")
    return (RankServer(server_id=None, devices=_devices(ranks)),) if isinstance(ranks, list) else None


def _grouped(groups: list[Any]) -> tuple[RankServer, ...]:
    """The form before 1.0: groups of instances; an instance of one device may carry the rank itself."""
    servers: dict[str | None, tuple[RankDevice, ...]] = {}
    instances = [
        one
        for group in groups
        if isinstance(group, dict)
        for one in group.get("instance_list") or ()
        if isinstance(one, dict)
    ]
    for instance in instances[:_MOST_RANKS]:
        devices, rank = _devices(instance.get("devices")), _text(instance.get("rank_id"))
        if rank and len(devices) == 1 and devices[0].rank_id is None:
            devices = (devices[0].model_copy(update={"rank_id": rank}),)
        server = _text(instance.get("server_id"))
        servers[server] = servers.get(server, ()) + devices
    return tuple(RankServer(server_id=server, devices=devices) for server, devices in servers.items())


def _devices(listed: object) -> tuple[RankDevice, ...]:
    if not isinstance(listed, list):
        return ()
    rows = [row for row in listed[:_MOST_RANKS] if isinstance(row, dict)]
    return tuple(RankDevice(**{name: _text(row.get(name)) for name in RankDevice.model_fields}) for row in rows)


def _text(value: object) -> str | None:
    """Numbers are written with and without quotes; anything that is neither is as good as missing."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    return str(value).strip()[:64] or None
