"""Versions as people type them: `driver=24.1.rc2.2 firmware=7.3.0.1.231 chip=910b`."""

from __future__ import annotations

from collections.abc import Sequence

from ascend_provision.knowledge import patterns, products, stopovers
from ascend_provision.knowledge.components import NAMES, Component, named, parse
from ascend_provision.knowledge.published_rows import published_rows
from ascend_provision.knowledge.solution import Part
from ascend_provision.knowledge.statements import Statement
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.model import Noun
from ascend_provision.stack.versions import FirmwareVersion

_EXAMPLE = "e.g. `mindspore=2.7.1 cann=8.2.RC1`, `driver=24.1.0 chip=910b`"


class Typed(Noun):
    """Versions by component, and the chip's package token; `chip` empty where none was told."""

    versions: dict[Component, str]
    chip: str = ""

    @property
    def stopover(self) -> str | None:
        """The release that the firmware told demands before any other; None when there is none."""
        told = (text for name, text in self.versions.items() if name == "firmware")
        return stopovers.demanded(self.chip, map(FirmwareVersion, told))

    def parts(self, keep: Sequence[str] = ()) -> tuple[Part, ...]:
        """As parts for the solver; those in `keep` are not to be changed."""
        fixed = {component(name) for name in keep}
        return tuple(
            Part(component=name, version=version, fixed=name in fixed) for name, version in self.versions.items()
        )


def read(words: Sequence[str]) -> Typed:
    """Read `name=version` words; raises UsageError naming the word it cannot read."""
    versions: dict[Component, str] = {}
    chip = ""
    for word in words:
        name, equals, value = (piece.strip() for piece in word.partition("="))
        if not equals or not value:
            raise UsageError(f"`{word}` is not NAME=VERSION", code="version-expected", next_action=_EXAMPLE)
        if name.lower() == "chip":
            chip = token(value)
            continue
        found = component(name)
        if found in versions:
            raise UsageError(f"`{name}` is told twice", code="version-twice", next_action=_EXAMPLE)
        parse(found, value)
        versions[found] = value
    return Typed(versions=versions, chip=chip)


def component(name: str) -> Component:
    """The component of a typed name; raises UsageError with the names there are."""
    found = named(name)
    if found is None:
        raise UsageError(
            f"`{name}` is no component of the matrix",
            code="component-unknown",
            next_action=f"known: driver, {', '.join(NAMES)}",
        )
    return found


def token(text: str) -> str:
    """The package token of a chip as people write it: a token (`910b`, `a3`), a name npu-smi prints (`910B3`), `A2`.

    `910B` without a digit is what npu-smi prints for the A1 family, and `910b` the token of A2: capitals decide, as
    they do on the host. Raises UsageError for a chip that no product has and no row names.
    """
    for product in products.known():
        if text in product.package_tokens or text in product.names or text.upper() == product.family:
            return product.chip
    plain = text.lower()
    for product in products.known():
        if plain in product.package_tokens:
            return product.chip
    in_rows = dict.fromkeys(chip for row in published_rows() for chip in row.chips)
    if plain in in_rows:
        return plain
    known = ", ".join(dict.fromkeys([*(product.chip for product in products.known()), *in_rows]))
    raise UsageError(f"`{text}` is no known chip", code="chip-unknown", next_action=f"known: {known}")


def rows_naming(statements: Sequence[Statement], words: Sequence[str]) -> tuple[Statement, ...]:
    """The rows that name every component told, and mean its version where one is told; `chip=…` limits to a chip."""
    told = read([word for word in words if "=" in word])
    names = [component(word) for word in words if "=" not in word]
    return tuple(
        row
        for row in statements
        if all(name in row.parts for name in names)
        and (not told.chip or row.covers(told.chip))
        and all(name in row.parts and _means(row, name, version) for name, version in told.versions.items())
    )


def _means(row: Statement, name: Component, version: str) -> bool:
    wanted = parse(name, version)
    return any(patterns.meant(name, pattern, wanted) for pattern in row.parts[name] if not patterns.same_as(pattern))
