"""`npu-smi info -t board -i N`, `-l` and `-m`: key and value lines, and the table of logic ids.

Lines begin with one TAB, or with eight blanks where a page shows them; keys are padded to 30 and end in ` : `.
Sources: docs/formats.md#npu-smi-board.
"""

from __future__ import annotations

from collections.abc import Iterable

from ascend_provision.evidence.reading import Reading, absent, asked, is_number, lines, silence, unreadable
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import Board
from ascend_provision.stack.model import Noun, Unknown
from ascend_provision.stack.versions import FirmwareVersion, HdkVersion

_NOTHING = frozenset({"", "NA", "-"})
_KNOWN = frozenset(
    {
        "NPU ID", "Product Name", "Model", "Manufacturer", "Serial Number", "Software Version", "Firmware Version",
        "Compatibility", "Board ID", "Main Board ID", "PCB ID", "BOM ID", "PCIe Bus Info", "Slot ID", "Class ID",
        "PCI Vendor ID", "PCI Device ID", "Subsystem Vendor ID", "Subsystem Device ID", "Chip Count",
        "Faulty Chip Count", "Chip Fault",
    }
)  # fmt: skip


class MapRow(Noun):
    """A row of `npu-smi info -m`; `logic_id` is None for a pseudo chip such as Mcu."""

    npu_id: int
    chip_id: int
    logic_id: int | None
    name: str


def parse(evidence: Evidence) -> Reading[Board | Unknown]:
    """One NPU's board. Firmware is None where the tool prints NA (it does so when it is not root)."""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    values, unread = _values(lines(evidence.text))
    npu_id, software = values.get("NPU ID", ""), values.get("Software Version", "")
    if not is_number(npu_id) or "Firmware Version" not in values:
        return Reading(Unknown(unknown=f"{evidence.name}: not a board"), unread=unread)
    if unread:
        return Reading(Unknown(unknown=f"{evidence.name}: not understood: {unread[0][:120]}"), unread=unread)
    firmware = values["Firmware Version"]
    if firmware not in _NOTHING and FirmwareVersion.maybe(firmware) is None:
        line = f"Firmware Version: {firmware}"
        return Reading(Unknown(unknown=f"{evidence.name}: not understood: {line[:120]}"), unread=(line,))
    product = values.get("Product Name", "")
    return Reading(
        Board(
            npu_id=int(npu_id),
            software=HdkVersion.maybe(software),
            firmware=FirmwareVersion.maybe(firmware),
            compatibility=values.get("Compatibility"),
            product_name=None if product in _NOTHING else product,
        ),
        unread=unread + tuple(f"{key}: {value}" for key, value in values.items() if key not in _KNOWN),
    )


def parse_all(sections: Iterable[Evidence], list_evidence: Evidence) -> Reading[tuple[Board, ...] | Unknown]:
    """Every board, or unknown when one of them could not be read, or one that `-l` names is not there.

    Without an answer of `-l` nobody knows whether a board is missing; evidence that somebody sent may lack it.
    """
    found: list[Board] = []
    unread: list[str] = []
    for evidence in sections:
        reading = parse(evidence)
        unread += reading.unread
        if isinstance(reading.facts, Unknown):
            return Reading(reading.facts, unread=tuple(unread))
        found.append(reading.facts)
    listed = parse_list(list_evidence).facts
    if found and isinstance(listed, Unknown) and asked(list_evidence):
        return Reading(listed, unread=tuple(unread))
    if len({board.npu_id for board in found}) < len(found):
        return Reading(Unknown(unknown="npu-smi: two boards of the same NPU"), unread=tuple(unread))
    if found and not isinstance(listed, Unknown) and listed.keys() != {board.npu_id for board in found}:
        ids = ", ".join(map(str, sorted(listed.keys() ^ {board.npu_id for board in found})))
        return Reading(Unknown(unknown=f"npu-smi: -l and the boards differ about NPU {ids}"), unread=tuple(unread))
    if found:
        return Reading(tuple(sorted(found, key=lambda board: board.npu_id)), unread=tuple(unread))
    if absent(list_evidence):
        return Reading(Unknown(unknown="npu-smi is not installed", settle="install the driver"))
    return Reading(unreadable(list_evidence, "names no NPU"))


def parse_list(evidence: Evidence) -> Reading[dict[int, int] | Unknown]:
    """`npu-smi info -l`: NPU id -> number of chips. Its first line is `Card Count` or `Total Count`."""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    total: str | None = None
    chips: dict[int, int] = {}
    npu_id: int | None = None
    unread: list[str] = []
    for line in lines(evidence.text):
        key, colon, value = (part.strip() for part in line.partition(":"))
        if key in {"Card Count", "Total Count"}:
            total = value
        elif key == "NPU ID" and is_number(value):
            npu_id = int(value)
        elif key == "Chip Count" and is_number(value) and npu_id is not None:
            chips[npu_id] = int(value)
        elif not colon or key not in {"Product Name", "Serial Number"}:
            unread.append(line)
    if total is None or total != str(len(chips)):
        why = Unknown(unknown=f"npu-smi info -l: says {total or 'no'} NPUs and names {len(chips)}")
        return Reading(why, unread=tuple(unread))
    return Reading(chips, unread=tuple(unread))


def parse_map(evidence: Evidence) -> Reading[tuple[MapRow, ...] | Unknown]:
    """`npu-smi info -m`; on A3 a column `Chip Phy-ID` stands before the name."""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    head, *rows = lines(evidence.text) or [""]
    if not head.strip().startswith("NPU ID"):
        return Reading(Unknown(unknown="npu-smi info -m: no head line"))
    before_name = 4 if "Chip Phy-ID" in head else 3
    found: list[MapRow] = []
    unread: list[str] = []
    for line in rows:
        cells = line.split(None, before_name)
        if len(cells) > before_name and is_number(cells[0]) and is_number(cells[1]):
            logic = int(cells[2]) if is_number(cells[2]) else None
            found.append(
                MapRow(npu_id=int(cells[0]), chip_id=int(cells[1]), logic_id=logic, name=cells[before_name].strip())
            )
        else:
            unread.append(line)
    return Reading(tuple(found) or Unknown(unknown="npu-smi info -m: no rows"), unread=tuple(unread))


def _values(rows: Iterable[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    values: dict[str, str] = {}
    unread: list[str] = []
    for line in rows:
        key, colon, value = line.partition(":")
        if colon:
            values.setdefault(key.strip(), value.strip())
        else:
            unread.append(line)
    return values, tuple(unread)
