"""The rows of the matrix: what a source says about some components at some versions."""

from __future__ import annotations

import functools
from typing import Any, Literal

from pydantic import model_validator

from ascend_provision.knowledge import patterns, rows
from ascend_provision.knowledge.components import Component, named, title

Says = Literal["matched", "compatible", "incompatible", "needs"]
"""matched: released and tested together; compatible, incompatible: printed as such; needs: the first component needs
the others to be so, anything else does not work with it."""


class Statement(rows.Row):
    """One row. `parts` are patterns by component, the first one is the subject; `chips` empty means all.

    `kind` is the table it stands in, `date` that of its newest source (YYYY-MM-DD or YYYY-MM), where one has a date.
    `site` marks a row of a site's own `file`.
    """

    kind: str
    parts: dict[Component, rows.Keys]
    says: Says
    chips: tuple[str, ...] = ()
    date: str = ""
    site: bool = False
    file: str = ""

    @model_validator(mode="before")
    @classmethod
    def _columns_are_components(cls, value: Any) -> Any:
        """A data row writes its parts as columns: {cann: 8.5.0, hdk: 25.5.0}."""
        if not isinstance(value, dict) or "parts" in value:
            return value
        parts = {component: value[key] for key in value if (component := _column(key))}
        return {**{key: value[key] for key in value if not _column(key)}, "parts": parts}

    @model_validator(mode="after")
    def _patterns_are_understood(self) -> Statement:
        if len(self.parts) < 2:
            raise ValueError("a row needs at least two components")
        for component, written in self.parts.items():
            for pattern in written:
                if not patterns.understood(component, pattern):
                    raise ValueError(f"{component}: {pattern!r} is no version or pattern of {title(component)}")
        return self

    @property
    def subject(self) -> Component:
        """The component the row is about."""
        return next(iter(self.parts))

    @property
    def cited(self) -> str:
        return f"site's row, {self.file}" if self.site else super().cited

    @property
    def public(self) -> bool:
        return self.site or super().public

    def covers(self, chip: str) -> bool:
        """Whether the row speaks of this chip; of an unnamed one ("") every row may speak."""
        return not self.chips or not chip or chip in self.chips

    def __str__(self) -> str:
        """The row in words: `CANN 8.5.0 with HDK 25.5.0`."""
        words = (f"{title(component)} {' or '.join(written)}" for component, written in self.parts.items())
        return " with ".join(words)


def _column(key: object) -> Component | None:
    return named(key) if isinstance(key, str) else None


@functools.cache
def known() -> tuple[Statement, ...]:
    """Every row of data/statements/*.yaml; `says` at the head of a file goes for its rows that do not say otherwise."""
    found: list[Statement] = []
    for name in rows.files("statements"):
        says = rows.section(name, "says")
        raw = [{"says": says, "kind": name.partition("/")[2], **row} for row in rows.section(name, "rows")]
        of_file = rows.validated(f"data/{name}.yaml", raw, Statement)
        found.extend(row.model_copy(update={"date": row.dated}) for row in of_file)
    return tuple(found)
