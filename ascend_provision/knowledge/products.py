"""Products: what a host's PCI ids say it is, and what follows from it (chip token, ranks, NIC rule).

Never derived from DMI or from the chip's printed name alone: "A800 9000 A2" is an A2, and `910B` without a digit is A1.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Literal

from ascend_provision.knowledge import rows
from ascend_provision.stack.facts import PciNpu

NicRule = Literal["four-subnets", "one-subnet", "dies-differ", "none"]
"""How NPU addresses must lie: A1 NPU n and n+4 share one of four; A2 all in one; A3 the two dies of an NPU differ."""


class Product(rows.Row):
    """One product line as its PCI functions show it.

    `chip` is the token of package names and `package_tokens` all its spellings (lower case); `names` is what npu-smi
    prints; `chips` the counts it is sold with; `ranks` the HCCL world sizes of one host; `nic` the rule its NPU
    addresses follow (no counts and no rule where nobody publishes them); `idle_hbm_mb` what an idle chip already uses
    at most (MiB); `chips_per_function` how many chips answer at one PCI function; `example` a line of `lspci -nn`.
    """

    id: str
    title: str
    family: Literal["A1", "A2", "A3", "A5", "310P", "310B", "310"]
    chip: str
    device: str
    package_tokens: tuple[str, ...]
    subsystems: tuple[str, ...]
    names: tuple[str, ...]
    chips: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    nic: NicRule | None = None
    idle_hbm_mb: int | None = None
    chips_per_function: int = 1
    example: str


class NameForm(rows.Row):
    """The form (a regular expression) of one family's chip names; `examples` are names that have it."""

    form: str
    family: str
    examples: tuple[str, ...]


@functools.cache
def known() -> tuple[Product, ...]:
    """Every product, as data/products.yaml lists them."""
    return rows.table("products", "products", Product)


@functools.cache
def name_forms() -> tuple[NameForm, ...]:
    """The forms of chip names, the narrower ones first."""
    return rows.table("products", "name_forms", NameForm)


@functools.cache
def hbm_slack_mb() -> int:
    """HBM beyond the idle figure that is not yet called held, MiB."""
    return int(rows.section("products", "hbm_slack_mb"))


def npus(pci: Sequence[PciNpu]) -> tuple[PciNpu, ...]:
    """Only the NPUs: Huawei's vendor id is also on its network cards and its management controller."""
    devices = {product.device for product in known()}
    return tuple(function for function in pci if function.device.lower() in devices)


def chips_at(function: PciNpu) -> int:
    """How many chips answer at that NPU's PCI function; 1 for a subsystem that no list names: it may be any card."""
    found = _match(function)
    return found.chips_per_function if found is not None and _subsystem(function) in found.subsystems else 1


def chip_count(pci: Sequence[PciNpu]) -> int:
    """How many chips the host's NPU functions should show."""
    return sum(chips_at(function) for function in npus(pci))


def identify(pci: Sequence[PciNpu]) -> Product | None:
    """The product whose ids all the host's NPUs have; None when there is no NPU or they are of more than one family.

    An unlisted subsystem id falls back to the first product of that PCI device: chip and family depend on it alone.
    """
    found = {product.id: product for function in npus(pci) if (product := _match(function))}
    families = {product.family for product in found.values()}
    return next(iter(found.values())) if len(families) == 1 else None


def _match(function: PciNpu) -> Product | None:
    same_device = [product for product in known() if product.device == function.device.lower()]
    exact = [product for product in same_device if _subsystem(function) in product.subsystems]
    return next(iter(exact or same_device), None)


def _subsystem(function: PciNpu) -> str:
    return f"{function.subsystem_vendor}:{function.subsystem_device}".lower()


def family_of_name(name: str) -> str | None:
    """The family of a chip name of npu-smi or CANN: 910B -> A1, 910B3 -> A2, Ascend910 -> A3, 310P3 -> 310P.

    A name in no list is known by its form: `910B` with a digit is an A2, without one an A1.
    """
    listed = next((product.family for product in known() if name in product.names), None)
    return listed or next((form.family for form in name_forms() if re.fullmatch(form.form, name)), None)


def of_names(names: set[str]) -> Product | None:
    """A product with chips of all these names; None when there is none, or names of several families.

    Which product of a family it is stays open; what follows from the chip is the same for all of them.
    """
    return next((product for product in known() if names and names <= set(product.names)), None)
