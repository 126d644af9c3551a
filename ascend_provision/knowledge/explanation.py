"""What is told about a set of versions: every judged pair, the verdict over all, and contradictions between rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from ascend_provision.knowledge import answers
from ascend_provision.knowledge.answers import Answer, Fit, Remark
from ascend_provision.knowledge.components import Component, Item, title
from ascend_provision.knowledge.statements import Statement
from ascend_provision.stack.model import Noun


class Lists(Noun):
    """What installed packages say about each other, as their files print it; None where a file has no such line.

    `accepts_firmware`: compatible_version_fw of the driver's version.info; `accepts_driver`: compatible_version_drv of
    the firmware's; `driver_inner` and `driver_accepts`: Innerversion and compatible_version of the driver's;
    `cann_inner` and `cann_accepts`: innerversion and compatible_version of the toolkit's install.info.
    `recorded`: not of the host asked about but seen in packages of these versions elsewhere; `public`: and anybody can
    look that up, else such a list forbids nothing.
    """

    accepts_firmware: str | None = None
    accepts_driver: str | None = None
    cann_inner: str | None = None
    cann_accepts: str | None = None
    driver_inner: str | None = None
    driver_accepts: str | None = None
    recorded: bool = False
    public: bool = True


class Judged(Noun):
    """One pair: what the tables say (`table`, with its rows), what the installed lists say (`files`), and both."""

    a: Item
    b: Item
    answer: Answer
    table: Answer
    files: Answer | None = None
    statements: tuple[Statement, ...] = ()

    @property
    def disagree(self) -> bool:
        """Files and tables both decide, and not alike."""
        found = {answer.verdict for answer in (self.table, self.files) if answer is not None}
        return {"compatible", "incompatible"} <= found


class Explanation(Noun):
    """Every pair of `items` that a table or a list relates, the verdict over all, and remarks on single versions."""

    schema_version: Literal[1] = 1
    items: tuple[Item, ...]
    chip: str
    pairs: tuple[Judged, ...]
    remarks: tuple[Remark, ...] = ()

    @property
    def verdict(self) -> Fit:
        """One no is a no; without a no, one unknown (or nothing judged at all) is unknown."""
        return overall(pair.answer.verdict for pair in self.pairs)


class Conflict(Noun):
    """Rows that cannot all be true, and the two components they contradict each other about."""

    about: str
    subject: Component
    object: Component
    statements: tuple[Statement, ...]

    def __str__(self) -> str:
        told = []
        for row in self.statements:
            words = (f"{title(part)} {' or '.join(row.parts[part])}" for part in (self.subject, self.object))
            told.append(f"{' with '.join(words)}, {row.says} ({row.cited})")
        return f"{self.about}: " + " | ".join(told)


def overall(verdicts: Iterable[Fit]) -> Fit:
    """The verdict over several: a no wins, then an unknown."""
    found = set(verdicts)
    if "incompatible" in found:
        return "incompatible"
    return "compatible" if found == {"compatible"} else "unknown"


def table_first(table: Answer, files: Answer) -> Answer:
    """Driver and CANN: a printed no or a published pair wins, else the inner-version lists decide."""
    if table.verdict == "unknown":
        return _nearest(files, table) if files.verdict != "unknown" else both(files, table)
    if files.verdict not in {"unknown", table.verdict}:
        return _disagreeing(table, files)
    return table


def files_first(table: Answer, files: Answer) -> Answer:
    """Driver and firmware: a published pair is compatible whatever a stale list says, else the files decide."""
    if files.verdict == "unknown":
        return table if table.verdict != "unknown" else both(files, table)
    if table.verdict == "compatible" and files.verdict == "incompatible":
        return _disagreeing(table, files)
    if table.verdict == "incompatible" and files.verdict == "compatible":
        return files.model_copy(update={"why": f"{files.why}; the published tables disagree: {table.why}"})
    return _nearest(files, table)


def _nearest(files: Answer, table: Answer) -> Answer:
    """The files' answer; a no of theirs names the published rows near the question too, which is what to install."""
    if files.verdict != "incompatible" or files.nearest:
        return files
    return files.model_copy(update={"nearest": table.nearest})


def both(files: Answer, table: Answer) -> Answer:
    """Neither decides: what each of them lacks."""
    return answers.unknown(f"{files.why}; {table.why}", table.source or files.source, *table.nearest)


def _disagreeing(table: Answer, files: Answer) -> Answer:
    return table.model_copy(update={"why": f"{table.why}; the installed lists disagree: {files.why}"})
