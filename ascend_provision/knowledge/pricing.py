"""What another version of a part costs.

The order of costs: another reboot (a stopover), a reboot (driver or firmware), CANN, Python packages; then fewer
changed parts, fewer test builds, and the smallest step in version, first of the HDK, then of CANN, then of packages.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from packaging.version import Version as Pep440

from ascend_provision.knowledge import lines
from ascend_provision.knowledge.components import Component, kind, parse
from ascend_provision.knowledge.search import Price
from ascend_provision.stack.versions import FrameworkVersion, Version

HDK: tuple[Component, ...] = ("hdk", "firmware")
CANN: tuple[Component, ...] = ("cann", "kernels", "nnal")
_STOPOVER, _REBOOT, _CANN, _PACKAGES = 8, 4, 2, 1
_FREE = Price(0, 0)
_WIDTH = 24
"""Bits for one of the numbers that add up: a sum over every part of a host stays below."""


def dearness(component: Component) -> int:
    """0 for what costs a reboot, 1 for CANN and what comes with it, 2 for Python packages."""
    return 0 if component in HDK else 1 if component in CANN else 2


@functools.lru_cache(maxsize=4096)
def prices(
    component: Component, versions: tuple[str, ...], now: int | None, *, told: bool, stopover: str | None
) -> tuple[Price, ...]:
    """The price of each version of a part that is at number `now`; None where it is not there.

    Of a part that nobody told (`told` False) every version is free, and the newest comes first.
    """
    level = dearness(component)
    first = parse("hdk", stopover) if stopover is not None and component == "hdk" else None
    found = []
    for n, version in enumerate(versions):
        trial = int(_is_trial(component, version))
        step = abs(n - now) if now is not None else len(versions) - 1 - n
        down = int(now is not None and n < now)
        steps = tuple(2 * step + down if level == mine else 0 for mine in range(3))
        if n == now:
            found.append(_FREE)
        elif not told:
            found.append(Price(0, _one_number(0, 0, 0, 0, 0, trial, step)))
        else:
            again = first is not None and parse("hdk", version) != first
            once = (_REBOOT | (_STOPOVER if again else 0), _CANN, _PACKAGES)[level]
            found.append(Price(once, _one_number(1, trial, *steps, 0, 0)))
    return tuple(found)


def _one_number(*each: int) -> int:
    """Numbers that add up as one that sorts as they do, the first the dearest."""
    return functools.reduce(lambda sofar, number: sofar << _WIDTH | number, each, 0)


@functools.lru_cache(maxsize=4096)
def in_order(component: Component, texts: tuple[str, ...]) -> tuple[str, ...]:
    """The versions oldest first, each once; those of another product line stand together."""
    found: dict[Version, str] = {}
    for text in texts:
        found.setdefault(parse(component, text), text)
    return tuple(text for _, text in sorted(found.items(), key=_position(component)))


def index(component: Component, versions: tuple[str, ...], version: str) -> int | None:
    """The number of a version among the others; None when it is not there."""
    wanted = parse(component, version)
    return next((n for n, text in enumerate(versions) if parse(component, text) == wanted), None)


def _position(component: Component) -> Callable[[tuple[Version, str]], Any]:
    def compare(one: tuple[Version, str], other: tuple[Version, str]) -> int:
        order = lines.order(component, one[0], other[0])
        if order == "incomparable":
            mine, theirs = lines.line(component, one[1]), lines.line(component, other[1])
            return -1 if (mine, one[1]) < (theirs, other[1]) else 1
        return {"older": -1, "same": 0, "newer": 1}[order]

    return functools.cmp_to_key(compare)


def _is_trial(component: Component, version: str) -> bool:
    """A test build: alpha, T and .b builds of the vendor's numbers; pre- and dev releases of Python packages."""
    if issubclass(kind(component), FrameworkVersion):
        return Pep440(version).is_prerelease
    text = version.lower()
    return "alpha" in text or ".t" in text or ".b" in text.replace(".beta", "")
