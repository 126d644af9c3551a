"""The ids of the driver's account: container images are made for one pair, and another owner of it is in the way."""

from __future__ import annotations

from collections.abc import Iterator

from ascend_provision.check import finding
from ascend_provision.knowledge import prerequisites
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown


def judge(facts: HostFacts) -> Iterator[Finding]:
    """That the account is there at all is another rule's question (prerequisites.account)."""
    key, host, wanted = "account.ids", facts.host, prerequisites.account()
    users, groups = facts.users, facts.groups
    if isinstance(users, Unknown):
        yield finding.unknown(key, host, users)
        return
    if isinstance(groups, Unknown):
        yield finding.unknown(key, host, groups)
        return
    expected = f"{wanted.name} {wanted.uid}:{wanted.gid}"
    found = next((user for user in users if user.name == wanted.name), None)
    owners = [
        f"uid {user.uid} belongs to {user.name}"
        for user in users
        if user.uid == wanted.uid and user.name != wanted.name
    ]
    owners += [
        f"gid {group.gid} belongs to {group.name}"
        for group in groups
        if group.gid == wanted.gid and group.name != wanted.group
    ]
    if found is not None and (found.uid, found.gid) == (wanted.uid, wanted.gid):
        yield finding.ok(key, host, f"{found.uid}:{found.gid}", expected=expected)
    elif found is not None:
        yield finding.warn(
            key, host, "; ".join([f"{found.name} is {found.uid}:{found.gid}", *owners]), expected=expected
        )
    elif owners:
        yield finding.warn(key, host, f"no {wanted.name} yet, and {', '.join(owners)}", expected=expected)
    else:
        yield finding.skip(key, host, f"no {wanted.name} yet, and its ids are free")
