"""Python environments with a framework in them, from `*.dist-info` directories and their METADATA.

The probe lists D(ist-info), B(are package directory), P(ython of conda) and F(ile) with its lines. Nothing is
imported: an environment may be broken, and importing torch_npu starts the driver.
Sources: PyPA "Recording installed projects"; PEP 376 for egg-info; venv's pyvenv.cfg; conda's conda-meta.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ascend_provision.evidence.reading import Reading, blocks, foreign_lines, garbled, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import PythonEnv
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import FrameworkVersion

_SITE = re.compile(r"(?P<prefix>/.*?|)/lib(?:64)?/python(?P<python>[\d.]*)/(?:site|dist)-packages$")
_DIST = re.compile(
    r"(?P<name>torch|torch[_-]npu|mindspore(?:[_-]\w+?)?)-(?P<version>[^-/]+)(?:-py[\d.]+)?\.(?:dist|egg)-info"
)
_CONDA = re.compile(r"/conda-meta/python-(\d[\w.]*)-[^/]*\.json$")


@dataclass
class _Site:
    versions: dict[str, str] = field(default_factory=dict)
    metadata: dict[str, str] = field(default_factory=dict)
    bare: set[str] = field(default_factory=set)


def parse(evidence: Evidence, root: bool | Unknown) -> Reading[tuple[PythonEnv, ...] | Unknown]:
    """One entry for each site directory with torch, torch_npu or MindSpore. Without root, others' are not visible."""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    sites: dict[str, _Site] = {}
    pythons: dict[str, str] = {}
    entries = blocks(evidence.text, "DBPF")
    for head, path, content in entries:
        directory, _, name = path.rpartition("/")
        if head == "D" and (dist := _DIST.fullmatch(name)):
            sites.setdefault(directory, _Site()).versions[_name(dist["name"])] = dist["version"]
        elif head == "B":
            sites.setdefault(directory, _Site()).bare.add(name)
        elif head == "P" and (conda := _CONDA.search(path)):
            pythons[path[: conda.start()]] = conda[1]
        elif head == "F" and name == "pyvenv.cfg":
            pythons[directory] = _venv_python(content) or pythons.get(directory, "")
        elif head == "F" and (dist := _DIST.fullmatch(directory.rpartition("/")[2])):
            site = sites.setdefault(directory.rpartition("/")[0], _Site())
            site.metadata[_name(dist["name"])] = _metadata_version(content) or dist["version"]
    strange = (*foreign_lines(evidence.text, "DBPF"), *_torn(entries, sites))
    if strange:
        return Reading(Unknown(unknown=f"environments: not understood: {strange[0][:120]}"), unread=strange)
    found = tuple(_environment(path, site, pythons) for path, site in sorted(sites.items()))
    unread = () if root is True else ("not root: environments in other users' homes are not visible",)
    return Reading(found, unread=unread)


def _torn(entries: list[tuple[str, str, list[str]]], sites: dict[str, _Site]) -> tuple[str, ...]:
    """What nobody knows how to read: the probe lists packages, and the Pythons of prefixes that have some."""
    prefixes = {site[: match.end("prefix")] for site in sites if (match := _SITE.match(site))}
    torn = []
    for head, path, content in entries:
        conda = _CONDA.search(path)
        known = {
            "D": path.endswith("-info"),
            "P": conda is not None and path[: conda.start()] in prefixes,
            "B": path.rpartition("/")[2] in {"torch_npu", "mindspore"},
        }
        if not known.get(head, True) or any(map(garbled, (path, *content))):
            torn.append(f"{head} {path}")
    return tuple(torn)


def _name(text: str) -> str:
    name = text.lower().replace("-", "_")
    return "mindspore" if name.startswith("mindspore") else name


def _environment(path: str, site: _Site, pythons: dict[str, str]) -> PythonEnv:
    match = _SITE.match(path)
    prefix, python = (match["prefix"] or "/", match["python"]) if match else (path, "")
    unread: list[str] = []
    found: dict[str, FrameworkVersion | None] = {}
    for name in ("torch", "torch_npu", "mindspore"):
        found[name] = None
        by_name, by_metadata = site.versions.get(name), site.metadata.get(name)
        text = by_metadata or by_name
        if text is None:
            if name in site.bare:
                unread.append(f"{name}: a package directory without dist-info")
            continue
        found[name] = FrameworkVersion.maybe(text)
        if found[name] is None:
            unread.append(f"{name}: {text[:80]!r} is not a Python package version")
        elif by_name and by_metadata and FrameworkVersion.maybe(by_name) != found[name]:
            unread.append(f"{name}: its directory says {by_name}, its METADATA {by_metadata}")
    return PythonEnv(
        path=prefix if match and match["python"] != "3" else path,
        python=FrameworkVersion.maybe(pythons.get(prefix) or python),
        unread=tuple(unread),
        **found,
    )


def _venv_python(content: list[str]) -> str | None:
    for line in content:
        key, _, value = (part.strip() for part in line.partition("="))
        if key in {"version", "version_info"}:
            return ".".join(value.split(".")[:3])
    return None


def _metadata_version(content: list[str]) -> str | None:
    return next((line.partition(":")[2].strip() for line in content if line.startswith("Version:")), None)
