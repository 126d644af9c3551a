"""Make findings from the catalogue, in English: the texts are data, a rule only adds what it saw."""

from __future__ import annotations

from ascend_provision.check import wording
from ascend_provision.knowledge import catalogue
from ascend_provision.stack.findings import Finding, Verdict
from ascend_provision.stack.model import Unknown


def ok(key: str, host: str, observed: str = "", *, expected: str = "", evidence: str = "", source: str = "") -> Finding:
    """The rule holds."""
    return _make(key, Verdict.PASS, host, observed, expected, evidence, source, action="")


def skip(key: str, host: str, why: str) -> Finding:
    """The rule does not apply to this host, and why."""
    return _make(key, Verdict.SKIP, host, why, "", "", "", action="")


def fail(
    key: str, host: str, observed: str, *, expected: str = "", evidence: str = "", source: str = "", action: str = ""
) -> Finding:
    """The rule is broken."""
    return _make(key, Verdict.FAIL, host, observed, expected, evidence, source, action=action)


def warn(
    key: str, host: str, observed: str, *, expected: str = "", evidence: str = "", source: str = "", action: str = ""
) -> Finding:
    """Something to know; nothing is broken by it now."""
    return _make(key, Verdict.WARN, host, observed, expected, evidence, source, action=action)


def unknown(
    key: str, host: str, why: Unknown | str, *, expected: str = "", evidence: str = "", source: str = ""
) -> Finding:
    """What the rule needs could not be read; the next action is what would settle it."""
    reason, settle = (why.unknown, why.settle) if isinstance(why, Unknown) else (why, "")
    return _make(key, Verdict.UNKNOWN, host, reason, expected, evidence, source, action=settle)


def _make(
    key: str, verdict: Verdict, host: str, observed: str, expected: str, evidence: str, source: str, *, action: str
) -> Finding:
    entry = catalogue.entries()[key]
    return Finding(
        id=key,
        verdict=verdict,
        component=entry.component,
        title=entry.en.title,
        observed=observed,
        expected=expected,
        evidence=evidence,
        source=source or entry.cited,
        next_action=action or wording.next_action(entry.en, verdict, expected, "en"),
        host=host,
    )
