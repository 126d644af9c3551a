"""What a row writes in a column: one version, a line, a floor, a range; and whether a version is meant by it.

`8.5.0` that version, `8.5.X` its line, `>=23.0.0` or `>=3.10,<3.13` bounds, `3.9-3.11` from … to (the last one with
its patches), `*` any, `=cann` the version that the other component has. For Python packages the words are those of
`packaging`, which is right about them; the vendor's own numbers are ordered by knowledge.lines.
"""

from __future__ import annotations

import functools
import re

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version as Pep440

from ascend_provision.knowledge import lines
from ascend_provision.knowledge.components import Component, kind, named, parse
from ascend_provision.stack.versions import FrameworkVersion, Version

ANY = "*"
_LINE = re.compile(r"(\d+(?:\.\d+)*)\.[Xx]")
_RANGE = re.compile(r"(\d[^\s-]*\.[^\s-]*)-(\d+\.\S*)")
_BOUND = re.compile(r"(>=|<=|>|<)\s*(\S+)")
_HOLDS: dict[str, frozenset[lines.Order]] = {
    ">=": frozenset({"newer", "same"}),
    "<=": frozenset({"older", "same"}),
    ">": frozenset({"newer"}),
    "<": frozenset({"older"}),
}


@functools.lru_cache(maxsize=4096)
def same_as(pattern: str) -> Component | None:
    """The component whose version the pattern repeats: `=cann`; None for every other pattern."""
    return named(pattern[1:]) if pattern.startswith("=") else None


@functools.lru_cache(maxsize=16384)
def exact(component: Component, pattern: str) -> Version | None:
    """The one version the pattern names; None when it names several."""
    return None if _RANGE.fullmatch(pattern) else kind(component).maybe(pattern)


def example(pattern: str) -> str:
    """A version that the pattern means, where it is not `*` or another component's: its own text, or its lower end."""
    if found := _LINE.fullmatch(pattern):
        return f"{found[1]}.0" if "." in found[1] else f"{found[1]}.0.0"
    if found := _RANGE.fullmatch(pattern):
        return found[1]
    bound = _BOUND.fullmatch(pattern.partition(",")[0].strip())
    return bound[2] if bound else pattern


def understood(component: Component, pattern: str) -> bool:
    """Whether the pattern follows the grammar for this component."""
    if pattern == ANY or same_as(pattern) is not None or exact(component, pattern) is not None:
        return True
    if _LINE.fullmatch(pattern):
        return True
    if found := _RANGE.fullmatch(pattern):
        return all(kind(component).maybe(end) is not None for end in found.groups())
    bounds = [_BOUND.fullmatch(part.strip()) for part in pattern.split(",")]
    return all(bound is not None and kind(component).maybe(bound[2]) is not None for bound in bounds)


@functools.lru_cache(maxsize=262144)
def any_meant(component: Component, written: tuple[str, ...], version: str, *, patches: bool = False) -> bool | None:
    """Whether one of a column's patterns means this version, as `meant` says."""
    found = {_meant(component, pattern, version, patches) for pattern in written}
    return True if True in found else None if None in found else False


def meant(component: Component, pattern: str, version: Version, *, patches: bool = False) -> bool | None:
    """Whether the pattern means this version; None where no order is published between them.

    With `patches` a release stands for its patches too: 25.0.rc1 means 25.0.rc1.1.
    """
    return _meant(component, pattern, str(version), patches)


@functools.lru_cache(maxsize=262144)
def _meant(component: Component, pattern: str, text: str, patches: bool) -> bool | None:
    if pattern == ANY:
        return True
    version = parse(component, text)
    if isinstance(version, FrameworkVersion):
        return _python_package(component, pattern, text)
    wanted = exact(component, pattern)
    if wanted is not None:
        return version == wanted or (patches and _below(text, pattern))
    if found := _LINE.fullmatch(pattern):
        return _below(text, found[1])
    if found := _RANGE.fullmatch(pattern):
        low, high = found.groups()
        from_low = _bound(component, version, ">=", low)
        to_high = True if _below(text, high) else _bound(component, version, "<=", high)
        return _both(from_low, to_high)
    result: bool | None = True
    for part in pattern.split(","):
        bound = _BOUND.fullmatch(part.strip())
        result = _both(result, _bound(component, version, bound[1], bound[2]) if bound else False)
    return result


def _below(text: str, prefix: str) -> bool:
    return text.lower().startswith(f"{prefix.lower()}.")


def _both(a: bool | None, b: bool | None) -> bool | None:
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def _bound(component: Component, version: Version, operator: str, end: str) -> bool | None:
    order = lines.order(component, version, kind(component)(end))
    return None if order == "incomparable" else order in _HOLDS[operator]


_pep440 = functools.lru_cache(maxsize=4096)(Pep440)


def _python_package(component: Component, pattern: str, text: str) -> bool:
    if exact(component, pattern) is not None:
        return _pep440(text) == _pep440(pattern) or _pep440(_pep440(text).public) == _pep440(pattern)
    if found := _LINE.fullmatch(pattern):
        return SpecifierSet(f"=={found[1]}.*").contains(text, prereleases=True)
    if found := _RANGE.fullmatch(pattern):
        low, high = found.groups()
        below = SpecifierSet(f"<={high}").contains(text, prereleases=True)
        return SpecifierSet(f">={low}").contains(text, prereleases=True) and (below or _below(text, high))
    try:
        return SpecifierSet(pattern).contains(text, prereleases=True)
    except InvalidSpecifier:
        return False
