"""The output of the system's own tools (uname, lsmod, lspci, pip, getent, id) in the form of the probe's sections."""

from __future__ import annotations

import re

from ascend_provision.evidence.pasted import kinds
from ascend_provision.evidence.pasted.cut import Piece

_UNAME = re.compile(r"Linux (\S+) (\S+) .*\b(x86_64|aarch64)\b.*")
_LSPCI = re.compile(
    r"(?P<bus>(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]) (?P<what>.*?)(?:\[19e5:(?P<id>[0-9a-f]{4})\]|"
    r"Device (?P<device>[0-9a-f]{4})).*"
)
_DF_ROW = re.compile(
    r"^(?P<device>\S+)(?:\s+[a-z]\w*)?\s+(?P<total>[\d.]+[KMGTPE]?)\s+(?P<used>[\d.]+[KMGTPE]?|-)\s+(?P<free>[\d.]+[KMGTPE]?|-)\s+"
    r"(?P<use>\d+%|-)\s+(?P<on>/.*)$",
    re.MULTILINE,
)
_CONDA = re.compile(r"# packages in environment at (\S+?):?$")
_PACKAGE = re.compile(r"(?P<name>[A-Za-z][\w.-]*)(?:==|\s+)(?P<version>\d[\w.+!-]*)(?:\s.*)?")
_FRAMEWORKS = {"torch": "torch", "torch-npu": "torch_npu", "torch_npu": "torch_npu", "mindspore": "mindspore"}
_ID = re.compile(r"uid=(\d+)\(([\w-]+)\) gid=(\d+)\(([\w-]+)\).*")
_MODULE = re.compile(r"(?:drv_|ascend_|dbl_|ts_agent|hisi_hdc|davinci|devdrv)\w*\s")
_PASSWD_COLONS, _GROUP_COLONS = 6, 3


def sections(piece: Piece) -> list[tuple[str, str]]:
    """The sections that this piece is, none when it says nothing the probe would ask."""
    rows = [line.bare for line in piece.lines if line.bare]
    if piece.kind == kinds.LSMOD:
        return [("lsmod", "Module Size Used by\n" + "".join(f"{row}\n" for row in rows if _MODULE.match(row)))]
    if piece.kind == kinds.DF:
        return [("disks", text)] if (text := _df(rows)) else []
    if piece.kind == kinds.LSPCI:
        npus = [text for row in rows if (text := _pci(row))]
        return [("pci", "".join(f"{text}\n" for text in npus))] if npus else []
    if piece.kind == kinds.DEVICES:
        numbered = [_numbered(row) for row in rows]
        return [("device.nodes", "".join(f"{row}\n" for row in numbered))] if all(numbered) else []
    if piece.kind == kinds.PASSWD:
        users = "".join(f"{row}\n" for row in rows if row.count(":") == _PASSWD_COLONS)
        groups = "".join(f"{row}\n" for row in rows if row.count(":") == _GROUP_COLONS)
        return [(name, text) for name, text in (("getent.passwd", users), ("getent.group", groups)) if text]
    if piece.kind == kinds.ID and (match := _ID.fullmatch(rows[0])) and match[2].startswith("Hw"):
        user = f"{match[2]}:x:{match[1]}:{match[3]}:::\n"
        return [("getent.passwd", user), ("getent.group", f"{match[4]}:x:{match[3]}:\n")]
    return []


def _numbered(row: str) -> str:
    """A line of `ls -l` with numbers for owner and group; empty when they are names other than root's."""
    words = row.split()
    owners = ["0" if word == "root" else word for word in words[2:4]]
    return " ".join([*words[:2], *owners, *words[4:]]) if all(word.isdigit() for word in owners) else ""


def _df(rows: list[str]) -> str:
    """`df` in any unit as `df -Pk` prints it; the long name of a device may have a line of its own."""
    if "1024-blocks" in rows[0]:
        return "".join(f"{row}\n" for row in rows)
    unit = 1 if "1K-blocks" in rows[0] else 1024 if "1M-blocks" in rows[0] else 0
    columns = list(_DF_ROW.finditer("\n".join(rows[1:])))
    figures = [[_kib(match[name], unit) for name in ("total", "used", "free")] for match in columns]
    if any(figure is None for row in figures for figure in row):
        return ""
    shown = (
        f"{match['device']} {row[0]} {row[1]} {row[2]} {match['use']} {match['on']}\n"
        for match, row in zip(columns, figures, strict=True)
    )
    return "Filesystem 1024-blocks Used Available Capacity Mounted on\n" + "".join(shown)


def _kib(text: str, unit: int) -> int | None:
    """`unit` is that of a figure without a letter, in KiB; 0 where figures have letters (`df -h`)."""
    power = "KMGTPE".find(text[-1:].upper())
    if power >= 0:
        return int(float(text[:-1]) * 1024**power)
    return int(text) * unit if unit and text.isdigit() else 0 if text in {"0", "-"} else None


def _pci(row: str) -> str:
    """A line of `lspci`, with or without `-nn`, about a processing accelerator of Huawei."""
    match = _LSPCI.fullmatch(row)
    if match is None or not ("ccelerator" in match["what"] or "[1200]" in match["what"]):
        return ""
    bus = match["bus"] if match["bus"].count(":") > 1 else f"0000:{match['bus']}"
    return f"{bus} device=0x{match['id'] or match['device']} subsystem=:"


def environments(pieces: list[Piece]) -> list[tuple[Piece, str]]:
    """Each `pip list`, `pip freeze` or `conda list` as one environment; its place only where conda names it."""
    found: list[tuple[Piece, str]] = []
    for piece in pieces:
        if piece.kind not in {kinds.PIP_LIST, kinds.PIP_FREEZE, kinds.CONDA_LIST}:
            continue
        conda = _CONDA.fullmatch(piece.lines[0].bare)
        place = conda[1] if conda else f"/({piece.kind} in {piece.file})"
        site, python, entries = f"{place}/lib/python/site-packages", "", []
        for line in piece.lines:
            match = _PACKAGE.fullmatch(line.bare)
            if match and match["name"] == "python" and conda:
                python = f"P {place}/conda-meta/python-{match['version']}-0.json\n"
            elif match and (name := _FRAMEWORKS.get(match["name"].lower())):
                entries.append(f"D {site}/{name}-{match['version']}.dist-info\n")
        if entries:
            found.append((piece, "".join(entries) + python))
    return found


def host(pieces: list[Piece]) -> list[tuple[Piece, str]]:
    """Host name, kernel and machine by `uname -a`, who asked by the prompt or `id`; two that differ are neither."""
    said: dict[str, dict[str, Piece]] = {}

    def say(key: str, value: str, piece: Piece) -> None:
        if value:
            said.setdefault(key, {}).setdefault(value, piece)

    for piece in pieces:
        say("hostname", _by_prompt(piece), piece)
        say("uid", "0" if piece.above.user == "root" else "", piece)
        if piece.kind == kinds.UNAME and (match := _UNAME.fullmatch(piece.lines[0].bare)):
            for key, value in zip(("hostname", "release", "machine"), match.groups(), strict=True):
                say(key, value.partition(".")[0] if key == "hostname" else value, piece)
        elif piece.kind == kinds.ID and (match := _ID.fullmatch(piece.lines[0].bare)):
            say("uid", match[1], piece)
    agreed = {key: values for key, values in said.items() if len(values) == 1}
    return [(piece, f"{key}={value}\n") for key, values in agreed.items() for value, piece in values.items()]


def named(piece: Piece) -> str:
    """The host that this piece is of, by its prompt or because it is that host's `uname -a`; empty for none."""
    if host_ := _by_prompt(piece):
        return host_
    match = _UNAME.fullmatch(piece.lines[0].bare) if piece.kind == kinds.UNAME else None
    return match[1].partition(".")[0] if match and match[1] not in _NO_NAMES else ""


def _by_prompt(piece: Piece) -> str:
    """Without its domain, as `uname -n` may give it; an address stays whole."""
    name = piece.above.host
    return "" if name in _NO_NAMES else name if _ADDRESS.fullmatch(name) else name.partition(".")[0]


_ADDRESS = re.compile(r"[\d.]+")
_NO_NAMES = frozenset({"host", "container", "localhost"})
"""What people write in front of a `$` without meaning a name."""
