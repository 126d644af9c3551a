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


def target_python(core: str) -> FrameworkVersion | None:
    """The oldest managed Python for an ansible-core version (2.19.3); None for a line nobody listed."""
    line = ".".join(core.split(".")[:2])
    return next((row.python for row in known() if row.core == line), None)


def cores_for(python: FrameworkVersion) -> tuple[str, ...]:
    """The listed lines of ansible-core that manage a host with this Python."""
    return tuple(row.core for row in known() if python >= row.python)
