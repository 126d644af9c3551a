"""`--to`: a named stack (`hdk23`) or single versions (`driver=23.0.3,cann=7.0.0`), resolved for one chip family."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_provision.knowledge import releases, stacks
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.model import Noun
from ascend_provision.stack.target import Target
from ascend_provision.stack.versions import CannVersion, FirmwareVersion, HdkVersion

_KINDS: dict[str, Callable[[str], Any]] = {
    "hdk": HdkVersion,
    "driver": HdkVersion,
    "firmware": FirmwareVersion,
    "cann": CannVersion,
}


class Wish(Noun):
    """What was asked for, before it is known for which chip: a stack's name or some versions."""

    text: str
    name: str | None = None
    driver: HdkVersion | None = None
    firmware: FirmwareVersion | None = None
    cann: CannVersion | None = None


def parse(text: str) -> Wish:
    """Read `--to`; raises `UsageError` that names the part it cannot read."""
    text = text.strip()
    if not text:
        raise UsageError("`--to` is empty", code="wish-empty", next_action="name a stack, e.g. `--to hdk23`")
    if "=" not in text:
        if text not in stacks.all_names():
            known = ", ".join(stacks.all_names())
            raise UsageError(
                f"`--to`: there is no stack `{text}`",
                code="wish-unknown-stack",
                next_action=f"known: {known}; or give versions: `--to driver=…,firmware=…,cann=…`",
            )
        return Wish(text=text, name=text)
    fields: dict[str, Any] = {}
    for part in text.split(","):
        key, _, value = (piece.strip() for piece in part.partition("="))
        if key not in _KINDS:
            raise UsageError(
                f"`--to`: `{part.strip()}` is not one of {', '.join(f'{name}=VERSION' for name in _KINDS)}",
                code="wish-unknown-part",
                next_action="e.g. `--to driver=23.0.3,firmware=7.1.0.5.220,cann=7.0.0`",
            )
        try:
            version = _KINDS[key](value)
        except ValueError as error:
            raise UsageError(
                f"`--to`: {error}",
                code="wish-bad-version",
                next_action="e.g. `--to driver=23.0.3,firmware=7.1.0.5.220,cann=7.0.0`",
            ) from None
        field = "driver" if key == "hdk" else key
        if field in fields:
            raise UsageError(f"`--to` names {field} twice", code="wish-twice")
        fields[field] = version
    return Wish(text=text, **fields)


def resolve(wish: Wish, chip: str) -> Target:
    """The target for a host of that chip; raises `UsageError` when the stack was never published for it.

    A driver asked for without a firmware brings its published firmware with it: one belongs to the other.
    """
    if wish.name is not None:
        target = stacks.named(wish.name, chip)
        if target is None:
            known = ", ".join(stacks.names(chip)) or "none"
            raise UsageError(
                f"stack `{wish.name}` is not published for chip {chip}",
                code="wish-unknown-stack",
                next_action=f"known for {chip}: {known}; or give versions: `--to driver=…,firmware=…,cann=…`",
            )
        return target
    firmware = wish.firmware
    if wish.driver is not None and firmware is None:
        firmware = releases.firmware_of(wish.driver, chip)
        if firmware is None:
            raise UsageError(
                f"no published firmware is known for driver {wish.driver} on chip {chip}",
                code="wish-firmware-unknown",
                next_action=f"name it: `--to driver={wish.driver},firmware=…`",
            )
    return Target(driver=wish.driver, firmware=firmware, cann=wish.cann)
