"""A published fact: a value, how sure it is, and where it was published.

The lab's data files are made of these, so that a reader (and docs/lab-hardware.md) can tell a captured
behaviour from an assumed one.
"""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

Confidence = Literal["captured", "documented", "inferred", "assumed"]
SourceKeys = Annotated[list[str], Field(min_length=1)]
T = TypeVar("T")


class Record(BaseModel):
    """A frozen row of a data file; an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Fact(Record, Generic[T]):
    """One value with its confidence and the keys of its public sources."""

    value: T
    confidence: Confidence
    source: SourceKeys
    note: str | None = None


def check_sources(node: Any, known: set[str], where: str) -> None:
    """ValueError for a `source:` key anywhere below `node` that `known` does not list."""
    if isinstance(node, dict):
        keys = node.get("source")
        if isinstance(keys, list):
            for key in keys:
                if key not in known:
                    raise ValueError(f"{where}: source {key!r} is not listed under sources")
        for value in node.values():
            check_sources(value, known, where)
    elif isinstance(node, list):
        for value in node:
            check_sources(value, known, where)
