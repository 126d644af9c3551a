"""What a removed or failed install left behind, by the kinds of `knowledge/data/leftovers.yaml`.

The probe lists places (`exists`, `empty`, `dangling LINK -> TARGET`, `gone SHELL-FILE PATH`); a place is a leftover
only when its owner is gone, so nothing of an installed driver or toolkit is ever in the result.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ascend_provision.evidence.cann import CannFiles
from ascend_provision.evidence.install_info import InstallInfo
from ascend_provision.evidence.reading import Reading, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import Leftover
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.network import RankTable

_OF_THE_DRIVER = (
    ("dkms-tree", re.compile(r"/var/lib/dkms/davinci_ascend")),
    ("dkms-source", re.compile(r"/usr/src/davinci_ascend-.+")),
    ("logrotate", re.compile(r"/etc/logrotate\.d/.+")),
    ("install-log", re.compile(r"/var/log/ascend_seclog")),
    ("device-log", re.compile(r"/var/log/npu")),
)
_OF_NOBODY = (
    ("check-directory", re.compile(r"/root/ascend_check")),
    ("unpacked-package", re.compile(r"/tmp/selfgz\d.*")),  # noqa: S108 - a name looked for
)
_ASCEND = re.compile(r"/Ascend(/|$)|davinci|hccn|npu-smi|upgrade-tool|/dcmi(/|$)")


@dataclass(frozen=True)
class Installed:
    """Who is there to own a place; None where that could not be read, and then nothing of theirs is a leftover."""

    driver: bool | None
    firmware: bool | None
    modules: tuple[str, ...] | Unknown
    info: InstallInfo
    cann: CannFiles | Unknown


def parse(places: Evidence, sources: Evidence, installed: Installed) -> Reading[tuple[Leftover, ...] | Unknown]:
    """Every leftover, sorted by kind and path."""
    if (why := silence(places)) is not None:
        return Reading(why)
    found: list[Leftover] = []
    unread: list[str] = []
    for line in lines(places.text):
        word, _, rest = line.partition(" ")
        if word == "exists":
            found += _place(rest, installed)
        elif word == "empty":
            found.append(Leftover(kind="empty-directory", path=rest))
        elif word == "dangling" and " -> " in rest:
            link, _, target = rest.partition(" -> ")
            if _ASCEND.search(link) or _ASCEND.search(target):
                found.append(Leftover(kind="dangling-link", path=link, detail=f"-> {target}"))
        else:
            unread.append(line)
    if unread:
        return Reading(Unknown(unknown=f"leftovers: not understood: {unread[0][:120]}"), unread=tuple(unread))
    found += _records(installed) + _cann(installed.cann) + _lines(sources)
    return Reading(tuple(sorted(set(found), key=lambda item: (item.kind, item.path, item.detail))))


def rank_tables(tables: tuple[RankTable, ...] | Unknown, addresses: set[str]) -> tuple[Leftover, ...]:
    """Rank tables that name NPU addresses, and none of those that this host's hccn.conf has."""
    found = []
    for table in () if isinstance(tables, Unknown) else tables:
        named = {device.device_ip for server in table.servers for device in server.devices if device.device_ip}
        if addresses and named and not named & addresses:
            detail = f"none of its device_ip is this host's ({', '.join(sorted(named)[:3])} …)"
            found.append(Leftover(kind="rank-table", path=table.path, detail=detail))
    return tuple(found)


def _place(path: str, installed: Installed) -> list[Leftover]:
    table = _OF_NOBODY + (_OF_THE_DRIVER if installed.driver is False else ())
    return [Leftover(kind=kind, path=path) for kind, pattern in table if pattern.fullmatch(path)]


def _records(installed: Installed) -> list[Leftover]:
    found = []
    nothing = installed.driver is False and installed.firmware is False
    if nothing and installed.info.keys:
        found.append(
            Leftover(kind="install-info", path="/etc/ascend_install.info", detail="names a package that is gone")
        )
    if installed.driver is False and not isinstance(installed.modules, Unknown) and installed.modules:
        names = ", ".join(installed.modules[:4])
        found.append(Leftover(kind="loaded-modules", path=f"/sys/module/{installed.modules[0]}", detail=names))
    return found


def _cann(cann: CannFiles | Unknown) -> list[Leftover]:
    if isinstance(cann, Unknown):
        return []
    found = [Leftover(kind="orphan-cann", path=path, detail="no install record in it") for path in cann.orphans]
    found += [Leftover(kind="dangling-link", path=path) for path in cann.dangling]
    if cann.recorded and not isinstance(cann.installs, Unknown) and not cann.installs:
        detail = "names an installation that is gone"
        found.append(Leftover(kind="cann-install-info", path="/etc/Ascend/ascend_cann_install.info", detail=detail))
    return found


def _lines(sources: Evidence) -> list[Leftover]:
    rows = (line.split(" ", 2) for line in lines(sources.text) if line.startswith("gone ")) if sources.ok else ()
    return [
        Leftover(kind="shell-line", path=row[1], detail=f"reads {row[2]}, which is gone")
        for row in rows
        if len(row) == 3
    ]
