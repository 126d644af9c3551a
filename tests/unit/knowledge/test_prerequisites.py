from __future__ import annotations

import pytest

from ascend_provision.knowledge import prerequisites
from ascend_provision.stack.machine import Mount


@pytest.mark.parametrize("row", prerequisites.known(), ids=lambda row: row.tool)
def test_every_tool_has_a_package_on_both_families(row: prerequisites.Tool) -> None:
    assert prerequisites.packages([row.tool], "debian") == (row.debian,)
    assert prerequisites.packages([row.tool], "openEuler") == (row.rpm,)
    assert row.tool in prerequisites.tools()


@pytest.mark.parametrize(
    ("os_id", "family"),
    [("ubuntu", "debian"), ("openEuler", "rpm"), ("OPENEULER", "rpm"), ("kylin", "rpm"), ("arch", None)],
)
def test_the_os_id_says_which_packages(os_id: str, family: str | None) -> None:
    assert prerequisites.family(os_id) == family


def test_a_package_that_brings_two_tools_is_named_once_and_a_foreign_word_not_at_all() -> None:
    assert prerequisites.packages(["lspci", "lspci", "hammer"], "debian") == ("pciutils",)


def test_the_headers_are_those_of_exactly_this_kernel() -> None:
    assert prerequisites.headers_package("5.10.0-28-amd64", "debian") == "linux-headers-5.10.0-28-amd64"
    assert prerequisites.headers_package("5.10.0-60.el7", "centos") == "kernel-devel-5.10.0-60.el7"


def test_the_account_has_the_ids_that_vendor_images_expect() -> None:
    account = prerequisites.account()

    assert (account.name, account.uid, account.gid) == ("HwHiAiUser", 1000, 1000)


def test_space_is_asked_for_where_an_install_writes() -> None:
    assert {row.path for row in prerequisites.space()} == {"/usr/local", "/tmp", "/var"}


@pytest.mark.parametrize(
    ("point", "options", "wrong"),
    [
        ("/", ("rw", "noexec"), ("/tmp (ext4 on /) is noexec", "/usr/local (ext4 on /) is noexec")),
        ("/tmp", ("rw", "nosuid"), ()),
        ("/tmp", ("ro",), ("/tmp (ext4 on /tmp) is ro",)),
        ("/usr", ("ro",), ("/usr/local (ext4 on /usr) is ro",)),
        ("/var", ("rw", "noexec"), ()),
        ("/var/tmp", ("ro",), ()),
        ("/tmpfiles", ("ro",), ()),
    ],
)
def test_a_file_system_is_unusable_for_what_lies_on_it_and_for_nothing_else(
    point: str, options: tuple[str, ...], wrong: tuple[str, ...]
) -> None:
    seen = {"/": Mount(point="/", kind="ext4", options=("rw",))}
    seen[point] = Mount(point=point, kind="ext4", options=options)

    assert prerequisites.unusable(tuple(seen.values())) == wrong
