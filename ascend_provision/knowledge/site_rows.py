"""A site's own rows: the same columns as the published tables, in the site's file; they override what is published."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml
from pydantic import ValidationError

from ascend_provision.knowledge.statements import Statement
from ascend_provision.stack.errors import UsageError


def site_rows(text: str, name: str) -> tuple[Statement, ...]:
    """The rows of file `name`: a list under `rows`, `says` in a row or at the head; UsageError names row and field."""
    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise _refused(name, "", " ".join(str(error).split())) from error
    if not isinstance(document, dict) or not isinstance(document.get("rows"), list):
        raise _refused(name, "", "no list under `rows`")
    if extra := sorted(map(str, set(document) - {"rows", "says"})):
        raise _refused(name, "", f"unknown field at the head: {', '.join(extra)}")
    return tuple(_validated(document, name))


def _validated(document: dict[str, Any], name: str) -> Iterator[Statement]:
    for number, raw in enumerate(document["rows"], start=1):
        if not isinstance(raw, dict):
            raise _refused(name, f", row {number}", "a row is a map of components to versions")
        head = {"says": document["says"]} if "says" in document else {}
        given = {"source": name, "confidence": "documented", "kind": "site", **head, **raw, "site": True, "file": name}
        try:
            yield Statement.model_validate(given)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"])) or "row"
            raise _refused(name, f", row {number}, field {field}", first["msg"]) from error


def _refused(name: str, where: str, why: str) -> UsageError:
    return UsageError(
        f"{name}{where}: {why}",
        code="site-matrix",
        why=why,
        next_action="a row is, for example: {mindspore: 2.7.1, cann: 8.3.RC1, says: compatible, note: tried}",
    )
