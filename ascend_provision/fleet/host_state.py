"""One host on its way through a run: facts, memory, what was recorded, and where it ended."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from ascend_provision.planner.next_step import Memory
from ascend_provision.planner.reading import versions
from ascend_provision.planner.waves import HostNow
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.plan import Ending, HostPlan, Step, StepName
from ascend_provision.stack.runs import BAD, GOOD, HostOutcome, HostResult, StepTime

LOST_CONTACT_TRIES = 3


@dataclass(slots=True)
class HostState:
    """Mutable; only the executor's own thread touches it.

    `admitted`: its wave has come and it has its lease. `resumed`: an earlier process of this run began it.
    `moved`: this run has changed it, so its facts are not those the plan was made from.
    `looked`: its health was looked at again after the bake time. `ended_at` in seconds since the epoch.
    `boot_before` is the boot id the host had before the first step of this run, `cut` the step whose end no process
    of this run has seen, with the boot id it began in. `back` is why it is on its way back to the stack it had;
    `before` are the versions of before the run; `stale`: the step that ended brought no facts.
    """

    plan: HostPlan
    memory: Memory
    resumed: bool = False
    moved: bool = False
    admitted: bool = False
    looked: bool = False
    ended_at: float = 0.0
    facts: HostFacts | None = None
    boot_before: str = ""
    before: dict[str, str] = field(default_factory=dict)
    back: str = ""
    stale: bool = False
    cut: tuple[StepName, str] | None = None
    token: int = 0
    busy: Step | None = None
    since: float = 0.0
    lost: int = 0
    unread: int = 0
    reboots: int = 0
    tasks: int = 0
    smoke: str = ""
    findings: tuple[Finding, ...] = ()
    times: list[StepTime] = field(default_factory=list)
    outcome: HostOutcome | None = None
    step: str = ""
    reason: str = ""
    next_action: str = ""

    @property
    def host(self) -> str:
        return self.plan.host

    @property
    def ended(self) -> bool:
        return self.outcome is not None

    @property
    def begun(self) -> bool:
        return self.resumed or bool(self.memory.ended) or self.busy is not None

    @property
    def now(self) -> HostNow:
        """This host as the waves see it."""
        expected = float(sum(step.expected_seconds for step in self.plan.steps))
        if self.outcome is None:
            return HostNow(state="working" if self.admitted else "waiting", expected=expected)
        if self.outcome in GOOD:
            return HostNow(state="good", ended_at=self.ended_at, looked=self.looked)
        return HostNow(state="bad" if self.admitted and self.outcome in BAD else "gone", ended_at=self.ended_at)

    def start(self, step: Step) -> None:
        self.busy, self.since = step, time.monotonic()

    def finish(self, ending: Ending | None, acted: float, tasks: int) -> float:
        """Record the end of the busy step; returns its seconds."""
        step, seconds = self.busy, time.monotonic() - self.since
        if step is None:
            raise RuntimeError(f"{self.host} was in no step")
        self.busy = None
        self.tasks += tasks
        if ending is not None:
            self.memory = self.memory.add(step.name, ending)
            self.times.append(StepTime(step=step.name, ending=ending, seconds=seconds, acted=acted, tasks=tasks))
            self.reboots += step.name.startswith("reboot") and ending is not Ending.FAILED
        return seconds

    def turn(self, back: HostPlan, why: str, boot_id: str) -> None:
        """Go back instead of on; the memory of the way on would mislead."""
        self.before = self.before or self.plan.before
        self.plan, self.back, self.boot_before, self.smoke = back, why, boot_id, ""
        self.memory = Memory(run=self.memory.run)

    def end(self, outcome: HostOutcome, *, step: str = "", reason: str = "", next_action: str = "") -> None:
        self.outcome, self.step, self.reason, self.next_action = outcome, step, reason, next_action
        self.ended_at = time.time()

    def result(self) -> HostResult:
        return HostResult(
            host=self.host,
            outcome=self.outcome or HostOutcome.NOT_STARTED,
            step=self.step,
            reason=self.reason,
            next_action=self.next_action,
            before=self.before or self.plan.before,
            after=self._after(),
            reboots=self.reboots,
            tasks=self.tasks,
            steps=tuple(self.times),
            findings=self.findings,
            mismatches=self.plan.mismatches,
            smoke=self.smoke,
        )

    def _after(self) -> dict[str, str]:
        """What was seen last; a host that an earlier process brought to its end is not read again."""
        if self.facts is not None:
            return versions(self.facts)
        if self.back:
            return self.before or self.plan.before
        return self.plan.after if self.memory.did("release") else {}
