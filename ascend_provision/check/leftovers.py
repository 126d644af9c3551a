"""What removed or failed installs left: what cleanup may take, and what is a person's to decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ascend_provision.check import finding
from ascend_provision.check.reading import several
from ascend_provision.knowledge import leftovers
from ascend_provision.knowledge.leftovers import Condition
from ascend_provision.stack.facts import HostFacts, Leftover
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown

# What must be gone before the kind is a leftover at all. Evidence lists a directory or link only when it is empty or
# dangling, and an unpacked package only when nothing uses it, so those conditions hold by then.
_HOLDS: dict[Condition, Callable[[HostFacts], bool]] = {
    "always": lambda _facts: True,
    "empty": lambda _facts: True,
    "no-installer": lambda _facts: True,
    "no-driver": lambda facts: facts.driver.file is None,
    "no-driver-no-firmware": lambda facts: facts.driver.file is None and facts.firmware.file is None,
    "no-cann": lambda facts: facts.cann == (),
}


def judge(facts: HostFacts) -> Iterator[Finding]:
    """One finding for what may go, one for what a person must look at, one for the install record."""
    yield _record(facts)
    if isinstance(facts.leftovers, Unknown):
        yield finding.unknown("leftovers.removable", facts.host, facts.leftovers)
        return
    due = [item for item in facts.leftovers if _due(item, facts)]
    removable = [item for item in due if leftovers.may_remove(item.kind, item.path)]
    yours = [item for item in due if _is_yours(item)]
    if removable:
        yield finding.warn("leftovers.removable", facts.host, _paths(removable), evidence=_kinds(removable))
    else:
        yield finding.ok("leftovers.removable", facts.host, "nothing is left behind")
    if yours:
        yield finding.warn("leftovers.yours", facts.host, _paths(yours), evidence=_kinds(yours))


def _record(facts: HostFacts) -> Finding:
    key, host, record = "leftovers.record", facts.host, facts.install_record
    if isinstance(record, Unknown):
        return finding.unknown(key, host, record)
    wrong, read = [], 0
    for part, version in (("Driver", facts.driver.file), ("Firmware", facts.firmware.file)):
        if isinstance(version, Unknown):
            continue
        read += 1
        named = record is not None and any(key.startswith(f"{part}_") for key in record.keys)
        if named and version is None:
            wrong.append(f"it names {part.lower()}, which is not there")
        elif not named and version is not None:
            wrong.append(f"it does not name {part.lower()} {version}, which is installed")
    if record is not None and facts.driver.file is None and facts.firmware.file is None and not wrong:
        aicpu = " and opp/aicpu is still there" if record.aicpu is True else ""
        wrong.append(f"nothing is installed, yet it is there with UserName={record.user}{aicpu}")
    if wrong:
        return finding.warn(key, host, "; ".join(wrong), expected="the packages on disk")
    if read < 2:
        return finding.unknown(key, host, "driver/version.info or firmware/version.info was not read")
    return finding.ok(key, host, "it names what is on disk" if record else "nothing is installed and nothing recorded")


def _due(item: Leftover, facts: HostFacts) -> bool:
    row = leftovers.find(item.kind)
    return row is None or _HOLDS[row.only_when](facts)


def _is_yours(item: Leftover) -> bool:
    """Neither a log nor cleanup's to take: listed for a person, or of a kind or in a place nobody listed."""
    row = leftovers.find(item.kind)
    return row is None or (row.action != "archive" and not leftovers.may_remove(item.kind, item.path))


def _paths(items: list[Leftover]) -> str:
    return several([item.path for item in items])


def _kinds(items: list[Leftover]) -> str:
    rows = [leftovers.find(item.kind) for item in items]
    return "; ".join(dict.fromkeys(row.what if row else "of a kind nobody listed" for row in rows))
