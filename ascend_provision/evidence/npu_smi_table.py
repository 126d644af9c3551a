"""The two tables of `npu-smi info`, row by row: chips (two rows each), then processes.

The table's own head says which columns there are and whether number and name share a cell (to 25.x) or not (950); a
row that somebody cut at the right still names its chip. Sources: docs/formats.md#npu-smi-info.
"""

from __future__ import annotations

import re

from ascend_provision.evidence.reading import is_number
from ascend_provision.stack.facts import CardProcess, Chip
from ascend_provision.stack.model import Unknown

_USAGE = re.compile(r"(\d+|NA|-)\s*/\s*(\d+|NA|-)")
_NOBODY = re.compile(r"\|\s*No running processes found(?: in NPU (\d+))?\s*\|")
_NOISE = re.compile(r"DrvMngGetConsoleLogLevel failed|^\s*\[WARNING\]|^\+[-=+]+\+?$|^\|\s*npu-smi \S+\s+Version:")
_COLUMNS = ("Memory-Usage", "HBM-Usage")


class Table:
    """Rows as they come: a chip's first row waits for its second."""

    def __init__(self) -> None:
        self.unread: list[str] = []
        self.chips: list[Chip] = []
        self.processes: list[CardProcess] = []
        self.process_head: list[str] = []
        self.usages: list[str] = []
        self.first: list[str] | None = None
        self.apart = False
        self.broken = {"chips": "", "processes": ""}
        self.closed = False

    @property
    def headed(self) -> bool:
        """A head of either table was seen."""
        return bool(self.usages or self.process_head)

    def take(self, line: str) -> None:
        """One line, of whatever form."""
        self.closed = line.startswith("+")
        if _NOISE.search(line) or _NOBODY.match(line):
            self.closed = self.closed or not line.startswith("|")
            return
        whole = line.rstrip().endswith("|")
        cells = [cell.strip() for cell in line.strip().removesuffix("|").split("|")[1:]] if line.startswith("|") else []
        if not whole or not cells:
            self._misread(line)
        if not cells or self._head(cells, whole):
            return
        if self.process_head:
            self._process(cells, line, whole)
        elif self.usages:
            self._chip([*(" ".join(cells[:2]).strip(),), *cells[2:]] if self.apart else cells, line, whole)
        elif whole:
            self._misread(line)

    def _head(self, cells: list[str], whole: bool) -> bool:
        if len(cells) > 2 and cells[1] == "Process id":
            self.broken["chips"] = self.broken["chips"] or self._torn()
            self.process_head, self.first = cells, None
        elif "Bus-Id" in cells:
            self.usages = [name for name in _COLUMNS if name in cells[-1] or not whole]
        elif len(cells) > 1 and cells[0].startswith("NPU") and "Health" in cells:
            self.apart = cells[1] == "Name"
        else:
            return False
        return True

    def _torn(self) -> str:
        return "the table ends in the middle" if self.first is not None else ""

    def _misread(self, line: str) -> None:
        self.unread.append(line.rstrip())
        part = "processes" if self.process_head else "chips"
        self.broken[part] = self.broken[part] or f"a line of an unknown layout: {line.strip()[:120]}"

    def _chip(self, cells: list[str], line: str, whole: bool) -> None:
        name = cells[0].split(None, 1)
        if whole and len(cells) != 3:
            self._misread(line)
        elif self.first is None:
            if len(cells) > 1 and len(name) == 2 and is_number(name[0]):
                self.first = cells if whole else [*cells[:2], ""]
            elif whole:
                self._misread(line)
        else:
            chip = _chip(self.first, cells, self.usages, "0" if self.apart else "", whole)
            self.first = None
            if chip is not None and all((chip.npu_id, chip.chip_id) != (it.npu_id, it.chip_id) for it in self.chips):
                self.chips.append(chip)
            elif whole:
                self._misread(line)

    def _process(self, cells: list[str], line: str, whole: bool) -> None:
        place = cells[0].split() + (["0"] if self.process_head[0] == "NPU ID" else [])
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
        elif whole:
            self._misread(line)

    def all_chips(self) -> tuple[Chip, ...] | Unknown:
        """Every chip of a whole table."""
        torn = self._torn() or ("" if self.closed or self.process_head else "the table ends in the middle")
        if why := self.broken["chips"] or torn:
            return Unknown(unknown=f"npu-smi info: {why}")
        return tuple(self.chips) or Unknown(unknown="npu-smi info: a table without chips")

    def all_processes(self) -> tuple[CardProcess, ...] | Unknown:
        """Every process of a whole table."""
        torn = "" if self.closed else "the table ends in the middle"
        if why := self.broken["processes"] or torn or ("" if self.process_head else self.broken["chips"]):
            return Unknown(unknown=f"npu-smi info: {why}")
        return tuple(self.processes) if self.process_head else Unknown(unknown="this npu-smi prints no process table")


def _chip(first: list[str], second: list[str], columns: list[str], numbered: str, whole: bool) -> Chip | None:
    """`numbered` is the chip's id where its row has none. Figures of a row that was cut are not read."""
    npu_id, name = first[0].split(None, 1)
    chip_id = (second[0].split() or [numbered])[0]
    measured = f"{first[2]} " if len(first) > 2 else ""
    figures = _USAGE.sub("", measured).split()
    usages = _USAGE.findall(second[2]) if len(second) > 2 else []
    if not is_number(chip_id) or len(second) < 2:
        return None
    if not whole or not measured.strip():
        figures, usages, columns = ["-", "-"], [], []
    elif len(usages) != len(columns) or len(figures) != 2:
        return None
    memory = dict(zip(columns, usages, strict=True))
    ddr, hbm = (memory.get(column, ("NA", "NA")) for column in _COLUMNS)
    power, temperature = (_figure(text) for text in figures)
    return Chip(
        npu_id=int(npu_id),
        chip_id=int(chip_id),
        name=name,
        health=first[1],
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
