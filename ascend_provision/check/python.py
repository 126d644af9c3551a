"""Can the installed ansible-core run its modules on this host's Python?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ascend_provision.check import finding
from ascend_provision.knowledge import ansible_cores
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import FrameworkVersion


def judge(facts: HostFacts, minimum: FrameworkVersion | None) -> Iterator[Finding]:
    """`minimum` is the oldest Python the installed ansible-core manages; None asks nothing."""
    if minimum is None:
        return
    key, host = "python.ansible", facts.host
    if isinstance(facts.pythons, Unknown):
        yield finding.unknown(key, host, facts.pythons)
        return
    found = {path: FrameworkVersion.maybe(text) for path, text in facts.pythons.items()}
    unread = [path for path, version in found.items() if version is None]
    good = {path: version for path, version in found.items() if version is not None and version >= minimum}
    listed = ", ".join(f"{path} {facts.pythons[path]}" for path in sorted(facts.pythons)) or "no Python at all"
    if good:
        path = min(good)
        yield finding.ok(key, host, f"{path} {good[path]}", expected=str(minimum))
    elif unread:
        yield finding.unknown(key, host, f"the version of {', '.join(sorted(unread))} could not be read")
    else:
        yield finding.warn(key, host, listed, expected=str(minimum), evidence=_cores(found.values()))


def _cores(versions: Iterable[FrameworkVersion | None]) -> str:
    """Which ansible-core could manage the host as it is."""
    lines = dict.fromkeys(line for version in versions if version for line in ansible_cores.cores_for(version))
    return f"ansible-core {', '.join(lines)} would manage it" if lines else ""
