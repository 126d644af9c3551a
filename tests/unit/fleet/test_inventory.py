"""Inventories and patterns, read by the installed Ansible."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.fleet.inventory import load
from ascend_provision.stack.errors import UsageError


@pytest.fixture
def inventory(tmp_path: Path) -> str:
    path = tmp_path / "hosts.ini"
    path.write_text("[rack7]\na1-01\na1-02\n[rack8]\na2-01\n", encoding="utf-8")
    return str(path)


def test_a_group_is_its_hosts(inventory: str) -> None:
    assert load([inventory], "rack7").hosts == ("a1-01", "a1-02")


def test_ansibles_own_patterns_work(inventory: str) -> None:
    assert load([inventory], "all:!rack7").hosts == ("a2-01",)


def test_one_unknown_name_among_known_ones_is_an_error(inventory: str) -> None:
    with pytest.raises(UsageError, match="no host or group `rack9`"):
        load([inventory], "rack7,rack9")


@pytest.mark.parametrize("pattern", ["", " ", ",", ":", " , ", "~[", "rack[7", "--version", "-vvv", "~("])
def test_a_slip_in_the_pattern_never_means_the_whole_fleet(inventory: str, pattern: str) -> None:
    with pytest.raises(UsageError):
        load([inventory], pattern)


@pytest.mark.parametrize("name", ["a/b", "../../../etc/cron.d/x", "/etc/x"])
def test_a_host_whose_name_would_leave_its_folder_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "hosts.yml"
    path.write_text(f'all: {{hosts: {{"{name}": {{}}, "good": {{}}}}}}\n', encoding="utf-8")

    with pytest.raises(UsageError, match=r"has a `/`"):
        load([str(path)], "all")


def test_a_missing_inventory_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        load([str(tmp_path / "nowhere.ini")], "all")


def test_an_inventory_that_this_user_may_not_read_is_no_defect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "hosts.yml"
    path.write_text("all:\n", encoding="utf-8")
    monkeypatch.setattr("ascend_provision.fleet.inventory.os.access", lambda *_: False)

    with pytest.raises(UsageError, match="cannot be read by this user"):
        load([str(path)], "all")


def test_a_file_that_is_no_inventory_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.yml"
    path.write_text("all: [unclosed\n", encoding="utf-8")

    with pytest.raises(UsageError, match=r"not an inventory Ansible can read|could not be read"):
        load([str(path)], "all")
