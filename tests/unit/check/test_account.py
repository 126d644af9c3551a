from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import Group, HostFacts, User
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import Case, passes, prove, skips, unknown, warns
from tests.unit.factories import a1_host, bare_host, changed

UNREAD = Unknown(unknown="getent.group: timed out after 10 s")
UBUNTU = User(name="ubuntu", uid=1000, gid=1000, group="ubuntu")
UBUNTUS = Group(name="ubuntu", gid=1000)


def hwhiai(uid: int) -> User:
    return User(name="HwHiAiUser", uid=uid, gid=uid, group="HwHiAiUser")


def host(*users: User, groups: tuple[Group, ...] = ()) -> HostFacts:
    return changed(a1_host(), users=users, groups=groups)


CASES: list[Case] = [
    passes("account.ids", "as the images expect", lambda: judge_host(host(hwhiai(1000))), "1000:1000"),
    warns("account.ids", "other ids", lambda: judge_host(host(hwhiai(1005))), "HwHiAiUser is 1005:1005"),
    warns(
        "account.ids",
        "the first user of the system took them",
        lambda: judge_host(host(hwhiai(1001), UBUNTU, groups=(UBUNTUS,))),
        "uid 1000 belongs to ubuntu; gid 1000 belongs to ubuntu",
    ),
    warns(
        "account.ids",
        "taken before the account is made",
        lambda: judge_host(bare_host(users=(UBUNTU,), groups=(UBUNTUS,))),
        "no HwHiAiUser yet, and uid 1000 belongs to ubuntu",
    ),
    passes(
        "account.ids",
        "the account's own group has the gid",
        lambda: judge_host(host(hwhiai(1000), groups=(Group(name="HwHiAiUser", gid=1000),))),
    ),
    skips("account.ids", "a bare host with free ids", lambda: judge_host(bare_host(groups=()))),
    unknown("account.ids", "users unread", lambda: judge_host(changed(a1_host(), users=UNREAD, groups=()))),
    unknown("account.ids", "groups unread", lambda: judge_host(changed(a1_host(), groups=UNREAD))),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_account(case: Case) -> None:
    prove(case)
