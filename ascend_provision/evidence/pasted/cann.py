"""CANN's own files as the probe's listing of install roots (see evidence/cann.py for its letters).

The toolkit's own version.info names the release as the line of version.cfg does that the installer writes from it.
A file names its place itself (`path=`), or what stands above it does; else the place is said to be unknown, which
changes nothing about versions.
"""

from __future__ import annotations

import re

from ascend_provision.evidence.pasted import files
from ascend_provision.evidence.pasted.cut import Piece
from ascend_provision.evidence.reading import pairs
from ascend_provision.stack.versions import CannVersion

NOWHERE = "/(place not given)"
_PART = re.compile(r"/([\w-]+)/version\.info")
_KINDS = {files.PACKAGE_INFO, files.VERSION_CFG, files.COMPONENT, files.NNAL}
_VERSION = re.compile(r"/(?:ascend-toolkit|nnae|nnrt|nnal/atb)/[^/]+|/cann(?:-[\w.]+)?")


def section(pieces: list[Piece]) -> list[tuple[Piece, str]]:
    """`V` and `F` entries of every piece that is a file of CANN and names a version.

    The file of a single part says what it asks for; only the toolkit's makes a CANN where nothing else was pasted.
    """
    found: list[tuple[Piece, str]] = []
    for piece in pieces:
        if piece.kind in _KINDS and (entry := _entry(piece)):
            found.append((piece, entry))
    return found if any(entry.startswith("V ") for _, entry in found) else []


def _entry(piece: Piece) -> str:
    values = pairs(piece.text)
    if piece.kind == files.PACKAGE_INFO:
        part = "ops" if "kernels" in values.get("package_name", "") or "-ops" in values.get("package_name", "") else ""
        root = _root(values.get("path", "") or piece.above.path, values.get("version", ""))
        return _block(root, f"{root}/ascend_{part or 'toolkit'}_install.info", piece)
    if piece.kind == files.VERSION_CFG:
        match = re.search(r"_running_version=\[[^:\]]+:([^\]]+)\]", piece.text)
        if match is None:
            return ""
        root = _root(piece.above.path, match[1])
        return _block(root, f"{root}/version.cfg", piece)
    if piece.kind == files.NNAL:
        match = re.search(r"Ascend-cann-\w+ : (\S+)", piece.text)
        version = match[1] if match else ""
        root = _root(piece.above.path, version) if "/nnal/" in piece.above.path else f"{NOWHERE}/nnal/atb/{version}"
        return _block(root, f"{root}/version.info", piece) if version else ""
    if "ops_version" in values or "opp_kernel" in piece.above.path:
        root = _root(piece.above.path, values.get("version_dir", ""))
        return _block(root, f"{root}/opp_kernel/version.info", piece)
    release, place = values.get("version_dir", ""), _PART.search(piece.above.path)
    part = place[1] if place else "toolkit"
    root = _root(piece.above.path, release)
    block = _block(root, f"{root}/{part}/version.info", piece)
    if part != "toolkit" or CannVersion.maybe(release) is None:
        return block.partition("\n")[2] if place else ""
    return f"{block}F {root}/version.cfg\n {part}_running_version=[{values.get('Version', '')}:{release}]\n"


def _root(path: str, version: str) -> str:
    """The version directory that a path leads to; `latest` is the version that the file itself names."""
    match = _VERSION.search(path)
    if match is None:
        return f"{NOWHERE}/ascend-toolkit/{version}"
    root = path[: match.end()]
    return f"{root.rpartition('/')[0]}/{version}" if root.endswith("/latest") and version else root


def _block(root: str, path: str, piece: Piece) -> str:
    return f"V {root}\nF {path}\n" + "".join(f" {line}\n" for line in piece.text.splitlines())
