"""Failure domains as inventories have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.fleet import domains, inventory
from ascend_provision.stack.errors import UsageError

RACKS = """\
all:
  children:
    racks:
      children:
        rack1: {hosts: {a1-1: {}, a1-2: {}}}
        rack2: {children: {left: {hosts: {a1-3: {}}}}}
    others: {hosts: {a1-4: {pod: p9}, a1-1: {pod: p1}}}
"""


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "fleet.yml"
    path.write_text(RACKS, encoding="utf-8")
    return str(path)


def test_the_subgroups_of_a_group_are_domains_at_any_depth(source: str) -> None:
    assert domains.of(inventory.load([source], "racks"), "racks") == {"a1-1": "rack1", "a1-2": "rack1", "a1-3": "rack2"}


def test_a_host_variable_is_a_domain(source: str) -> None:
    assert domains.of(inventory.load([source], "others"), "pod") == {"a1-4": "p9", "a1-1": "p1"}


def test_a_host_without_a_domain_is_named(source: str) -> None:
    with pytest.raises(UsageError, match="a1-4: no failure domain `racks`"):
        domains.of(inventory.load([source], "all"), "racks")
