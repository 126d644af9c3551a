"""Every finding that can be given: id, what it asks, what a bad answer means, what to do."""

from __future__ import annotations

import functools
from typing import Literal

from ascend_provision.knowledge import rows


class Entry(rows.Row):
    """One finding. `verdicts` are those the rule can give besides pass and skip.

    `next_action` is for fail and warn and may hold `{expected}`; `settle` says what would settle an unknown.
    """

    id: str
    component: str
    title: str
    meaning: str
    verdicts: tuple[Literal["fail", "warn", "unknown"], ...]
    next_action: str
    settle: str


@functools.cache
def entries() -> dict[str, Entry]:
    """The catalogue by id, in its own order."""
    return {entry.id: entry for entry in rows.table("findings", "findings", Entry)}
