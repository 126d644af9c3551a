"""`getent passwd` and `getent group` of the accounts the packages use. Source: getent(1), passwd(5)."""

from __future__ import annotations

from ascend_provision.evidence.reading import Reading, is_number, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import Group, User
from ascend_provision.stack.model import Unknown

_PASSWD, _GROUP = 7, 4
"""Fields of a line of passwd(5) and of group(5)."""
_SOME_MISSING = {1, 2}
"""getent's 2 and grep's 1: one of the names does not exist, which is an answer."""


def parse(passwd: Evidence, group: Evidence) -> Reading[tuple[User, ...] | Unknown]:
    """The accounts that exist, with the name of their primary group where it is one of those asked for."""
    for evidence in (passwd, group):
        if evidence.status not in _SOME_MISSING and (why := silence(evidence)) is not None:
            return Reading(why)
        if evidence.truncated:
            return Reading(Unknown(unknown=f"{evidence.name}: the output was cut"))
    groups = {row[2]: row[0] for row in reversed(_rows(group, _GROUP))}
    found = [
        User(name=row[0], uid=int(row[2]), gid=int(row[3]), group=groups.get(row[3], ""))
        for row in _rows(passwd, _PASSWD)
        if is_number(row[2]) and is_number(row[3])
    ]
    unread = (*_torn(passwd, _PASSWD), *_torn(group, _GROUP))
    if unread:
        return Reading(Unknown(unknown=f"getent: not understood: {unread[0][:120]}"), unread=unread)
    return Reading(tuple(dict.fromkeys(found)))  # the owner of an id asked for may be one of the names asked for


def parse_groups(group: Evidence) -> tuple[Group, ...] | Unknown:
    """The groups that exist of those asked for."""
    if group.status not in _SOME_MISSING and (why := silence(group)) is not None:
        return why
    if unread := _torn(group, _GROUP):
        return Unknown(unknown=f"getent group: not understood: {unread[0][:120]}")
    found = [Group(name=row[0], gid=int(row[2])) for row in _rows(group, _GROUP) if is_number(row[2])]
    return tuple(dict.fromkeys(found))


def names(evidence: Evidence) -> dict[int, str]:
    """uid -> account name, as far as it could be read."""
    return {int(row[2]): row[0] for row in _rows(evidence, _PASSWD) if is_number(row[2])}


def _torn(evidence: Evidence, width: int) -> tuple[str, ...]:
    """Lines that are no account or group: what they were about is not known."""
    rows = [(line, line.split(":")) for line in lines(evidence.text)]
    numbers = slice(2, 4 if width == _PASSWD else 3)
    return tuple(line for line, row in rows if len(row) != width or not all(map(is_number, row[numbers])))


def _rows(evidence: Evidence, width: int) -> list[list[str]]:
    return [row for line in lines(evidence.text) if len(row := line.split(":")) == width]
