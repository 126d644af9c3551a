"""The lowest versions that a feature needs, by the name people know it by."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from pydantic import model_validator

from ascend_provision.knowledge import patterns, rows
from ascend_provision.knowledge.components import Component, named, parse

PROCESS_TABLE = "npu-smi-process-table"
"""`npu-smi info` lists the processes on the cards."""


class Floor(rows.Row):
    """What one feature needs, on these chips (empty: on all); `parts` are patterns by component."""

    name: str
    parts: dict[Component, rows.Keys]
    chips: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _columns_are_components(cls, value: Any) -> Any:
        if not isinstance(value, dict) or "parts" in value:
            return value
        parts = {part: value[key] for key in value if key != "name" and (part := named(key))}
        return {**{key: value[key] for key in value if key == "name" or not named(key)}, "parts": parts}

    @model_validator(mode="after")
    def _patterns_are_understood(self) -> Floor:
        for component, written in self.parts.items():
            if not all(patterns.understood(component, pattern) for pattern in written):
                raise ValueError(f"{component}: {written} is no pattern")
        return self

    def lowest(self, component: Component) -> str:
        """The lowest version in words (`5.0.0`); "" where the feature asks nothing of this component."""
        return " or ".join(patterns.example(written) for written in self.parts.get(component, ()))


@functools.cache
def known() -> tuple[Floor, ...]:
    """Every feature with a floor."""
    return rows.table("feature_floors", "floors", Floor)


def names() -> tuple[str, ...]:
    """Every feature's name, once."""
    return tuple(dict.fromkeys(row.name for row in known()))


def floor(name: str, chip: str = "") -> Floor | None:
    """What the feature needs on this chip; None for an unlisted feature or one not listed for the chip."""
    return next((row for row in known() if row.name == name and (not row.chips or not chip or chip in row.chips)), None)


def chips(name: str) -> tuple[str, ...]:
    """The chips a feature is listed for; () for one that is listed for all, or not at all."""
    return tuple(dict.fromkeys(chip for row in known() if row.name == name for chip in row.chips))


def missing(name: str, versions: Mapping[Component, str], chip: str = "") -> tuple[Component, ...] | None:
    """Which of these components are too old for the feature; None when nobody says what it needs on this chip.

    A component that is not among `versions`, or has no order against the floor, is not called too old.
    """
    row = floor(name, chip)
    if row is None:
        return None
    return tuple(
        component
        for component, written in row.parts.items()
        if component in versions and _meant(component, written, versions[component]) is False
    )


def _meant(component: Component, written: tuple[str, ...], text: str) -> bool | None:
    return patterns.any_meant(component, written, str(parse(component, text)))
