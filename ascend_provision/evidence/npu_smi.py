"""`npu-smi info`: the table of chips and the table of processes.

Layouts of 80, 86, 93, 94, 98, 106 and 116 columns differ in widths and in which columns they have; the table's own
head says which, so the head is read and widths are not. Two rows make a chip. Sources: docs/formats.md#npu-smi-info.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ascend_provision.evidence.reading import Reading, absent, is_number, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import CardProcess, Chip
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import HdkVersion

_TITLE = re.compile(r"\|\s*npu-smi (\S+)\s+Version: (\S+)\s*\|")
_USAGE = re.compile(r"(\d+|NA|-)\s*/\s*(\d+|NA|-)")
_NOBODY = re.compile(r"\|\s*No running processes found in NPU (\d+)\s*\|")
_FAILED = re.compile(r"dcmi mod\w+ initialized? ?failed.*|.*error while loading shared libraries.*")
_NOISE = re.compile(r"DrvMngGetConsoleLogLevel failed|^\s*\[WARNING\]|^\+[-=+]+\+?$")


@dataclass(frozen=True)
class Info:
    """`tool` and `driver` are the left and the right version of the title: the build of npu-smi, the loaded driver.

    Both are None when npu-smi is not installed.
    """

    tool: HdkVersion | Unknown | None
    driver: HdkVersion | Unknown | None
    chips: tuple[Chip, ...] | Unknown
    processes: tuple[CardProcess, ...] | Unknown


def parse(evidence: Evidence) -> Reading[Info]:
    """Never raises. Output that is cut, half a chip, or of another tool is unknown and not an empty host."""
    if absent(evidence):
        gone = Unknown(unknown="npu-smi is not installed", settle="install the driver")
        return Reading(Info(tool=None, driver=None, chips=gone, processes=gone))
    why = _failure(evidence)
    found = [match for line in lines(evidence.text) if (match := _TITLE.match(line))]
    if why is None and not found:
        why = Unknown(unknown="npu-smi info: no title line in its output")
    if why is not None:
        return Reading(Info(tool=why, driver=why, chips=why, processes=why))
    table = _Table()
    for line in lines(evidence.text):
        table.take(line)
    return Reading(
        Info(
            tool=_version(found[0][1]),
            driver=_version(found[0][2]),
            chips=table.all_chips(),
            processes=table.all_processes(),
        ),
        unread=tuple(table.unread),
    )


def _failure(evidence: Evidence) -> Unknown | None:
    for line in lines(evidence.text):
        if _FAILED.match(line):
            return Unknown(unknown=f"npu-smi info: {line.strip()[:200]}")
    return silence(evidence)


def _version(text: str) -> HdkVersion | Unknown:
    return HdkVersion.maybe(text) or Unknown(unknown=f"npu-smi info: {text[:80]!r} is not an HDK version")


class _Table:
    """Rows as they come: a chip's first row waits for its second."""

    def __init__(self) -> None:
        self.unread: list[str] = []
        self.chips: list[Chip] = []
        self.processes: list[CardProcess] = []
        self.process_head: list[str] = []
        self.usages: list[str] = []
        self.first: tuple[list[str], str] | None = None
        self.broken = ""
        self.closed = False

    def take(self, line: str) -> None:
        self.closed = line.startswith("+")
        if _NOISE.search(line) or _TITLE.match(line) or _NOBODY.match(line):
            self.closed = self.closed or not line.startswith("|")
            return
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if not line.rstrip().endswith("|") or not cells:
            self._misread(line)
        elif self._head(cells):
            pass
        elif self.process_head:
            self._process(cells, line)
        elif self.usages:
            self._chip(cells, line)
        else:
            self._misread(line)

    def _head(self, cells: list[str]) -> bool:
        if len(cells) > 2 and cells[1] == "Process id":
            self.process_head = cells
        elif len(cells) == 3 and cells[1] == "Bus-Id":
            self.usages = [name for name in ("Memory-Usage", "HBM-Usage") if name in cells[2]]
        else:
            return len(cells) == 3 and cells[1] == "Health" and cells[0].startswith("NPU")
        return True

    def _misread(self, line: str) -> None:
        self.unread.append(line.rstrip())
        self.broken = self.broken or line.strip()[:120]

    def _chip(self, cells: list[str], line: str) -> None:
        if len(cells) != 3:
            self._misread(line)
        elif self.first is None:
            name = cells[0].split(None, 1)
            if len(name) == 2 and is_number(name[0]):
                self.first = (name, f"{cells[1]}|{cells[2]}")
            else:
                self._misread(line)
        else:
            chip = _chip(self.first, cells, self.usages)
            self.first = None
            if chip is None or any((chip.npu_id, chip.chip_id) == (it.npu_id, it.chip_id) for it in self.chips):
                self._misread(line)
            else:
                self.chips.append(chip)

    def _process(self, cells: list[str], line: str) -> None:
        place = cells[0].split()
        if len(cells) >= 4 and len(place) == 2 and all(is_number(item) for item in (*place, cells[1], cells[3])):
            self.processes.append(
                CardProcess(
                    npu_id=int(place[0]),
                    chip_id=int(place[1]),
                    pid=int(cells[1]),
                    name=cells[2],
                    memory_mb=int(cells[3]) // (2**20 if "(B)" in self.process_head[3] else 1),
                )
            )
        else:
            self._misread(line)

    def _why(self) -> Unknown | None:
        if self.broken:
            return Unknown(unknown=f"npu-smi info: a line of an unknown layout: {self.broken}")
        if self.first is not None or not self.closed:
            return Unknown(unknown="npu-smi info: the table ends in the middle")
        return None

    def all_chips(self) -> tuple[Chip, ...] | Unknown:
        if (why := self._why()) is not None:
            return why
        return tuple(self.chips) or Unknown(unknown="npu-smi info: a table without chips")

    def all_processes(self) -> tuple[CardProcess, ...] | Unknown:
        if (why := self._why()) is not None:
            return why
        return tuple(self.processes) if self.process_head else Unknown(unknown="this npu-smi prints no process table")


def _chip(first: tuple[list[str], str], second: list[str], columns: list[str]) -> Chip | None:
    name, rest = first
    health, _, measured = rest.partition("|")
    chip_id = second[0].split()
    figures = _USAGE.sub("", measured).split()
    usages = _USAGE.findall(second[2])
    if not chip_id or not is_number(chip_id[0]) or len(usages) != len(columns) or len(figures) != 2:
        return None
    memory = dict(zip(columns, usages, strict=True))
    ddr, hbm = memory.get("Memory-Usage", ("NA", "NA")), memory.get("HBM-Usage", ("NA", "NA"))
    power, temperature = (_figure(text) for text in figures)
    return Chip(
        npu_id=int(name[0]),
        chip_id=int(chip_id[0]),
        name=name[1],
        health=health.strip(),
        bus="" if second[1] == "NA" else second[1].lower(),
        power_w=power,
        temperature_c=None if temperature is None else round(temperature),
        ddr_used_mb=_whole(ddr[0]),
        ddr_total_mb=_whole(ddr[1]),
        hbm_used_mb=_whole(hbm[0]),
        hbm_total_mb=_whole(hbm[1]),
    )


def _figure(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", text) else None


def _whole(text: str) -> int | None:
    return int(text) if is_number(text) else None
