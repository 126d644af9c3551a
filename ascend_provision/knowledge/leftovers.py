"""What removed or failed installs leave on a host, and who may clear it away."""

from __future__ import annotations

import fnmatch
import functools
from typing import Literal

from ascend_provision.knowledge import rows

Action = Literal["remove", "archive", "report"]
Condition = Literal["always", "empty", "no-driver", "no-driver-no-firmware", "no-cann", "no-installer"]


class Kind(rows.Row):
    """One kind of leftover. `paths` are the only places it may be (shell patterns), `only_when` what must hold first.

    `remove` may be taken by cleanup, `archive` is a log that is kept elsewhere, `report` is a person's decision.
    """

    kind: str
    paths: tuple[str, ...]
    what: str
    action: Action
    only_when: Condition
    example: str


@functools.cache
def known() -> tuple[Kind, ...]:
    """Every kind."""
    return rows.table("leftovers", "leftovers", Kind)


def find(kind: str) -> Kind | None:
    """The row of a kind, or None for one nobody listed."""
    return next((row for row in known() if row.kind == kind), None)


def may_remove(kind: str, path: str) -> bool:
    """Cleanup may take it away: a listed kind where that kind may lie, no log, and not a person's decision."""
    row = find(kind)
    if row is None or row.action != "remove" or ".." in path.split("/"):
        return False
    return any(fnmatch.fnmatchcase(path, pattern) for pattern in row.paths)
