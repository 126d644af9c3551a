"""What a job needs to use a card, on the host and in a container, by product family; data/container_needs.yaml."""

from __future__ import annotations

import functools
from typing import Literal

from ascend_provision.knowledge import rows


class Node(rows.Row):
    """A device node beside the cards' own."""

    families: tuple[str, ...]
    node: str


class Path(rows.Row):
    """Something that must be seen inside at one of these paths; `verdict` is what it is when it is not."""

    families: tuple[str, ...]
    what: str
    any: tuple[str, ...]
    verdict: Literal["fail", "warn"]


class Shm(rows.Row):
    minimum_mb: int


@functools.cache
def _nodes() -> tuple[Node, ...]:
    return rows.table("container_needs", "nodes", Node)


@functools.cache
def _paths() -> tuple[Path, ...]:
    return rows.table("container_needs", "paths", Path)


@functools.cache
def shm() -> Shm:
    """The least /dev/shm."""
    return Shm.model_validate(rows.section("container_needs", "shm"))


def runtimes() -> frozenset[str]:
    """OCI runtimes that bring nodes and paths by themselves."""
    return frozenset(rows.section("container_needs", "runtimes"))


def nodes(family: str) -> tuple[Node, ...]:
    """The nodes for this family; () for one nobody listed."""
    return tuple(row for row in _nodes() if family in row.families)


def paths(family: str) -> tuple[Path, ...]:
    """The paths for this family; () for one nobody listed."""
    return tuple(row for row in _paths() if family in row.families)


def every_node() -> frozenset[str]:
    """Every listed node: another name that looks like one is a typing error."""
    return frozenset(row.node for row in _nodes())
