"""Facts about the lab's packages that `ascend/data/stacks.yaml` does not carry. Data in `data/releases.yaml`."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal

import yaml
from pydantic import Field, ValidationError

from ascend_provision.lab.ascend.facts import Fact, Record, check_sources


class Kernels(Record):
    """Kernel releases a driver package carries modules for, by architecture."""

    aarch64: Fact[list[str]]
    x86_64: Fact[list[str]]


class NeedsMb(Record):
    """Free space each package asks for, in MB."""

    driver: Fact[int]
    firmware: Fact[int]
    toolkit: Fact[int]
    kernels: Fact[int]
    ops: Fact[int]


class Releases(Record):
    """The whole file."""

    schema_version: Literal[1] = Field(alias="schema")
    sources: dict[str, str]
    prebuilt_kernels: dict[str, Kernels]
    needs_mb: NeedsMb
    components: Fact[list[str]]
    version_cfg: Fact[list[str]]
    kernels_go_with_toolkit: dict[str, Fact[bool]]
    python_names: Fact[str]

    def prebuilt(self, chip: str, arch: str) -> list[str]:
        """Kernel releases for which the driver of `chip` needs no build."""
        kernels = self.prebuilt_kernels[chip]
        return (kernels.aarch64 if arch == "aarch64" else kernels.x86_64).value


@cache
def book() -> Releases:
    """The file, checked; ValueError names the field of a bad row."""
    path = resources.files("ascend_provision.lab.packages") / "data" / "releases.yaml"
    raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    try:
        read = Releases.model_validate(raw)
    except ValidationError as bad:
        raise ValueError(f"{path}: {bad}") from bad
    check_sources(raw, set(read.sources), str(path))
    return read
