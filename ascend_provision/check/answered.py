"""An answer of the knowledge as a finding."""

from __future__ import annotations

from ascend_provision.check import finding
from ascend_provision.knowledge.answers import Answer
from ascend_provision.stack.findings import Finding


def answered(key: str, host: str, answer: Answer, observed: str, expected: str) -> Finding:
    """`observed` names the pair, `expected` what would be right; the answer's reason is the evidence."""
    if answer.verdict == "compatible":
        return finding.ok(key, host, observed, evidence=answer.why, source=answer.source)
    if answer.verdict == "incompatible":
        return finding.fail(key, host, observed, expected=expected, evidence=answer.why, source=answer.source)
    return finding.unknown(key, host, f"{observed}: {answer.why}", expected=expected, source=answer.source)
