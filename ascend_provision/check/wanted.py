"""The target of a verification from words: a named stack, single versions, or both."""

from __future__ import annotations

from typing import TypeVar

from ascend_provision.check.reading import product
from ascend_provision.knowledge import stacks
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.target import Target
from ascend_provision.stack.versions import CannVersion, FirmwareVersion, HdkVersion

VersionT = TypeVar("VersionT", HdkVersion, FirmwareVersion, CannVersion)


def target(facts: HostFacts, stack: str, driver: str, firmware: str, cann: str) -> Target:
    """A single version overrides that of the stack; asking for nothing at all is a UsageError."""
    base = _named(facts, stack) if stack else Target()
    wanted = Target(
        name=base.name,
        driver=_version(HdkVersion, driver, "driver") or base.driver,
        firmware=_version(FirmwareVersion, firmware, "firmware") or base.firmware,
        cann=_version(CannVersion, cann, "cann") or base.cann,
    )
    if wanted == Target():
        raise UsageError(
            "nothing to verify: no stack and no version was given",
            code="target-missing",
            next_action=f"give a stack ({', '.join(stacks.all_names())}) or driver, firmware, cann",
        )
    return wanted


def _named(facts: HostFacts, stack: str) -> Target:
    found = product(facts)
    if found is None:
        raise UsageError(
            f"{facts.host}: stack {stack} has no meaning: no known NPU product was found",
            code="product-unknown",
            next_action="look at `lspci -nn -d 19e5:` on the host, or give driver, firmware and cann as versions",
        )
    wanted = stacks.named(stack, found.chip)
    if wanted is None:
        raise UsageError(
            f"{facts.host}: stack {stack} was not published for {found.title}",
            code="stack-unknown",
            next_action=f"published for it: {', '.join(stacks.names(found.chip)) or 'none'}",
        )
    return wanted


def _version(kind: type[VersionT], text: str, name: str) -> VersionT | None:
    if not text:
        return None
    found = kind.maybe(text)
    if found is None:
        raise UsageError(
            f"{name}: {text!r} is not a {kind.kind} version",
            code="version-unreadable",
            next_action="write it as a host reports it; `ascend-provision facts` shows the numbers of your hosts",
        )
    return found
