"""Which tools are on the host, and its Pythons: the probe's `tools` (NAME=yes|no) and `pythons` (PATH Python V)."""

from __future__ import annotations

import re

from ascend_provision.evidence.reading import Reading, absent, lines, pairs, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown

_VERSION = re.compile(r"\d+(\.\d+)*")
_PYTHON = re.compile(r"(/\S+) Python (\d+\.\S+)")


def parse(evidence: Evidence) -> Reading[dict[str, bool] | Unknown]:
    """Tool -> is it there."""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    found = {name: value == "yes" for name, value in pairs(evidence.text).items() if value in {"yes", "no"}}
    return Reading(found or Unknown(unknown="tools: nothing in it"))


def parse_pythons(evidence: Evidence) -> Reading[dict[str, str] | Unknown]:
    """Path -> version. An empty dict is a host without Python. A wrapper that only complains is no Python."""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    return Reading({match[1]: match[2] for line in lines(evidence.text) if (match := _PYTHON.fullmatch(line.rstrip()))})


def parse_compiler(evidence: Evidence) -> Reading[str | Unknown | None]:
    """The version of the installed gcc (`gcc -dumpfullversion -dumpversion`); None when there is none."""
    if absent(evidence):
        return Reading(None)
    if (why := silence(evidence)) is not None:
        return Reading(why)
    said = evidence.text.strip()
    return Reading(said if _VERSION.fullmatch(said) else Unknown(unknown=f"gcc: {said[:80]!r} is not a version"))
