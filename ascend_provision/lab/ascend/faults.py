"""The faults a lab host can have, by name: what each does, who acts it out, and where the field saw it.

A fault is a file /opt/ascend-lab/faults/NAME on the host whose content is its value (may be empty). The host's own
tool `lab-fault` writes it and does what must happen at once; everything else looks for the file when its time comes.
Nothing acts inside the product's process.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Literal

import yaml
from pydantic import Field, ValidationError

from ascend_provision.lab.ascend.facts import Record
from ascend_provision.lab.errors import LabError

LAB_FAULT = "/opt/ascend-lab/bin/lab-fault"
SYNC_COMMAND = (LAB_FAULT, "sync")  # on the host, as root, after files of the directory were written or removed

# who acts the fault out: the tools and the boot unit here, the packages' installers, their hccl_test, the launcher
Actor = Literal["tools", "boot", "installer", "hccl_test", "launcher"]


class Fault(Record):
    """One fault of the catalogue. `value` says what may follow NAME=, None where nothing may."""

    name: str
    does: str
    actors: list[Actor] = Field(min_length=1)
    value: str | None = None
    pattern: str | None = None
    case: str
    source: str


class Book(Record):
    """The whole file."""

    schema_version: Literal[1] = Field(alias="schema")
    faults: list[Fault]


@cache
def book() -> Book:
    """The catalogue, checked; ValueError names the file and field of a bad row."""
    path = resources.files("ascend_provision.lab.ascend") / "data" / "faults.yaml"
    try:
        return Book.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except ValidationError as bad:
        raise ValueError(f"{path}: {bad}") from bad


def names() -> list[str]:
    """Every fault's name, in file order."""
    return [fault.name for fault in book().faults]


def get(name: str) -> Fault:
    """The fault `name`; LabError lists the known ones."""
    for fault in book().faults:
        if fault.name == name:
            return fault
    raise LabError(
        code="lab-fault-unknown",
        what=f"there is no fault {name!r}",
        next=f"use one of: {', '.join(names())}",
    )


def parse(text: str) -> tuple[Fault, str]:
    """`NAME` or `NAME=VALUE` as a fault and its value; LabError for an unknown name or an unfit value."""
    name, _, value = text.partition("=")
    fault = get(name)
    if value and fault.value is None:
        raise LabError(
            code="lab-fault-value",
            what=f"fault {name} takes no value, not {value!r}",
            next=f"lab fault HOST {name}",
        )
    if value and fault.pattern is not None and not _fits(fault.pattern, value):
        raise LabError(
            code="lab-fault-value",
            what=f"fault {name} takes {fault.value}, not {value!r}",
            next=f"lab fault HOST {name}=VALUE with {fault.value}",
        )
    return fault, value


def _fits(pattern: str, value: str) -> bool:
    return re.fullmatch(pattern, value) is not None


def on_command(text: str) -> list[str]:
    """What to run on the host, as root, to turn the fault `NAME[=VALUE]` on. LabError as in `parse`."""
    fault, value = parse(text)
    return [LAB_FAULT, "on", fault.name, *([value] if value else [])]


def off_command(name: str) -> list[str]:
    """What to run on the host, as root, to turn the fault off. LabError for an unknown name."""
    return [LAB_FAULT, "off", get(name).name]
