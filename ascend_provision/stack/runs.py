"""Records of runs: what happened on each host, for the journal, the reports and the exit status."""

from __future__ import annotations

from enum import Enum
from typing import Literal

from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Noun
from ascend_provision.stack.plan import Ending, StepName


class HostOutcome(str, Enum):
    """Where one host of a run ended."""

    DONE = "done"
    NOTHING = "nothing-to-do"
    MISMATCH = "done-with-mismatch"
    UNPROVEN = "done-but-unproven"
    REFUSED = "refused"
    FAILED = "failed"
    UNREACHABLE = "unreachable"
    LEASED = "leased-elsewhere"
    NOT_STARTED = "not-started"
    ROLLED_BACK = "rolled-back"
    QUARANTINED = "quarantined"


GOOD = frozenset({HostOutcome.DONE, HostOutcome.NOTHING, HostOutcome.MISMATCH, HostOutcome.UNPROVEN})
"""Hosts that are where they were to be taken."""

BAD = frozenset({HostOutcome.FAILED, HostOutcome.UNREACHABLE, HostOutcome.ROLLED_BACK, HostOutcome.QUARANTINED})
"""Hosts that count against the budget of failures, once the run has begun them."""


class JournalRecord(Noun):
    """One line of a run's journal. `at` is seconds since the epoch; `detail` is what was seen, one line or a tail."""

    at: float
    run: str
    host: str
    event: Literal["run-started", "step-started", "step-ended", "turned-back", "host-ended", "halted", "run-ended"]
    step: str = ""
    ending: Ending | None = None
    seconds: float | None = None
    detail: str = ""
    boot_id: str = ""


class StepTime(Noun):
    """One executed step of one host; `acted` is the time the host's own installer, reboot or test took, in seconds."""

    step: StepName
    ending: Ending
    seconds: float
    acted: float = 0.0
    tasks: int = 0


class HostResult(Noun):
    """One host's part of a run. `step` and `reason` name where and why it stopped, `next_action` what to do."""

    host: str
    outcome: HostOutcome
    step: str = ""
    reason: str = ""
    next_action: str = ""
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    reboots: int = 0
    tasks: int = 0
    steps: tuple[StepTime, ...] = ()
    findings: tuple[Finding, ...] = ()
    mismatches: tuple[str, ...] = ()
    smoke: str = ""


class RunResult(Noun):
    """A whole run, as kept in its directory and printed by `runs show`.

    `halted` says why no further host was started, `resume` is the command that goes on.
    """

    schema_version: Literal[1] = 1
    run: str
    verb: str
    wish: str
    started_at: float
    ended_at: float | None
    hosts: tuple[HostResult, ...]
    interrupted: bool = False
    halted: str = ""
    resume: str = ""


class LeaseEnd(Noun):
    """What became of a host's lease that was to be broken: `broken`, `free` (there was none), or `problem`."""

    broken: bool = False
    free: bool = False
    run: str = ""
    holder: str = ""
    problem: str = ""
    unreachable: bool = False
