"""The target of a verification from a role's options: a named stack, single versions, or both."""

from __future__ import annotations

from ascend_provision.check.reading import product
from ascend_provision.knowledge import stacks, wishes
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.target import Target


def target(facts: HostFacts, stack: str, driver: str, firmware: str, cann: str) -> Target:
    """As `--to` reads it: a single version overrides that of the stack; asking for nothing at all is a UsageError."""
    single = {"driver": driver, "firmware": firmware, "cann": cann}
    words = [stack, *(f"{name}={version}" for name, version in single.items() if version)]
    text = ",".join(word for word in words if word)
    if not text:
        raise UsageError(
            "nothing to verify: no stack and no version was given",
            code="target-missing",
            next_action=f"give a stack ({', '.join(stacks.all_names())}) or driver, firmware, cann",
        )
    found = product(facts)
    return wishes.resolve(wishes.parse(text, option="check"), found.chip if found else None)
