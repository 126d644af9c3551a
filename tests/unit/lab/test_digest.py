"""The number that stands for all a host has written."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ascend_provision.lab.digest import EXCEPTIONS, digest, listing


@pytest.fixture
def upper(tmp_path: Path) -> Path:
    """A small upper directory."""
    (tmp_path / "etc").mkdir(mode=0o755)
    (tmp_path / "etc/hccn.conf").write_text("address_0=10.0.0.1\n")
    (tmp_path / "etc/hccn.conf").chmod(0o640)
    (tmp_path / "etc/link").symlink_to("hccn.conf")
    return tmp_path


def _retarget(upper: Path) -> None:
    (upper / "etc/link").unlink()
    (upper / "etc/link").symlink_to("other")


CHANGES: dict[str, Callable[[Path], object]] = {
    "content": lambda upper: (upper / "etc/hccn.conf").write_text("address_0=10.0.0.2\n"),
    "truncated": lambda upper: (upper / "etc/hccn.conf").write_text(""),
    "mode": lambda upper: (upper / "etc/hccn.conf").chmod(0o600),
    "new file": lambda upper: (upper / "etc/new").write_text(""),
    "new directory": lambda upper: (upper / "opt").mkdir(),
    "removed": lambda upper: (upper / "etc/hccn.conf").unlink(),
    "renamed": lambda upper: (upper / "etc/hccn.conf").rename(upper / "etc/hccn.conf.bak"),
    "link's target": _retarget,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_kind_of_change_changes_it(upper: Path, change: Callable[[Path], object]) -> None:
    before = digest(upper).sha256

    change(upper)

    assert digest(upper).sha256 != before


def test_a_new_time_changes_nothing(upper: Path) -> None:
    before = digest(upper)

    os.utime(upper / "etc/hccn.conf", (1, 1))

    assert digest(upper) == before


def test_what_a_login_writes_changes_nothing(upper: Path) -> None:
    (upper / "var/log").mkdir(parents=True)
    (upper / "root").mkdir()
    (upper / "tmp").mkdir()
    before = digest(upper)

    (upper / "var/log/wtmp").write_text("login")
    (upper / "root/.ansible/tmp").mkdir(parents=True)
    (upper / "tmp/systemd-private-0-x.service-y/tmp").mkdir(parents=True)

    assert digest(upper) == before


def test_a_package_that_was_staged_in_tmp_counts(upper: Path) -> None:
    (upper / "var/tmp").mkdir(parents=True)
    before = digest(upper)

    (upper / "var/tmp/driver.run").write_text("x")

    assert digest(upper) != before


def test_a_neighbour_of_an_exception_counts(upper: Path) -> None:
    (upper / "var/log").mkdir(parents=True)
    before = digest(upper)

    (upper / "var/log/wtmp.1").write_text("x")

    assert digest(upper) != before


def test_a_deleted_file_of_the_image_counts(upper: Path) -> None:
    before = digest(upper).sha256

    os.mknod(upper / "etc/motd", 0o20000, os.makedev(0, 0))

    assert digest(upper).sha256 != before
    assert "'etc/motd' 0000 0:0 deleted" in listing(upper)


def test_the_listing_shows_what_it_is_made_of(upper: Path) -> None:
    owner = f"{os.getuid()}:{os.getgid()}"
    rows = listing(upper)

    assert [row.split(" ")[0] for row in rows] == ["'etc'", "'etc/hccn.conf'", "'etc/link'"]
    assert rows[0] == f"'etc' 0755 {owner} directory"
    assert rows[1].startswith(f"'etc/hccn.conf' 0640 {owner} file 19 ")
    assert len(rows[1].rsplit(" ", 1)[1]) == 64
    assert rows[2].endswith("link 'hccn.conf'")


def test_every_exception_says_why() -> None:
    assert all(EXCEPTIONS.values())
    assert not any(path.startswith("/") for path in EXCEPTIONS)
