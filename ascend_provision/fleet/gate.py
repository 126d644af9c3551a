"""Lets hosts into a run: with their lease, and only while they are as they were when the plan was made."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ascend_provision.fleet import lease
from ascend_provision.fleet.gather import Gathered, gather
from ascend_provision.fleet.host_state import HostState
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.fleet.runs import Run
from ascend_provision.planner import reading
from ascend_provision.stack.runs import HostOutcome

End = Callable[..., None]
"""Ends a host: state, outcome, and `step`, `reason`, `next_action` by name."""


class Gate:
    """One run's gate. What it refuses is ended by name through `end`."""

    def __init__(self, inventory: Inventory, run: Run, ttl: int, end: End) -> None:
        self._inventory, self._run, self._ttl, self._end = inventory, run, ttl, end

    def admit(self, states: Sequence[HostState]) -> None:
        """Lease and read these hosts; those that pass are admitted, the others have ended."""
        for state in states:
            state.admitted = True
        self._lease(states)
        self._compare([state for state in states if not state.ended])

    def look(self, states: Sequence[HostState]) -> Gathered:
        """Read hosts that have ended once more, after their bake time."""
        return self._read(states, "bake")

    def _lease(self, states: Sequence[HostState]) -> None:
        by_host = {state.host: state for state in states}
        for host, taken in lease.take(list(by_host), self._inventory, self._run, ttl=self._ttl).items():
            state = by_host[host]
            state.token = taken.token
            if taken.elsewhere:
                self._end(state, HostOutcome.LEASED, step="lease", reason=taken.problem, next_action=taken.next_action)
            elif taken.unreachable:
                self._end(state, HostOutcome.UNREACHABLE, step="lease", reason=taken.problem)
            elif not taken.token:
                self._end(state, HostOutcome.FAILED, step="lease", reason=taken.problem)

    def _compare(self, states: Sequence[HostState]) -> None:
        """A plan rests on facts: a host whose facts moved is not touched, unless it was this run that moved them."""
        if not states:
            return
        found = self._read(states, "before")
        for state in states:
            state.tasks += found.tasks.get(state.host, 0)
            state.facts = found.facts.get(state.host)
            if state.facts is None:
                why = found.unreachable.get(state.host, "no answer")
                self._end(state, HostOutcome.UNREACHABLE, step="probe", reason=why)
                continue
            state.boot_before = state.boot_before or reading.say(state.facts.boot.boot_id)
            if not state.moved and reading.digest(state.facts) != state.plan.digest:
                self._end(
                    state,
                    HostOutcome.REFUSED,
                    step="digest",
                    reason="the host is not as it was when the plan was made",
                    next_action="make the plan again and compare: `ascend-provision plan …`",
                )

    def _read(self, states: Sequence[HostState], moment: str) -> Gathered:
        name = self._run.unused(moment)
        return gather(
            self._inventory.model_copy(update={"hosts": tuple(state.host for state in states)}),
            run_dir=self._run.directory / "ansible" / name,
            evidence_dir=self._run.evidence(name),
        )
