"""Published facts as rows: every row carries its source and how sure we are; nothing loads without both."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from importlib import resources
from typing import Annotated, Any, Literal, TypeVar

import yaml
from pydantic import BeforeValidator, ValidationError

from ascend_provision.stack.errors import ProvisionError
from ascend_provision.stack.model import Noun

Confidence = Literal["captured", "vendor-source", "documented", "inferred", "assumed"]
"""captured: seen on a real host or in a shipped file; vendor-source: read in the vendor's code; documented: stated in
vendor or project documents; inferred: concluded here from such facts; assumed: nothing published says it."""


def _as_tuple(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Keys = Annotated[tuple[str, ...], BeforeValidator(_as_tuple)]
"""A list in the data, or a single word that stands for a list of one."""


class Source(Noun):
    """Where a fact can be looked up, and what sort of place it is; `public` is False for one nobody can open.

    `date` is that of the revision or package that was read (YYYY-MM-DD or YYYY-MM), empty where the place has none.
    """

    where: str
    kind: str
    public: bool = True
    date: str = ""


class Row(Noun):
    """One fact. `source` names keys of data/sources.yaml."""

    source: Keys
    confidence: Confidence
    note: str = ""

    @property
    def cited(self) -> str:
        """The sources in words, for a finding or an explanation."""
        return "; ".join(sources()[key].where for key in self.source)

    @property
    def dated(self) -> str:
        """The date of the newest of its sources; empty where none has one."""
        return max(sources()[key].date for key in self.source)

    @property
    def public(self) -> bool:
        """At least one source can be opened by the reader: only such a row may forbid something."""
        return any(sources()[key].public for key in self.source)


RowT = TypeVar("RowT", bound=Row)
NounT = TypeVar("NounT", bound=Noun)


def broken(where: str, why: str) -> ProvisionError:
    """The error for a data file of this package that does not hold to its schema."""
    return ProvisionError(
        f"broken knowledge: {where}",
        code="knowledge-broken",
        why=why,
        next_action="this is a defect of ascend-provision's data: reinstall it, or report the line above",
    )


@functools.cache
def _document(name: str) -> dict[str, Any]:
    text = resources.files("ascend_provision.knowledge").joinpath("data").joinpath(f"{name}.yaml").read_text("utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return dict(yaml.load(text, Loader=loader))  # noqa: S506 - a safe loader, the C one where it is built


def files(folder: str) -> tuple[str, ...]:
    """The names of the data files in data/<folder>, as `section` and `table` take them."""
    found = resources.files("ascend_provision.knowledge").joinpath("data").joinpath(folder).iterdir()
    return tuple(sorted(f"{folder}/{path.name.removesuffix('.yaml')}" for path in found if path.name.endswith(".yaml")))


def section(name: str, key: str) -> Any:
    """The raw value under `key` in data/<name>.yaml."""
    document = _document(name)
    if key not in document:
        raise broken(f"data/{name}.yaml", f"no section {key!r}")
    return document[key]


@functools.cache
def sources() -> dict[str, Source]:
    """data/sources.yaml by key."""
    return {key: Source.model_validate(value) for key, value in section("sources", "sources").items()}


def table(name: str, key: str, model: type[NounT]) -> tuple[NounT, ...]:
    """The rows under `key` in data/<name>.yaml, validated; unknown fields and unknown sources are errors."""
    return validated(f"data/{name}.yaml, {key}", section(name, key), model)


def validated(where: str, raw_rows: Iterable[Any], model: type[NounT]) -> tuple[NounT, ...]:
    """The rows as `model`; a broken one is named by `where` and its number, counted from 1."""
    found: list[NounT] = []
    for number, raw in enumerate(raw_rows, start=1):
        try:
            row = model.model_validate(raw)
        except ValidationError as error:
            raise broken(f"{where} row {number}", str(error)) from error
        if isinstance(row, Row) and (missing := [cited for cited in row.source if cited not in sources()]):
            raise broken(f"{where} row {number}", f"unknown source {', '.join(missing)}")
        found.append(row)
    return tuple(found)
