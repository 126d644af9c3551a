"""Pieces as the sections that a probe would have brought, so that every reader and every rule runs unchanged.

A section that was given twice and differently is no evidence: which of them is the host's is nobody's to guess.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable

from ascend_provision.evidence import npu_smi
from ascend_provision.evidence.pasted import cann, cards, files, kinds, shell, system
from ascend_provision.evidence.pasted.cut import Piece
from ascend_provision.stack.evidence import Evidence, ProbeRecord
from ascend_provision.stack.model import Unknown

NOT_GIVEN = "not in the evidence given"
_WHOLE = {
    kinds.INFO: "npu-smi.info",
    kinds.LIST: "npu-smi.list",
    kinds.MAP: "npu-smi.map",
    files.DRIVER: "driver.version",
    files.FIRMWARE: "firmware.version",
    files.INSTALL_INFO: "install-info",
    files.CANN_RECORD: "cann.record",
    files.HCCN_CONF: "hccn.conf",
    files.OS_RELEASE: "os-release",
}
"""Kinds whose text is the section as it stands."""
_TOPICS = {
    kinds.HCCN_IP: "ip",
    kinds.HCCN_LINK: "link",
    kinds.HCCN_HEALTH: "health",
    "hccn_tool -netdetect": "netdetect",
    "hccn_tool -tls": "tls",
}
_LOOP = re.compile(
    r"\bfor\s+\w+\s+in\s+(?:\{(\d+)\.\.(\d+)\}|\$\(seq (\d+) (\d+)\)|`seq (\d+) (\d+)`|((?:\d+\s+)*\d+)\s*;)"
)
_DEVICE = re.compile(r"-i\s+(\d{1,3})\b")

Found = dict[str, list[tuple[Piece, str]]]
"""Section -> what was given for it, and where."""


def sections(pieces: Iterable[Piece]) -> tuple[Found, set[Piece]]:
    """What each section got, and the pieces that gave something."""
    found: Found = defaultdict(list)
    used: set[Piece] = set()
    own = list(pieces)
    for piece in own:
        for name, text in _of(piece):
            found[name].append((piece, text))
            used.add(piece)
    for name, build in _TOGETHER.items():
        parts = build(own)
        for piece, text in parts:
            found[name].append((piece, text))
            used.add(piece)
    return found, used


def record(host: str, found: Found) -> ProbeRecord:
    """The record a probe of this host would have made of it; everything else is `not in the evidence given`."""
    made = {name: _evidence(name, given) for name, given in found.items()}
    return ProbeRecord(host=host, sections=made, missing=NOT_GIVEN)


def _evidence(name: str, given: list[tuple[Piece, str]]) -> Evidence:
    cut = any(piece.cut for piece, _ in given) and name not in {"npu-smi.info", "install.log"}
    if name in _TOGETHER:
        text = "".join(text for _, text in given)
        return Evidence(name=name, text=text, status=0, truncated=cut, note=f"{name}: {NOT_GIVEN}")
    texts = {_identity(name, text): text for _, text in given}
    if len(texts) > 1:
        places = ", ".join(f"{piece.file}:{piece.lines[0].number}" for piece, _ in given[:4])
        return Evidence(name=name, note=f"given more than once and not alike ({places})")
    return Evidence(name=name, text=next(iter(texts.values())), status=0, truncated=cut)


def _identity(name: str, text: str) -> str:
    """What two outputs of one command must agree in: of npu-smi all but what it measures, and then the last counts."""
    if name == "npu-smi.info":
        info = npu_smi.parse(Evidence(name=name, text=text, status=0)).facts
        if not isinstance(info.chips, Unknown):
            chips = [(chip.npu_id, chip.chip_id, chip.name, chip.health, chip.bus) for chip in info.chips]
            return f"{info.tool} {info.driver} {chips}"
    return " ".join(text.split())


def _of(piece: Piece) -> list[tuple[str, str]]:
    if name := _WHOLE.get(piece.kind):
        return [(name, piece.text)]
    if piece.kind == cards.BOARD and (npu := cards.npu(piece)) is not None:
        return [(f"npu-smi.board.{npu}", piece.text)]
    if piece.kind == kinds.UPGRADE_TOOL:
        return [("upgrade-tool.status" if '"status"' in piece.text else "upgrade-tool.version", piece.text)]
    if topic := _TOPICS.get(piece.kind):
        return _per_device(piece, topic)
    if piece.kind == kinds.RANK_TABLE:
        path = piece.above.path if piece.above.path.startswith("/") else f"/({piece.file})"
        return [("rank.tables", f"F {path}\n" + "".join(f" {line}\n" for line in piece.text.splitlines()))]
    return system.sections(piece)


def _per_device(piece: Piece, what: str) -> list[tuple[str, str]]:
    """Each device's answer: by the command's `-i N`, or in the order of the loop that asked."""
    answers: list[str] = []
    for line in piece.lines:
        if not line.bare:
            continue
        if what != "ip" or line.bare.startswith("ipaddr:") or not answers:
            answers.append("")
        answers[-1] += f"{line.bare}\n"
    match = _DEVICE.search(piece.above.command)
    if match:
        answers = ["".join(answers)]
    devices = [int(match[1])] if match else _loop(piece.above.command)
    if len(devices) != len(answers):
        return []
    return [(f"hccn_tool.{what}.{device}", text) for device, text in zip(devices, answers, strict=True)]


def _loop(command: str) -> list[int]:
    match = _LOOP.search(command)
    if match is None:
        return []
    if match[7]:
        return [int(word) for word in match[7].split()]
    first, last = (int(number) for number in match.groups()[:6] if number is not None)
    return list(range(first, last + 1)) if last < 1000 else []


def _installers(pieces: list[Piece]) -> list[tuple[Piece, str]]:
    """Every installer's output or log in the form of the probe's `install.log`, with the command above it."""
    return [
        (piece, f"C {piece.above.command}\n" + "".join(f" {line}\n" for line in piece.text.splitlines()))
        for piece in pieces
        if piece.kind == kinds.INSTALLER
    ]


_TOGETHER: dict[str, Callable[[list[Piece]], list[tuple[Piece, str]]]] = {
    "cann": cann.section,
    "env.files": shell.section,
    "environments": system.environments,
    "host": system.host,
    "install.log": _installers,
}
"""Sections made of several pieces at once."""
