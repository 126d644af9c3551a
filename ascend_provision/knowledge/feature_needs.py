"""Features that can be wished for by name, and the versions they need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ascend_provision.knowledge import env_rules, feature_floors, features, frameworks, patterns
from ascend_provision.knowledge.components import Component, title
from ascend_provision.knowledge.feature_floors import Floor
from ascend_provision.knowledge.solution import Part, Want
from ascend_provision.knowledge.tables import Tables
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.versions import FrameworkVersion, HdkVersion

_OF_THE_HOST: tuple[Component, ...] = ("hdk", "cann")
"""Asked of every stack; other components only where the stack has them: without them nothing uses the feature."""


def names() -> tuple[str, ...]:
    """Every feature whose lowest versions are published."""
    keys = (row.key for row in env_rules.allocator_keys())
    return tuple(dict.fromkeys((*keys, *(row.name for row in features.known()), *feature_floors.names())))


def wants(name: str, tables: Tables, parts: tuple[Part, ...]) -> tuple[Want, ...]:
    """What the feature asks of each component. torch_npu is asked only where there is one: without it nothing reads
    the key. Raises UsageError for a feature nobody listed."""
    feature = next((one for one in features.known() if one.name == name), None)
    if feature is not None:
        return (_hdk(name, feature.hdk_since, feature.cited, tables, parts),)
    if name not in names():
        raise UsageError(f"there is no feature `{name}`", code="feature-unknown", next_action=", ".join(names()))
    if feature_floors.floor(name, tables.chip) is None and env_rules.key(name) is None:
        raise UsageError(
            f"`{name}` is not published for {tables.chip}",
            code="feature-unknown",
            next_action="ask for a chip it is published for, or for the versions you want instead of the feature",
        )
    found = {want.component: want for want in _of_floor(name, tables, parts)}
    found.update({want.component: want for want in _of_key(name, tables, parts)})
    return tuple(found.values())


def _of_floor(name: str, tables: Tables, parts: tuple[Part, ...]) -> Iterator[Want]:
    floor = feature_floors.floor(name, tables.chip)
    for component, written in floor.parts.items() if floor else ():
        asked: Component = "torch_npu" if component == "torch_npu_series" else component
        if floor and (asked in _OF_THE_HOST or any(part.component == asked for part in parts)):
            fits = [text for text in _known(asked, tables, parts) if _meets(floor, component, text)]
            why = f"{name} needs {title(component)} {' or '.join(written)}"
            yield Want(text=name, component=asked, versions=tuple(fits), why=why, source=floor.cited)


def _meets(floor: Floor, component: Component, text: str) -> bool:
    if component == "torch_npu_series":
        series = frameworks.torch_npu_series(FrameworkVersion(text))
        return series is not None and patterns.any_meant(component, floor.parts[component], str(series.series)) is True
    return patterns.any_meant(component, floor.parts[component], text) is True


def _of_key(name: str, tables: Tables, parts: tuple[Part, ...]) -> tuple[Want, ...]:
    row = env_rules.key(name)
    if row is None:
        return ()
    found = [] if row.hdk_since is None else [_hdk(name, row.hdk_since, row.cited, tables, parts)]
    if any(part.component == "torch_npu" for part in parts):
        fits = [text for text in _known("torch_npu", tables, parts) if _reads(row, text)]
        why = f"{name} is known to torch_npu of series {row.series_since} and newer"
        found.append(Want(text=name, component="torch_npu", versions=tuple(fits), why=why, source=row.cited))
    return tuple(found)


def _reads(row: env_rules.AllocatorKey, torch_npu: str) -> bool:
    version = FrameworkVersion.maybe(torch_npu)
    return version is not None and env_rules.known_to(row, version) is True


def _hdk(name: str, since: HdkVersion, source: str, tables: Tables, parts: tuple[Part, ...]) -> Want:
    fits = [text for text in _known("hdk", tables, parts) if HdkVersion(text) >= since]
    return Want(
        text=name, component="hdk", versions=tuple(fits), why=f"{name} works from HDK {since} on", source=source
    )


def _known(component: Component, tables: Tables, parts: Iterable[Part]) -> tuple[str, ...]:
    installed = [part.version for part in parts if part.component == component and part.version is not None]
    return tuple(dict.fromkeys([*installed, *tables.candidates(component)]))
