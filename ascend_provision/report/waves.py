"""How a plan's hosts are let in, as text: the waves in order, and what halts them."""

from __future__ import annotations

from collections.abc import Sequence

from ascend_provision.planner.waves import Policy, Wave
from ascend_provision.report.plain import counted, document, span, wrapped

_NAMED = 6
_HANG = " " * 6


def render(waves: Sequence[Wave], policy: Policy) -> str:
    """Nothing for fewer than two hosts: there is no order among them."""
    if sum(len(wave.hosts) for wave in waves) < 2:
        return ""
    lines = ["", f"In {counted(len(waves), 'wave')}; {_budget(policy)}"]
    for wave in waves:
        named = ", ".join(wave.hosts[:_NAMED]) + (
            f" and {len(wave.hosts) - _NAMED} more" if wave.hosts[_NAMED:] else ""
        )
        where = f" of {wave.domain}" if wave.domain else ""
        lines += wrapped(f"{'canary' if wave.canary else f'wave {wave.number}'}{where}: {named}", _HANG, "  ")
    return document(lines)


def _budget(policy: Policy) -> str:
    """When it goes on, and when not."""
    said = []
    if policy.canary:
        said.append("a failed canary halts the run")
    said.append(
        f"after it {policy.max_fail} failed may pass" if policy.canary else f"{policy.max_fail} failed may pass"
    )
    if policy.max_unavailable is not None:
        said.append(f"at most {policy.max_unavailable} hosts out of service")
    if policy.bake:
        said.append(f"{span(policy.bake)} and a look at health between waves")
    if policy.window is not None:
        said.append(f"only in {policy.window}")
    return ", ".join(said)
