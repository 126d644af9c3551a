"""Features that can be wished for by name, and the versions they need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ascend_provision.knowledge import feature_floors, frameworks, patterns
from ascend_provision.knowledge.components import Component, title
from ascend_provision.knowledge.feature_floors import Floor
from ascend_provision.knowledge.solution import Part, Want
from ascend_provision.knowledge.tables import Tables
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.versions import FrameworkVersion

_OF_THE_HOST: tuple[Component, ...] = ("hdk", "cann")
"""Asked of every stack; other components only where the stack has them: without them nothing uses the feature."""


def wants(name: str, tables: Tables, parts: tuple[Part, ...]) -> tuple[Want, ...]:
    """What the feature asks of each component. torch_npu is asked only where there is one: without it nothing reads
    the key. Raises UsageError for a feature nobody listed."""
    if name not in feature_floors.names():
        known = ", ".join(feature_floors.names())
        raise UsageError(f"there is no feature `{name}`", code="feature-unknown", next_action=known)
    floor = feature_floors.floor(name, tables.chip)
    if floor is None:
        raise UsageError(
            f"`{name}` is not published for {tables.chip}",
            code="feature-unknown",
            next_action="ask for a chip it is published for, or for the versions you want instead of the feature",
        )
    return tuple(_of_floor(floor, tables, parts))


def _of_floor(floor: Floor, tables: Tables, parts: tuple[Part, ...]) -> Iterator[Want]:
    for component, written in floor.parts.items():
        asked: Component = "torch_npu" if component == "torch_npu_series" else component
        if asked in _OF_THE_HOST or any(part.component == asked for part in parts):
            fits = [text for text in _known(asked, tables, parts) if _meets(floor, component, text)]
            why = f"{floor.name} needs {title(component)} {' or '.join(written)}"
            yield Want(text=floor.name, component=asked, versions=tuple(fits), why=why, source=floor.cited)


def _meets(floor: Floor, component: Component, text: str) -> bool:
    if component == "torch_npu_series":
        series = frameworks.torch_npu_series(FrameworkVersion(text))
        return series is not None and patterns.any_meant(component, floor.parts[component], str(series.series)) is True
    return patterns.any_meant(component, floor.parts[component], text) is True


def _known(component: Component, tables: Tables, parts: Iterable[Part]) -> tuple[str, ...]:
    installed = [part.version for part in parts if part.component == component and part.version is not None]
    return tuple(dict.fromkeys([*installed, *tables.candidates(component)]))
