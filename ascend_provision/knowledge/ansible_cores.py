"""Which Python on a managed host each ansible-core needs."""

from __future__ import annotations

import functools

from ascend_provision.knowledge import rows
from ascend_provision.stack.versions import FrameworkVersion


class Core(rows.Row):
    """A release line of ansible-core and the oldest Python it manages."""

    core: str
    python: FrameworkVersion


@functools.cache
def known() -> tuple[Core, ...]:
    """Every listed line, oldest first."""
    return rows.table("ansible_cores", "cores", Core)


def cores_for(python: FrameworkVersion) -> tuple[str, ...]:
    """The listed lines of ansible-core that manage a host with this Python."""
    return tuple(row.core for row in known() if python >= row.python)
