"""MPI: the `mpirun` found, whose it is, and the installation with `mpi.h` that belongs to it.

`mpirun --version` prints "mpirun (Open MPI) 4.1.4" or MPICH's Hydra "Version: 4.0.2".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ascend_provision.evidence.reading import Reading, absent, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown

_OPEN_MPI = re.compile(r"\(Open ?MPI\) (\d[\w.]*)")
_HYDRA = re.compile(r"^\s*Version:\s+(\d[\w.]*)", re.MULTILINE)
_FAMILY = re.compile(r"open-?mpi|orterun|mpich|hydra", re.IGNORECASE)


@dataclass(frozen=True)
class Mpi:
    """`mpirun` None: not installed; `home` None: no `mpi.h` of that MPI, so nothing can be built with it."""

    mpirun: str | Unknown | None
    home: str | Unknown | None
    name: str | Unknown | None


def parse(places: Evidence, version: Evidence) -> Reading[Mpi]:
    """The first mpirun of the search path, else of the usual places."""
    if (why := silence(places)) is not None:
        return Reading(Mpi(why, why, why))
    rows = [line.partition("=") for line in lines(places.text)]
    launchers = [value.split(" ", 1) for key, _, value in rows if key == "mpirun"]
    if not launchers:
        return Reading(Mpi(None, None, None))
    mpirun, target = launchers[0][0], launchers[0][-1]
    name = _name(version)
    family = _family(name if isinstance(name, str) else "") or _family(target)
    homes = [value for key, _, value in rows if key == "home"]
    beside = mpirun.removesuffix("/bin/mpirun")
    own = [home for home in homes if home == beside or (family is not None and _family(home) == family)]
    return Reading(Mpi(mpirun, own[0] if own else None, name))


def _family(text: str) -> str | None:
    match = _FAMILY.search(text)
    return None if match is None else ("mpich" if match[0].lower() in {"mpich", "hydra"} else "openmpi")


def _name(evidence: Evidence) -> str | Unknown:
    if absent(evidence):
        return Unknown(unknown="mpirun is not on the search path")
    if (why := silence(evidence)) is not None:
        return why
    if match := _OPEN_MPI.search(evidence.text):
        return f"Open MPI {match[1]}"
    if (match := _HYDRA.search(evidence.text)) and "HYDRA" in evidence.text:
        return f"MPICH {match[1]}"
    return Unknown(unknown="mpirun --version: neither MPICH nor Open MPI")
