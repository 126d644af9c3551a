"""What was asked for in words: a named stack, versions of any component, features; and what that means on a chip.

The one reading of `--to`, of the roles' options and of `matrix what-if`.
"""

from __future__ import annotations

from typing import TypeVar

from ascend_provision.knowledge import feature_floors, feature_needs, releases, stacks
from ascend_provision.knowledge.components import Component, kind, named
from ascend_provision.knowledge.components import parse as version_of
from ascend_provision.knowledge.solution import Part, Want
from ascend_provision.knowledge.tables import Tables
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.model import Noun
from ascend_provision.stack.target import Target
from ascend_provision.stack.versions import CannVersion, FirmwareVersion, HdkVersion, Version

INSTALLED: tuple[Component, ...] = ("hdk", "firmware", "cann")
"""What ascend-provision installs itself; everything else belongs to the users of a host."""

VersionT = TypeVar("VersionT", bound=Version)
_EXAMPLE = "e.g. `driver=23.0.3,firmware=7.1.0.5.220,cann=7.0.0`, `torch_npu=2.6.0`, `expandable_segments`"


class Wish(Noun):
    """What was asked for, before it is known for which chip; versions override those of the named stack."""

    text: str
    name: str | None = None
    versions: dict[Component, str] = {}
    features: tuple[str, ...] = ()

    @property
    def direct(self) -> bool:
        """It names what is to be installed, so that nothing has to be worked out."""
        return not self.features and all(component in INSTALLED for component in self.versions)


def parse(text: str, *, option: str = "--to") -> Wish:
    """Read a wish; raises `UsageError` that names the part it cannot read. `option` is where it was written."""
    text = text.strip()
    if not text:
        raise UsageError(f"`{option}` is empty", code="wish-empty", next_action=f"name a stack, e.g. `{option} hdk23`")
    name: str | None = None
    versions: dict[Component, str] = {}
    features: list[str] = []
    for part in text.split(","):
        word, equals, value = (piece.strip() for piece in part.partition("="))
        if equals:
            component, version = _version(word, value, part.strip(), option)
            if component in versions:
                raise UsageError(f"`{option}` names {_typed(component)} twice", code="wish-twice")
            versions[component] = version
        elif word in stacks.all_names() and name is None:
            name = word
        elif word in feature_floors.names():
            features.append(word)
        else:
            raise _no_such(word, option)
    return Wish(text=text, name=name, versions=versions, features=tuple(features))


def _version(word: str, value: str, part: str, option: str) -> tuple[Component, str]:
    component = named(word)
    if component is None:
        raise UsageError(
            f"`{option}`: `{part}` is not one of driver, firmware, cann, torch_npu, mindspore … =VERSION",
            code="wish-unknown-part",
            next_action=_EXAMPLE,
        )
    if kind(component).maybe(value) is None:
        raise UsageError(
            f"`{option}`: {value!r} is not a {kind(component).kind} version",
            code="wish-bad-version",
            next_action=_EXAMPLE,
        )
    return component, value


def _no_such(word: str, option: str) -> UsageError:
    known = ", ".join(stacks.all_names())
    return UsageError(
        f"`{option}`: there is no stack `{word}`",
        code="wish-unknown-stack",
        why=f"features that can be asked for: {', '.join(feature_floors.names())}",
        next_action=f"known: {known}; or give versions: {_EXAMPLE}",
    )


def _typed(component: Component) -> str:
    return "driver" if component == "hdk" else component


def resolve(wish: Wish, chip: str | None) -> Target:
    """What to install for a direct wish; raises `UsageError` for another one, or a stack never published for the chip.

    A driver asked for without a firmware brings its published firmware with it: one belongs to the other. `chip` None
    stands for a host whose product is not known: then a named stack means nothing and no firmware follows.
    """
    if not wish.direct:
        raise UsageError(
            f"`{wish.text}` does not say which driver, firmware and CANN it means",
            code="wish-indirect",
            next_action="name them; `plan --to` and `matrix what-if --wish` work them out",
        )
    base = _stack(wish.name, chip) if wish.name is not None else Target()
    driver = _of(wish, "hdk", HdkVersion)
    firmware = _of(wish, "firmware", FirmwareVersion)
    cann = _of(wish, "cann", CannVersion)
    if driver is not None and firmware is None and chip is not None:
        firmware = releases.firmware_of(driver, chip)
        if firmware is None:
            raise UsageError(
                f"no published firmware is known for driver {driver} on chip {chip}",
                code="wish-firmware-unknown",
                next_action=f"name it: `driver={driver},firmware=…`",
            )
    return Target(
        name=base.name,
        driver=driver or base.driver,
        firmware=firmware or base.firmware,
        cann=cann or base.cann,
    )


def _of(wish: Wish, component: Component, kind: type[VersionT]) -> VersionT | None:
    text = wish.versions.get(component)
    return kind(text) if text is not None else None


def _stack(name: str, chip: str | None) -> Target:
    if chip is None:
        raise UsageError(
            f"stack `{name}` has no meaning here: no known NPU product was found",
            code="product-unknown",
            next_action="look at `lspci -nn -d 19e5:` on the host, or give driver, firmware and cann as versions",
        )
    target = stacks.named(name, chip)
    if target is None:
        known = ", ".join(stacks.names(chip)) or "none"
        raise UsageError(
            f"stack `{name}` is not published for chip {chip}",
            code="wish-unknown-stack",
            next_action=f"known for {chip}: {known}; or give versions: {_EXAMPLE}",
        )
    return target


def wants(wish: Wish, tables: Tables, parts: tuple[Part, ...], chip: str | None) -> tuple[Want, ...]:
    """The wish for the solver: which versions of which component satisfy it. Raises as `resolve`."""
    found: list[Want] = []
    if wish.name is not None:
        target = _stack(wish.name, chip)
        listed: dict[Component, object] = {"hdk": target.driver, "firmware": target.firmware, "cann": target.cann}
        found += [
            Want(text=wish.name, component=component, versions=(str(version),))
            for component, version in listed.items()
            if version is not None and component not in wish.versions
        ]
    for component, version in wish.versions.items():
        found.append(
            Want(
                text=f"{_typed(component)}={version}", component=component, versions=_meant(tables, component, version)
            )
        )
    for feature in wish.features:
        found += feature_needs.wants(feature, tables, parts)
    return tuple(found)


def _meant(tables: Tables, component: Component, version: str) -> tuple[str, ...]:
    """The version itself; where no row names it but rows name its patches (25.0.rc1.1), those."""
    wanted, listed = version_of(component, version), tables.candidates(component)
    if any(version_of(component, text) == wanted for text in listed):
        return (version,)
    patches = tuple(text for text in listed if text.lower().startswith(f"{version.lower()}."))
    return patches or (version,)
