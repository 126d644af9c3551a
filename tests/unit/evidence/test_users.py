from __future__ import annotations

from ascend_provision.evidence import users
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import Group, User
from ascend_provision.stack.model import Unknown

ACCOUNT = "HwHiAiUser:x:1000:1001::/home/HwHiAiUser:/bin/bash\n"
GROUP = "HwHiAiUser:x:1001:alice\n"


def section(text: str, status: int | None = 0, note: str = "") -> Evidence:
    return Evidence(name="getent.passwd", text=text, status=status, note=note)


def test_an_account_comes_with_its_numbers_and_group() -> None:
    assert users.parse(section(ACCOUNT, 2), section(GROUP, 2)).facts == (
        User(name="HwHiAiUser", uid=1000, gid=1001, group="HwHiAiUser"),
    )


def test_a_host_without_the_accounts_has_none() -> None:
    assert users.parse(section("", 2), section("", 2)).facts == ()
    assert users.parse(section("", 1), section("", 1)).facts == ()


def test_a_directory_service_that_hangs_is_unknown_and_not_without_accounts() -> None:
    found = users.parse(section("", None, "timed out after 10 s"), section("", None, "skipped: getent hung")).facts

    assert found == Unknown(unknown="getent.passwd: timed out after 10 s")


def test_names_of_holders_by_uid() -> None:
    assert users.names(section("root:x:0:0:root:/root:/bin/bash\nx:y\n")) == {0: "root"}


def test_the_owner_of_an_id_asked_for_is_named_once_and_as_itself() -> None:
    ubuntu = "ubuntu:x:1000:1000::/home/ubuntu:/bin/bash\n"

    assert users.parse(section(ubuntu), section("ubuntu:x:1000:\n")).facts == (
        User(name="ubuntu", uid=1000, gid=1000, group="ubuntu"),
    )
    assert users.parse(section(ACCOUNT * 2), section(GROUP * 2)).facts == (
        User(name="HwHiAiUser", uid=1000, gid=1001, group="HwHiAiUser"),
    )


def test_groups_have_their_ids_and_a_hung_directory_is_unknown() -> None:
    assert users.parse_groups(section(GROUP * 2, 2)) == (Group(name="HwHiAiUser", gid=1001),)
    assert isinstance(users.parse_groups(section("", None, "timed out after 10 s")), Unknown)
