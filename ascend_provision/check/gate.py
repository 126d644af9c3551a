"""Which findings stop a play, and the sentence it stops with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ascend_provision.stack.findings import Finding, Verdict

FailOn = Literal["fail", "unknown", "warn", "never"]

_STOPS: dict[FailOn, tuple[Verdict, ...]] = {
    "fail": (Verdict.FAIL,),
    "unknown": (Verdict.FAIL, Verdict.UNKNOWN),
    "warn": (Verdict.FAIL, Verdict.UNKNOWN, Verdict.WARN),
    "never": (),
}
WORDS = tuple(_STOPS)
"""What `fail_on` may be, the mildest last."""


def stopping(findings: Sequence[Finding], fail_on: FailOn) -> tuple[Finding, ...]:
    """The findings that stop, worst first."""
    return tuple(finding for verdict in _STOPS[fail_on] for finding in findings if finding.verdict is verdict)


def sentence(host: str, findings: Sequence[Finding]) -> str:
    """One line per finding that stops: what was seen, what was expected, what to do."""
    lines = [f"{host}: {len(findings)} of its findings stop this play"]
    for finding in findings:
        expected = f", expected {finding.expected}" if finding.expected else ""
        lines.append(f"{finding.verdict.value} {finding.id}: {finding.observed}{expected}; do: {finding.next_action}")
    return "\n".join(lines)
