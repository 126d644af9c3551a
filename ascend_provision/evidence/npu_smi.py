"""`npu-smi info`: the versions in its title, its chips and its processes.

Layouts of 80, 86, 93, 94, 98, 106 and 116 columns differ in widths and in which columns they have; the table's own
head says which, so the head is read and widths are not (npu_smi_table). Sources: docs/formats.md#npu-smi-info.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ascend_provision.evidence.npu_smi_table import Table
from ascend_provision.evidence.reading import Reading, absent, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import CardProcess, Chip
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import HdkVersion

_TITLE = re.compile(r"\|\s*npu-smi (\S+)\s+Version: (\S+)(\s*\|)?")
_FAILED = re.compile(r"dcmi mod\w+ initialized? ?failed.*|.*error while loading shared libraries.*")


@dataclass(frozen=True)
class Info:
    """`tool` and `driver` are the left and the right version of the title: the build of npu-smi, the loaded driver.

    Both are None when npu-smi is not installed. `seen` are the chips of a table that is not whole.
    """

    tool: HdkVersion | Unknown | None
    driver: HdkVersion | Unknown | None
    chips: tuple[Chip, ...] | Unknown
    processes: tuple[CardProcess, ...] | Unknown
    seen: tuple[Chip, ...] = ()


def parse(evidence: Evidence) -> Reading[Info]:
    """Never raises. Output that is cut, half a chip, or of another tool is unknown and not an empty host."""
    if absent(evidence):
        gone = Unknown(unknown="npu-smi is not installed", settle="install the driver")
        return Reading(Info(tool=None, driver=None, chips=gone, processes=gone))
    rows, table = lines(evidence.text), Table()
    for line in rows:
        table.take(line)
    tool, driver = _versions(rows)
    why = _failure(evidence)
    if why is None and isinstance(driver, Unknown) and not table.headed:
        why = Unknown(unknown=f"npu-smi info: no table in its output{f': {rows[0].strip()[:120]}' if rows else ''}")
    if why is not None:
        return Reading(Info(tool=why, driver=why, chips=why, processes=why))
    chips = table.all_chips()
    seen = tuple(table.chips) if isinstance(chips, Unknown) else ()
    return Reading(Info(tool, driver, chips, table.all_processes(), seen), unread=tuple(table.unread))


def _failure(evidence: Evidence) -> Unknown | None:
    for line in lines(evidence.text):
        if _FAILED.match(line):
            return Unknown(unknown=f"npu-smi info: {line.strip()[:200]}")
    return silence(evidence)


def _versions(rows: list[str]) -> tuple[HdkVersion | Unknown, HdkVersion | Unknown]:
    """The title's two; a title that was cut at the right counts when other lines were cut further to the right."""
    found = next((match for line in rows if (match := _TITLE.match(line))), None)
    if found is None or not (found[3] or found.end() < max(map(len, rows))):
        why = Unknown(unknown="npu-smi info: no title line in its output")
        return why, why
    return _version(found[1]), _version(found[2])


def _version(text: str) -> HdkVersion | Unknown:
    return HdkVersion.maybe(text) or Unknown(unknown=f"npu-smi info: {text[:80]!r} is not an HDK version")
