"""Features that can be wished for by name: the HDK and the torch_npu they need."""

from __future__ import annotations

from collections.abc import Iterable

from ascend_provision.knowledge import env_rules, features
from ascend_provision.knowledge.components import Component
from ascend_provision.knowledge.solution import Part, Want
from ascend_provision.knowledge.tables import Tables
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.versions import FrameworkVersion, HdkVersion


def names() -> tuple[str, ...]:
    """Every feature with a published first HDK or first torch_npu series."""
    return (*(row.key for row in env_rules.allocator_keys()), *(row.name for row in features.known()))


def wants(name: str, tables: Tables, parts: tuple[Part, ...]) -> tuple[Want, ...]:
    """What the feature asks of each component. torch_npu is asked only where there is one: without it nothing reads
    the key. Raises UsageError for a feature nobody listed."""
    row = env_rules.key(name)
    if row is None:
        feature = next((one for one in features.known() if one.name == name), None)
        if feature is None:
            raise UsageError(f"there is no feature `{name}`", code="feature-unknown", next_action=", ".join(names()))
        return (_hdk(name, feature.hdk_since, feature.cited, tables, parts),)
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
