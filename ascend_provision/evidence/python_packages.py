"""Packages beside each framework: what CANN's operator compiler imports, and CANN's own wheels.

The probe gives S(ite directory) with ` NAME-VERSION.dist-info`, ` mtime SECONDS PATH`, ` venv LINE`, ` CXX11_ABI=N` and
` gone PROGRAM -> INTERPRETER`, and M(time) of each toolkit's install record. Which sites one Python sees: Python's
`site` module; venv's pyvenv.cfg. TorchConfig.cmake says how torch was built.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ascend_provision.evidence.reading import Reading, blocks, foreign_lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import PythonEnv
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import PythonPackages
from ascend_provision.stack.versions import FrameworkVersion

_SITE = re.compile(r"(?P<prefix>/.*?|)/lib(?:64)?/python(?P<python>[\d.]*)/(?:site|dist)-packages$")
_DIST = re.compile(r"([A-Za-z][\w.]*?)-([^-/]+)(?:-py[\d.]+)?(?:-[\w.]+)?\.(?:dist|egg)-info")
_MTIME = re.compile(r"mtime (\d+) (.*)")
_RECORD = re.compile(r"(\d+) (/.*)")
_SYSTEM = frozenset({"", "/usr", "/usr/local"})
_HOME = re.compile(r"(/root|/home/[^/]+)(?=/|$)")
_WHEELS = frozenset({"te", "hccl", "topi"})


@dataclass
class _Site:
    prefix: str
    python: str
    versions: dict[str, str | None] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    abi: int | None = None
    system_too: bool = False
    home: str = ""
    readable: bool = True


def parse(evidence: Evidence, found: tuple[PythonEnv, ...] | Unknown) -> Reading[tuple[PythonPackages, ...] | Unknown]:
    """One entry for each environment that has a framework, and one for each system Python without."""
    if isinstance(found, Unknown):
        return Reading(found)
    if (why := silence(evidence)) is not None:
        return Reading(why)
    entries = blocks(evidence.text, "SM")
    strange = (
        *foreign_lines(evidence.text, "SM"),
        *(text for head, text, _ in entries if not (_SITE if head == "S" else _RECORD).fullmatch(text)),
    )
    if strange:
        return Reading(Unknown(unknown=f"{evidence.name}: not understood: {strange[0][:120]}"), unread=strange)
    sites: dict[str, _Site] = {}
    unread: list[str] = []
    records = [int(row[1]) for head, text, _ in entries if head == "M" and (row := _RECORD.fullmatch(text))]
    for head, path, content in entries:
        if head == "S" and (match := _SITE.fullmatch(path)):
            site = sites.setdefault(path, _Site(match["prefix"], match["python"]))
            torn = [f"{path}: {line}" for line in content if not _line(line, site)]
            site.readable = site.readable and not torn  # a package may stand in it
            unread += torn
    newest = max(records, default=None)
    here = [_of(env, sites, newest) for env in found]
    return Reading((*here, *_system(sites, found)), unread=tuple(unread))


def _line(line: str, site: _Site) -> bool:
    word, _, rest = line.strip().partition(" ")
    if row := _MTIME.fullmatch(line.strip()):
        site.times[_name(row[2].rsplit("/", 1)[-1].split("-")[0])] = int(row[1])
    elif word == "venv":
        key, _, value = (part.strip() for part in rest.partition("="))
        site.home = value if key == "home" else site.home
        site.system_too = site.system_too or (key.startswith("include-system") and value.lower() == "true")
    elif word.startswith("CXX11_ABI="):
        site.abi = int(word[-1]) if word[-1] in "01" else None
    elif word == "gone" and " -> " in rest:
        site.gone.append(f"bin/{rest}")
    elif line.strip() == "not readable":
        site.readable = False
    elif row := _DIST.fullmatch(line.strip()):
        site.versions[_name(row[1])] = row[2] if FrameworkVersion.maybe(row[2]) else None
    else:
        return False
    return True


def _name(text: str) -> str:
    return re.sub(r"[-_.]+", "_", text).lower()


def _own(env: PythonEnv, sites: Mapping[str, _Site]) -> list[_Site]:
    """The sites of the environment itself: below its prefix, or the one directory it is named by."""
    minors = {_minor(env.python), "3", ""} if env.python is not None else None
    return [
        site
        for path, site in sites.items()
        if env.path in {path, site.prefix or "/"} and (minors is None or site.python in minors)
    ]


def _visible(own: list[_Site], env: PythonEnv, sites: Mapping[str, _Site]) -> list[_Site]:
    """What its Python looks through: its own, its user's, and the system's where it is the system's."""
    pythons = {site.python for site in own}
    minor = _minor(env.python) or next((python for python in sorted(pythons, reverse=True) if "." in python), "")
    system = any(site.prefix in _SYSTEM or site.prefix.endswith("/.local") or site.system_too for site in own)
    owner = _HOME.match(env.path)
    seen = list(own)
    for site in sites.values():
        same = site.python in {minor, "3"}
        mine = site.prefix.endswith("/.local") and owner is not None and site.prefix.startswith(owner[0] + "/")
        if site not in seen and same and ((site.prefix in _SYSTEM and system) or mine):
            seen.append(site)
    return seen


def _minor(version: FrameworkVersion | None) -> str:
    return ".".join(str(version).split(".")[:2]) if version is not None else ""


def _of(env: PythonEnv, sites: Mapping[str, _Site], newest: int | None) -> PythonPackages:
    own = _own(env, sites)
    seen = _visible(own, env, sites)
    stale = [
        name
        for site in own
        for name, at in site.times.items()
        if newest is not None and at < newest and name in _WHEELS
    ]
    base_elsewhere = any(site.system_too and site.home not in {"/usr/bin", "/usr/local/bin"} for site in own)
    return PythonPackages(
        path=env.path,
        python=env.python,
        frameworks=True,
        versions=_merged(seen),
        stale=tuple(sorted(set(stale))),
        interpreter_gone=tuple(line for site in own for line in site.gone),
        cxx11_abi=next((site.abi for site in own if site.abi is not None), None),
        whole=bool(own) and all(site.readable for site in seen) and not base_elsewhere,
    )


def _merged(seen: list[_Site]) -> dict[str, str | None]:
    versions: dict[str, str | None] = {}
    for site in seen:
        for name, version in site.versions.items():
            versions.setdefault(name, version)
    return versions


def _system(sites: Mapping[str, _Site], found: tuple[PythonEnv, ...]) -> list[PythonPackages]:
    """The system's Pythons in which no framework is, by minor version."""
    taken = {_minor(env.python) for env in found if env.path in _SYSTEM - {""} or env.path.startswith("/usr/l")}
    minors = {site.python for site in sites.values() if site.prefix in _SYSTEM and "." in site.python} - taken
    shown = []
    for minor in sorted(minors):
        seen = [site for site in sites.values() if site.prefix in _SYSTEM and site.python in {minor, "3"}]
        shown.append(
            PythonPackages(
                path=f"/usr/bin/python{minor}",
                python=FrameworkVersion.maybe(minor),
                frameworks=False,
                versions=_merged(seen),
                whole=all(site.readable for site in seen),
            )
        )
    return shown
