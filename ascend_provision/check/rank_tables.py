"""Rank tables: whole, of the form this chip generation reads, and with this host's own NPU addresses.

A table that jobs use (RANK_TABLE_FILE of a shell file, or a place that is read without being told) fails; one that
only lies about is a warning, and a file of that name that is no rank table at all is nobody's business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ascend_provision.check import finding
from ascend_provision.check.reading import family, product, several
from ascend_provision.knowledge import rank_tables
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.network import RankServer, RankTable

_DONE = "completed"


def judge(facts: HostFacts) -> Iterator[Finding]:
    """Nothing but a skip for a host without rank tables: jobs need none."""
    host, tables = facts.host, facts.rank_tables
    if isinstance(tables, Unknown):
        yield finding.unknown("ranktable.form", host, tables)
        return
    if not tables:
        yield finding.skip("ranktable.form", host, "no rank table on this host")
        return
    used = _used(facts)
    yield from _form(host, tables, used)
    readable = [table for table in tables if not table.problem]
    if readable:
        yield from _version(facts, readable, used)
        yield from _addresses(facts, readable, used)


def _used(facts: HostFacts) -> set[str]:
    named = set(rank_tables.used())
    if not isinstance(facts.env_files, Unknown):
        named |= {file.variables.get(rank_tables.VARIABLE, "") for file in facts.env_files}
    return named


def _form(host: str, tables: Sequence[RankTable], used: set[str]) -> Iterator[Finding]:
    key, expected = "ranktable.form", "a whole table in which every id and address stands once"
    faults: dict[str, list[str]] = {}
    for table in tables:
        if table.problem and table.path in used:
            if table.problem.startswith("too long"):
                yield finding.unknown(key, host, f"{table.path} is {table.problem}")
            else:
                faults[table.path] = [table.problem]
        elif not table.problem and (wrong := list(_wrong(table))):
            faults[table.path] = wrong
    yield from _told(key, host, faults, used, expected)
    if not faults and any(not table.problem for table in tables):
        yield finding.ok(key, host, several([table.path for table in tables if not table.problem]), expected=expected)


def _wrong(table: RankTable) -> Iterator[str]:
    if table.status not in {None, _DONE}:
        yield f"its status is {table.status}, not {_DONE}"
    devices = [device for server in table.servers for device in server.devices]
    one_list = len(table.servers) == 1 and table.servers[0].server_id is None
    there, what = (len(devices), "ranks") if one_list else (len(table.servers), "servers")
    if table.count is not None and table.count != str(there):
        yield f"it says {table.count} {what} and lists {there}"
    if not devices:
        yield "no rank in it"
    for server in table.servers:
        of = f" of server {server.server_id}" if len(table.servers) > 1 else ""
        yield from _twice(f"device_id{of}", (device.device_id for device in server.devices))
    yield from _twice("server_id", (server.server_id for server in table.servers))
    yield from _twice("rank_id", (device.rank_id for device in devices))
    yield from _twice("device_ip", (device.device_ip for device in devices))


def _twice(name: str, values: Iterable[str | None]) -> Iterator[str]:
    for value, count in Counter(values).items():
        if value is not None and count > 1:
            yield f"{name} {value} stands {'twice' if count == 2 else f'{count} times'}"


def _version(facts: HostFacts, tables: Sequence[RankTable], used: set[str]) -> Iterator[Finding]:
    key = "ranktable.version"
    row = rank_tables.form(family(facts) or "")
    if row is None:
        yield finding.skip(key, facts.host, "no form of rank tables is published for this chip")
        return
    expected = f"version {' or '.join(row.versions)} ({row.family})"
    wrong, incomplete = {}, {}
    for table in tables:
        if table.version is not None and table.version not in row.versions:
            wrong[table.path] = [f"version {table.version}"]
        elif table.version is not None and table.version == row.super_device_in:
            devices = [device for server in table.servers for device in server.devices]
            if bare := [device.rank_id or "?" for device in devices if device.super_device_id is None]:
                incomplete[table.path] = [f"version {table.version}, and no super_device_id for ranks {several(bare)}"]
    yield from _told(key, facts.host, wrong, used if row.others == "fail" else set(), expected, row.cited)
    yield from _told(key, facts.host, incomplete, used, f"{expected}, every device with its super_device_id", row.cited)
    if not wrong and not incomplete:
        yield finding.ok(key, facts.host, _versions(tables), expected=expected, source=row.cited)


def _versions(tables: Sequence[RankTable]) -> str:
    return several([f"{table.path} {table.version or 'without a version'}" for table in tables])


def _addresses(facts: HostFacts, tables: Sequence[RankTable], used: set[str]) -> Iterator[Finding]:
    key, host, found = "ranktable.addresses", facts.host, product(facts)
    if found is not None and found.nic == "none":
        yield finding.skip(key, host, f"{found.title} has no network port of its own")
        return
    if isinstance(facts.network, Unknown):
        yield finding.unknown(key, host, facts.network)
        return
    cards: dict[str, str | Unknown | None] = {}
    for nic in facts.network:
        cards[str(nic.device)] = nic.conf_address if isinstance(nic.live_address, Unknown) else nic.live_address
    if blind := [device for device, address in cards.items() if isinstance(address, Unknown)]:
        yield finding.unknown(key, host, f"the address of devices {', '.join(blind)} was not read")
        return
    own = {address: device for device, address in cards.items() if isinstance(address, str)}
    if not own:
        yield finding.skip(key, host, "no NPU of this host has an address")
        return
    ours = [table for table in tables if table.path in used or _here(table, own)]
    if not ours:
        yield finding.skip(key, host, "no table that is used or names an NPU of this host")
        return
    stale = {table.path: wrong for table in ours if (wrong := list(_stale(table, own)))}
    expected = "the NPU addresses of this host"
    yield from _told(key, host, stale, used, expected)
    if not stale:
        yield finding.ok(key, host, several([table.path for table in ours]), expected=expected)


def _here(table: RankTable, own: dict[str, str]) -> list[RankServer]:
    """The servers of the table that have an NPU of this host; `own` is address -> device."""
    return [server for server in table.servers if any(device.device_ip in own for device in server.devices)]


def _stale(table: RankTable, own: dict[str, str]) -> Iterator[str]:
    here = _here(table, own)
    named = [device.device_ip for server in table.servers for device in server.devices if device.device_ip]
    if named and not here:
        yield f"names {several(named, 3)}, none of which is an NPU of this host"
    for device in (device for server in here for device in server.devices):
        if device.device_ip is None or own.get(device.device_ip) == device.device_id:
            continue
        real = next((address for address, number in own.items() if number == device.device_id), None)
        has = f"has {real}" if real else "has no address"
        yield f"device {device.device_id} {has}, the table says {device.device_ip}"


def _told(
    key: str, host: str, faults: dict[str, list[str]], used: set[str], expected: str, source: str = ""
) -> Iterator[Finding]:
    for path, wrong in sorted(faults.items()):
        give = finding.fail if path in used else finding.warn
        yield give(key, host, f"{path}: {several(wrong, 4, '; ')}", expected=expected, source=source)
