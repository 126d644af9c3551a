"""Environment variables by level: which allocator keys an HDK and the torch_npu of a host allow, and why.

An allocator key that torch_npu does not know aborts every job, so what is not known to be safe is left out.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from ascend_provision.knowledge import env_variables, feature_floors, patterns, rows
from ascend_provision.knowledge.components import Component
from ascend_provision.knowledge.feature_floors import Floor
from ascend_provision.knowledge.frameworks import torch_npu_series
from ascend_provision.stack.model import Noun
from ascend_provision.stack.versions import FrameworkVersion, HdkVersion

ALLOCATOR = "PYTORCH_NPU_ALLOC_CONF"
EXPANDABLE = "expandable_segments"
_SERIES: Component = "torch_npu_series"


class AllocatorKey(rows.Row):
    """A key of PYTORCH_NPU_ALLOC_CONF: its values, and what it cannot stand beside while True.

    Who knows it and where it works is in feature_floors, where it is published.
    A number is at least `minimum`, above `above`, below `below`, at most `maximum`; `words` are the only values.
    """

    key: str
    excludes: tuple[str, ...] = ()
    minimum: float | None = None
    above: float | None = None
    below: float | None = None
    maximum: float | None = None
    words: tuple[str, ...] = ()
    example: str


class Workaround(rows.Row):
    key: str
    value: str


class SetEnv(rows.Row):
    path: str


class EnvProfile(Noun):
    """What a host's profile should set: variables, one reason a decision, and where the rules are published."""

    variables: dict[str, str]
    why: tuple[str, ...]
    sources: tuple[str, ...]


@functools.cache
def allocator_keys() -> tuple[AllocatorKey, ...]:
    """Every known allocator key."""
    return rows.table("env_rules", "allocator_keys", AllocatorKey)


@functools.cache
def allocator_variables() -> tuple[str, ...]:
    """The names the allocator reads its keys from; setting two of them is an error."""
    return tuple(rows.section("env_rules", "allocator_variables"))


@functools.cache
def workaround() -> Workaround:
    """What helps against fragmentation where expandable_segments does not exist."""
    return Workaround.model_validate(rows.section("env_rules", "workaround"))


def set_env_candidates() -> tuple[str, ...]:
    """CANN's environment scripts, newest layout first."""
    return tuple(row.path for row in rows.table("env_rules", "set_env", SetEnv))


def key(name: str) -> AllocatorKey | None:
    """The row of an allocator key, or None for one nobody published."""
    return next((row for row in allocator_keys() if row.key == name), None)


def known_to(name: str, torch_npu: FrameworkVersion) -> bool | None:
    """Does this torch_npu know the key? None when nobody says since when, its series is not known, or only a bound."""
    found, floor = torch_npu_series(torch_npu), feature_floors.floor(name)
    if found is None or floor is None or _SERIES not in floor.parts:
        return None
    if patterns.any_meant(_SERIES, floor.parts[_SERIES], str(found.series)):
        return True
    return False if found.exact else None


def in_range(row: AllocatorKey, text: str) -> bool:
    """Whether this may be the key's value, as far as a range or a list of words is published."""
    if row.words:
        return text in row.words
    value = env_variables.number(text)
    if value is None:
        return True
    return (
        (row.minimum is None or value >= row.minimum)
        and (row.above is None or value > row.above)
        and (row.below is None or value < row.below)
        and (row.maximum is None or value <= row.maximum)
    )


def range_of(row: AllocatorKey) -> str:
    """The range in words."""
    if row.words:
        return ", ".join(row.words)
    low = (
        f"{row.minimum:g} or more"
        if row.minimum is not None
        else f"above {row.above:g}"
        if row.above is not None
        else ""
    )
    high = (
        f"at most {row.maximum:g}"
        if row.maximum is not None
        else f"below {row.below:g}"
        if row.below is not None
        else ""
    )
    return ", ".join(part for part in (low, high) if part)


def settings(text: str) -> dict[str, str]:
    """`a:1,b:2` as the allocator reads it, later keys winning; a word without a colon has an empty value."""
    parts = (part.partition(":") for part in text.split(",") if part.strip())
    return {name.strip(): value.strip() for name, _, value in parts}


def profile(hdk: HdkVersion | None, torch_npus: Sequence[FrameworkVersion | None]) -> EnvProfile:
    """The allocator setting valid for every torch_npu found on a host at this HDK; None is one not understood."""
    floor = _floor(EXPANDABLE)
    if not torch_npus:
        return _nothing("no torch_npu on this host: the allocator is left alone")
    if None in torch_npus:
        return _nothing("the version of a torch_npu could not be read: no allocator key is safe for it")
    found = [version for version in torch_npus if version is not None]
    names = ", ".join(sorted({str(version) for version in found}))
    if hdk is None:
        return _nothing("the HDK is not known: no allocator key is set")
    works = patterns.any_meant("hdk", floor.parts["hdk"], str(hdk))
    if works is None:
        return _nothing(f"no order is published between HDK {hdk} and the {floor.lowest('hdk')} of {EXPANDABLE}")
    if works:
        if all(known_to(EXPANDABLE, version) for version in found):
            return EnvProfile(
                variables={ALLOCATOR: f"{EXPANDABLE}:True"},
                why=(
                    f"{EXPANDABLE} works from HDK {floor.lowest('hdk')} (this is {hdk}) and is known to torch_npu of "
                    f"series {floor.lowest(_SERIES)} and newer (found {names})",
                ),
                sources=(floor.cited,),
            )
        return _nothing(
            f"torch_npu {names}: not every one is known to be of series {floor.lowest(_SERIES)} or newer, "
            f"and an older one aborts on {EXPANDABLE}"
        )
    return _below(hdk, found, names, floor)


def _below(hdk: HdkVersion, found: list[FrameworkVersion], names: str, floor: Floor) -> EnvProfile:
    """An HDK without expandable segments: split large blocks less, and say False only to who knows the key."""
    helps = workaround()
    if not all(known_to(helps.key, version) for version in found):
        return _nothing(
            f"torch_npu {names} on HDK {hdk}: not every one is known to read {ALLOCATOR} "
            f"(series {_floor(ALLOCATOR).lowest(_SERIES)} and newer do), so it is not set"
        )
    value = f"{helps.key}:{helps.value}"
    why = [f"HDK {hdk} has no {EXPANDABLE} (from {floor.lowest('hdk')} on); {value} keeps large blocks whole instead"]
    if all(known_to(EXPANDABLE, version) for version in found):
        value += f",{EXPANDABLE}:False"
        why.append(f"{EXPANDABLE}:False is said aloud, because every torch_npu found ({names}) knows the key")
    else:
        why.append(f"{EXPANDABLE} is not written at all: not every torch_npu found ({names}) knows the key")
    return EnvProfile(variables={ALLOCATOR: value}, why=tuple(why), sources=(helps.cited, floor.cited))


def _floor(name: str) -> Floor:
    row = feature_floors.floor(name)
    if row is None:
        raise rows.broken("data/feature_floors.yaml", f"no row for {name}")
    return row


def _nothing(why: str) -> EnvProfile:
    return EnvProfile(variables={}, why=(why,), sources=(_floor(EXPANDABLE).cited,))
