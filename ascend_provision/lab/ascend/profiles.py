"""The products the lab can wear: chips, PCI functions, names, network rule, worn kernel.

Data and sources are in `data/profiles.yaml`. Memory is in MB, power in W, temperature in degrees Celsius.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal

import yaml
from pydantic import Field, ValidationError

from ascend_provision.lab.ascend.facts import Confidence, Fact, Record, SourceKeys, check_sources
from ascend_provision.lab.errors import LabError


class ByArch(Record):
    """A text that differs between the server's two architectures."""

    aarch64: Fact[str]
    x86_64: Fact[str]

    def fact(self, arch: str) -> Fact[str]:
        """The fact for `arch` (anything but aarch64 is worn as x86_64)."""
        return self.aarch64 if arch == "aarch64" else self.x86_64


class Buses(Record):
    """PCI bus of each function in chip order, which is not PCI order. Chips of one card may share a function."""

    aarch64: Fact[list[str]]
    x86_64: Fact[list[str]]

    def value(self, arch: str) -> list[str]:
        """Bus numbers (two hex digits) for `arch`."""
        return (self.aarch64 if arch == "aarch64" else self.x86_64).value


class Pci(Record):
    """Identity of one NPU's PCI function, as sysfs prints it."""

    vendor: str
    device: str
    subsystem_vendor: str
    subsystem_device: str
    revision: str
    class_code: str = Field(alias="class")


class Component(Record):
    """A firmware part that upgrade-tool lists: its number and name."""

    type: int
    name: str


class Module(Record):
    """A kernel module of the host driver: size in bytes and what it builds on."""

    name: str
    size: int
    depends: list[str]


class Modules(Record):
    """The host driver's kernel modules in load order."""

    confidence: Confidence
    source: SourceKeys
    value: list[Module]


class Profile(Record):
    """One product.

    `chip` is what the host's hardware says (910, 910b, 910_93, 310p), `package_token` how firmware packages spell it
    (A3 for a 910_93). Lists with one value a chip (`ddr_total_mb`) are in order of the chips' logic ids;
    `idle_hbm_mb` has one value for each chip of an NPU; `idle_power_w` None prints NA.
    """

    name: str
    title: str
    family: Fact[Literal["A1", "A2", "A3", "310P"]]
    chip: Fact[str]
    package_token: Fact[str]
    chip_name: ByArch
    names_printed: Fact[list[str]]
    cores: Fact[int]
    product_name: ByArch
    pci: Fact[Pci]
    npu_ids: Fact[list[int]]
    chips_per_npu: Fact[int]
    buses: Buses
    ddr_total_mb: Fact[list[int]]
    ddr_used_mb: Fact[int]
    hbm_total_mb: Fact[int]
    idle_hbm_mb: Fact[list[int]]
    idle_power_w: Fact[float | None]
    idle_temp_c: Fact[int]
    board_id: Fact[str]
    mcu_row: Fact[bool]
    nic_ports: Fact[int]
    port_speed_mbps: Fact[int]
    npu_subnets: Fact[int]
    static_arp: Fact[bool]
    ranks: Fact[list[int]]
    upgrade_components: Fact[list[Component]]
    host_kernel: ByArch
    older_kernel: ByArch
    newer_kernel: ByArch
    aicore_mhz: Fact[int]
    job_hbm_mb: Fact[int]
    board_product: Fact[str]
    factory_firmware: Fact[str]

    @property
    def chips(self) -> int:
        """How many chips the server has; each is a device `davinciN` of its own."""
        return len(self.npu_ids.value) * self.chips_per_npu.value

    def place(self, logic: int) -> tuple[int, int]:
        """NPU id and chip id of the chip with that logic id."""
        card, chip = divmod(logic, self.chips_per_npu.value)
        return self.npu_ids.value[card], chip

    def bus(self, logic: int, arch: str) -> str:
        """PCI bus of that chip: its own function's, or its card's where one function carries all chips of a card."""
        buses = self.buses.value(arch)
        return buses[logic * len(buses) // self.chips]


class Book(Record):
    """The whole file."""

    schema_version: Literal[1] = Field(alias="schema")
    sources: dict[str, str]
    profiles: list[Profile]
    modules: Modules


@cache
def book() -> Book:
    """The profiles, checked; ValueError names the file and field of a bad row."""
    path = resources.files("ascend_provision.lab.ascend") / "data" / "profiles.yaml"
    raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    try:
        read = Book.model_validate(raw)
    except ValidationError as bad:
        raise ValueError(f"{path}: {bad}") from bad
    check_sources(raw, set(read.sources), str(path))
    return read


def modules() -> list[Module]:
    """The host driver's kernel modules in load order."""
    return book().modules.value


def names() -> list[str]:
    """Profile names in file order."""
    return [p.name for p in book().profiles]


def get(name: str) -> Profile:
    """The profile `name`; LabError lists the published ones."""
    for profile in book().profiles:
        if profile.name == name:
            return profile
    raise LabError(
        what=f"profile {name!r} is not published",
        code="lab-profile-unpublished",
        next=f"use one of: {', '.join(names())}",
    )
