"""The executor's loop: Python chooses each host's next step, it is recorded, run, and the host read again.

Hosts need not move in lockstep: every step that some hosts are due for is one Ansible run, and several run at once.
The thread that calls `start` and `hear` is the only one that changes a host's state.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ascend_provision.bundle.store import PackageStore
from ascend_provision.fleet import lease, proof
from ascend_provision.fleet.act import StepDone, act
from ascend_provision.fleet.arguments import SMOKE_SIZES, for_host
from ascend_provision.fleet.chronicle import Chronicle
from ascend_provision.fleet.endings import StepEnd
from ascend_provision.fleet.host_state import LOST_CONTACT_TRIES, HostState
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.fleet.runs import Run
from ascend_provision.fleet.stop import Stop
from ascend_provision.planner import next_step, reading, transitions
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Verdict
from ascend_provision.stack.plan import Ending, Step, StepName
from ascend_provision.stack.runs import HostOutcome

MAX_RUNS_AT_ONCE = 8
SETTLE_SECONDS = 0.5
"""After a host is through, wait this long for others: they then share one Ansible run for their next step."""
UNREAD_TRIES = 3
"""How often a host is read again when facts that decide its next step came back unknown."""

End = Callable[..., None]
"""Ends a host: state, outcome, and `step`, `reason`, `next_action` by name."""


class Loop:
    """Works on the hosts it is given until each has ended; `running` counts the Ansible runs that go on."""

    def __init__(
        self,
        inventory: Inventory,
        store: PackageStore,
        run: Run,
        digest: str,
        chronicle: Chronicle,
        end: End,
        stop: threading.Event,
    ) -> None:
        self._inventory, self._store, self._run, self._digest = inventory, store, run, digest
        self._chronicle, self._end, self._stop = chronicle, end, stop
        self._inbox: queue.SimpleQueue[StepDone | None] = queue.SimpleQueue()
        self._pool = ThreadPoolExecutor(max_workers=MAX_RUNS_AT_ONCE, thread_name_prefix="step")
        self._sequence = run.last_sequence()
        self.running = 0

    def start(self, states: Iterable[HostState]) -> None:
        """Begin the next step of every idle host among these; those that are through end here."""
        for step, group in self._due(states, limit=MAX_RUNS_AT_ONCE - self.running).items():
            self._dispatch(step, group)
            self.running += 1

    def hear(self, seconds: float, states: Mapping[str, HostState]) -> None:
        """Take what the runs report, waiting that long for the first word and then until nothing came for a moment."""
        try:
            message = self._inbox.get(timeout=seconds)
            while True:
                if message is None:
                    self.running -= 1
                else:
                    self._ended(states[message.host], message)
                message = self._inbox.get(timeout=SETTLE_SECONDS)
        except queue.Empty:
            return

    def recall(self, state: HostState) -> None:
        """A restart whose end no process saw, and which has happened: it is judged now, not asked for again."""
        if state.cut is None or state.facts is None or not state.cut[0].startswith("reboot"):
            return
        step = next((step for step in state.plan.steps if step.name == state.cut[0]), None)
        if step is None or reading.say(state.facts.boot.boot_id) == state.cut[1]:
            return
        state.start(step)
        end = proof.reboot(step.name, state.plan, state.cut[1], state.facts)
        self._conclude(state, step, end.model_copy(update={"detail": end.detail or "it has restarted since"}), tasks=0)

    def close(self) -> None:
        """Wait for the threads; call it when nothing is running."""
        self._pool.shutdown()

    # ---- the next step

    def _due(self, states: Iterable[HostState], *, limit: int) -> dict[StepName, list[HostState]]:
        """Idle hosts by the step they are due for, at most `limit` steps."""
        groups: dict[StepName, list[HostState]] = {}
        for state in states:
            if state.busy is not None or state.facts is None:
                continue
            if self._stop.is_set() and not state.begun:
                continue
            if isinstance(self._stop, Stop) and self._stop.now.is_set():
                self._end(state, HostOutcome.FAILED, step=_last(state), reason="stopped by hand after this step")
                continue
            due = next_step.choose(state.plan, state.facts, state.memory)
            if due.unread and state.unread < UNREAD_TRIES:
                due = next_step.Due(step=next_step.READ)
                state.unread += 1
            if due.problem:
                self._end(state, HostOutcome.FAILED, step=_last(state), reason=due.problem)
            elif due.step is None:
                self.through(state)
            elif due.step.name in groups or len(groups) < limit:
                groups.setdefault(due.step.name, []).append(state)
                state.busy = due.step
        return groups

    def through(self, state: HostState) -> None:
        """The host has been released: how well it ended."""
        if state.plan.mismatches:
            self._end(state, HostOutcome.MISMATCH, reason="; ".join(state.plan.mismatches))
        elif not state.smoke.startswith(Verdict.PASS.value):
            self._end(state, HostOutcome.UNPROVEN, step="hccl-smoke", reason=state.smoke or "not tested")
        else:
            self._end(state, HostOutcome.DONE)

    # ---- carrying it out

    def _dispatch(self, name: StepName, states: list[HostState]) -> None:
        arguments: dict[str, dict[str, Any]] = {}
        for state in states:
            step = state.busy
            if step is None or state.facts is None:
                raise RuntimeError(f"{state.host} was given no step")
            state.start(step)
            self._chronicle.step_started(state.host, step, reading.say(state.facts.boot.boot_id))
            own = for_host(step, state.plan, state.facts, run=self._run.id, packages=self._store.directory)
            if own is None:
                self._inbox.put(_untested(state))
            else:
                arguments[state.host] = own
        self._sequence += 1
        leases = {state.host: self._lease_of(state) for state in states}
        self._pool.submit(self._act, name, arguments, leases, self._sequence)

    def _act(
        self,
        name: StepName,
        arguments: dict[str, dict[str, Any]],
        leases: dict[str, dict[str, Any]],
        sequence: int,
    ) -> None:
        """Runs in a thread of its own: reports each host once and then its own end, whatever happens in between."""
        told: set[str] = set()

        def report(done: StepDone) -> None:
            told.add(done.host)
            self._inbox.put(done)

        try:
            if arguments:
                act(name, arguments, leases, self._inventory, self._run, sequence, report)
        except Exception as error:  # a defect here must fail its hosts by name, not lose them
            end = StepEnd(ending=Ending.FAILED, detail=f"{type(error).__name__}: {error}")
            for host in set(arguments) - told:
                self._inbox.put(StepDone(host=host, end=end, facts=None, tasks=0))
        finally:
            self._inbox.put(None)

    def _lease_of(self, state: HostState) -> dict[str, Any]:
        return {"run": self._run.id, "token": state.token, "holder": lease.holder(), "plan": self._digest}

    # ---- how it ended

    def _ended(self, state: HostState, done: StepDone) -> None:
        step = state.busy
        if step is None:
            return
        before, state.facts, state.stale = state.facts, done.facts or state.facts, done.facts is None
        end = self._judge(state, step, done, before)
        if done.facts is None and end.ending is not Ending.FAILED and step.name != "release":
            end = end.model_copy(update={"ending": None})
        self._conclude(state, step, end, tasks=done.tasks)

    def _conclude(self, state: HostState, step: Step, end: StepEnd, *, tasks: int) -> None:
        """Record how the busy step ended, and end the host where the table of transitions says so."""
        seconds = state.finish(end.ending, end.acted, tasks)
        self._chronicle.step_ended(state.host, step, end, seconds)
        if end.ending is None:
            self._lost(state, step, end)
            return
        state.lost = 0
        if transitions.after(step.name, end.ending).move is transitions.Move.STOP:
            reason = end.detail or f"ended {end.ending.value}"
            self._end(state, HostOutcome.FAILED, step=step.name, reason=reason, next_action=end.next_action)

    def _judge(self, state: HostState, step: Step, done: StepDone, before: HostFacts | None) -> StepEnd:
        """What Python proves about a step, beyond what its commands said."""
        end = done.end
        if step.name == "hccl-smoke" and end.ending is not None:
            verdict, said = proof.smoke(state.plan, end, SMOKE_SIZES)
            state.smoke = f"{verdict.value}: {said}"
            ending = Ending.FAILED if verdict is Verdict.FAIL else Ending.DONE
            return end.model_copy(update={"ending": ending, "detail": state.smoke})
        if end.ending is not Ending.DONE or done.facts is None or before is None:
            return end
        if step.name.startswith("reboot"):
            proved = proof.reboot(step.name, state.plan, reading.say(before.boot.boot_id), done.facts)
            return proved.model_copy(update={"acted": end.acted, "log": end.log})
        if step.name == "verify":
            state.findings = proof.target(state.plan, state.boot_before, done.facts)
            return proof.verified(state.findings)
        return end

    def _lost(self, state: HostState, step: Step, end: StepEnd) -> None:
        """Contact was lost: the step's command goes on without us, so the same step is asked for again."""
        state.lost += 1
        if state.lost >= LOST_CONTACT_TRIES:
            self._end(
                state,
                HostOutcome.FAILED if step.name.startswith("reboot") else HostOutcome.UNREACHABLE,
                step=step.name,
                reason=end.detail or "the host does not answer",
                next_action=f"reach {state.host} through its BMC; then go on with `--resume {self._run.id}`",
            )


def _untested(state: HostState) -> StepDone:
    """A smoke test that cannot be run on this host: said so, never skipped silently."""
    end = StepEnd(ending=Ending.DONE, detail="no MPI, compiler or hccl_test on this host", log="")
    return StepDone(host=state.host, end=end, facts=state.facts, tasks=0)


def _last(state: HostState) -> str:
    return state.memory.ended[-1][0] if state.memory.ended else "plan"
