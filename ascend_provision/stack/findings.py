"""One judged thing."""

from __future__ import annotations

from enum import Enum
from typing import Literal

from ascend_provision.stack.model import Noun

Language = Literal["en", "zh"]
"""The languages that findings are described in."""


class Verdict(str, Enum):
    """Unknown is never a pass and never a failure; `skip` is waived or not applicable."""

    PASS = "pass"  # noqa: S105 - a verdict, not a password
    WARN = "warn"
    FAIL = "fail"
    UNKNOWN = "unknown"
    SKIP = "skip"


class Finding(Noun):
    """`id` is stable and kebab-case with its topic first (`pairing.driver-firmware`).

    `observed` and `expected` are short values, `evidence` the line a host printed (may be empty), `source` the
    public source of the rule, `next_action` what to do (may be empty for a pass).
    """

    id: str
    verdict: Verdict
    component: str
    title: str
    observed: str = ""
    expected: str = ""
    evidence: str = ""
    source: str = ""
    next_action: str = ""
    host: str = ""
