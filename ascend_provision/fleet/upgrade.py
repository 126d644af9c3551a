"""The executor: probe, let Python choose each host's next step, record, run it, probe again.

Hosts need not move in lockstep: every step that some hosts are due for is one Ansible run, and several run at once.
The loop's own thread is the only one that changes a host's state.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ascend_provision.bundle.store import PackageStore
from ascend_provision.fleet import lease, proof
from ascend_provision.fleet.act import StepDone, act
from ascend_provision.fleet.arguments import SMOKE_SIZES, for_host
from ascend_provision.fleet.chronicle import Chronicle
from ascend_provision.fleet.endings import StepEnd
from ascend_provision.fleet.gather import gather
from ascend_provision.fleet.host_state import LOST_CONTACT_TRIES, HostState
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.fleet.progress import Progress
from ascend_provision.fleet.runs import Run
from ascend_provision.fleet.stop import Stop
from ascend_provision.planner import next_step, reading, transitions
from ascend_provision.planner.next_step import Memory
from ascend_provision.stack.errors import ProvisionError
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Verdict
from ascend_provision.stack.plan import Ending, HostPlan, Plan, Step, StepName
from ascend_provision.stack.runs import HostOutcome, RunResult

MAX_RUNS_AT_ONCE = 8
SETTLE_SECONDS = 0.5
"""After a host is through, wait this long for others: they then share one Ansible run for their next step."""
UNREAD_TRIES = 3
"""How often a host is read again when facts that decide its next step came back unknown."""


def apply(
    plan: Plan,
    inventory: Inventory,
    store: PackageStore,
    *,
    run: Run,
    on_progress: Callable[[Progress], None] = lambda _: None,
    stop: threading.Event | None = None,
    unreachable: Mapping[str, str] | None = None,
) -> RunResult:
    """Apply exactly that plan. Every host of it, and every unreachable one, is in the result, whatever happens."""
    executor = _Executor(plan, inventory, store, run, on_progress, stop or threading.Event())
    return executor.run_all(dict(unreachable or {}))


class _Executor:
    def __init__(
        self,
        plan: Plan,
        inventory: Inventory,
        store: PackageStore,
        run: Run,
        on_progress: Callable[[Progress], None],
        stop: threading.Event,
    ) -> None:
        self.plan, self.inventory, self.store, self.run = plan, inventory, store, run
        self.stop = stop
        self.chronicle = Chronicle(run.id, run.journal, on_progress)
        self.started_at = time.time()
        self.sequence = 0
        self.inbox: queue.SimpleQueue[StepDone | None] = queue.SimpleQueue()
        self.states = {host.host: HostState(plan=host, memory=Memory(run=run.id)) for host in plan.hosts}

    def run_all(self, unreachable: dict[str, str]) -> RunResult:
        self.run.save_plan(self.plan)
        self.chronicle.run_started(self.plan.digest)
        for host, why in unreachable.items():
            state = self.states[host] = HostState(plan=_absent(host), memory=Memory(run=self.run.id))
            self._end(state, HostOutcome.UNREACHABLE, reason=why, next_action=f"ssh to {host} by hand; then run again")
        try:
            self._settle_the_unchanged()
            self._lease()
            self._compare_digests()
            self._loop()
        finally:
            self._give_back()
            result = self._result(None)
            self.run.save_result(result)
        for state in self._open():
            self._end(state, HostOutcome.NOT_STARTED, reason="the run was stopped before this host")
        self.chronicle.run_ended()
        result = self._result(time.time())
        self.run.save_result(result)
        return result

    # ---- before the first change

    def _settle_the_unchanged(self) -> None:
        for state in self.states.values():
            if state.ended:
                continue
            if state.plan.decision == "nothing":
                self._end(state, HostOutcome.MISMATCH if state.plan.mismatches else HostOutcome.NOTHING)
            elif state.plan.decision == "refused":
                self._end(
                    state,
                    HostOutcome.REFUSED,
                    step="plan",
                    reason="; ".join(state.plan.reasons),
                    next_action="; ".join(state.plan.lifts),
                )

    def _lease(self) -> None:
        hosts = [state.host for state in self._open()]
        if not hosts or self.stop.is_set():
            return
        for host, taken in lease.take(hosts, self.inventory, self.run).items():
            state = self.states[host]
            state.token = taken.token
            if taken.elsewhere:
                self._end(state, HostOutcome.LEASED, step="lease", reason=taken.problem, next_action=taken.next_action)
            elif taken.unreachable:
                self._end(state, HostOutcome.UNREACHABLE, step="lease", reason=taken.problem)
            elif not taken.token:
                self._end(state, HostOutcome.FAILED, step="lease", reason=taken.problem)

    def _compare_digests(self) -> None:
        """Read the leased hosts again: a plan rests on facts, and a host whose facts moved is not touched."""
        hosts = tuple(state.host for state in self._open())
        if not hosts or self.stop.is_set():
            return
        found = gather(
            self.inventory.model_copy(update={"hosts": hosts}),
            run_dir=self.run.directory / "ansible" / "before",
            evidence_dir=self.run.evidence("before"),
        )
        for host in hosts:
            state = self.states[host]
            state.tasks += found.tasks.get(host, 0)
            state.facts = state.first = found.facts.get(host)
            if state.facts is None:
                self._end(state, HostOutcome.UNREACHABLE, step="probe", reason=found.unreachable.get(host, "no answer"))
            elif reading.digest(state.facts) != state.plan.digest:
                self._end(
                    state,
                    HostOutcome.REFUSED,
                    step="digest",
                    reason="the host is not as it was when the plan was made",
                    next_action="make the plan again and compare: `ascend-provision plan …`",
                )

    # ---- the loop

    def _loop(self) -> None:
        with ThreadPoolExecutor(max_workers=MAX_RUNS_AT_ONCE, thread_name_prefix="step") as pool:
            running = 0
            while True:
                for step, states in self._due(limit=MAX_RUNS_AT_ONCE - running).items():
                    self._dispatch(pool, step, states)
                    running += 1
                if not running:
                    return
                running -= self._hear()

    def _hear(self) -> int:
        """Take what the runs report until nothing came for a moment; how many runs ended meanwhile."""
        over = 0
        message = self.inbox.get()
        while True:
            if message is None:
                over += 1
            else:
                self._ended(self.states[message.host], message)
            try:
                message = self.inbox.get(timeout=SETTLE_SECONDS)
            except queue.Empty:
                return over

    def _due(self, *, limit: int) -> dict[StepName, list[HostState]]:
        """Idle hosts by the step they are due for, at most `limit` steps; hosts that are through end here."""
        groups: dict[StepName, list[HostState]] = {}
        for state in self._open():
            if state.busy is not None or state.facts is None:
                continue
            if self.stop.is_set() and not state.begun:
                continue
            if isinstance(self.stop, Stop) and self.stop.now.is_set():
                reason = "stopped by hand after this step"
                self._end(state, HostOutcome.FAILED, step=_last(state), reason=reason, next_action=self._look(state))
                continue
            due = next_step.choose(state.plan, state.facts, state.memory)
            if due.unread and state.unread < UNREAD_TRIES:
                due = next_step.Due(step=next_step.READ)
                state.unread += 1
            if due.problem:
                self._end(
                    state, HostOutcome.FAILED, step=_last(state), reason=due.problem, next_action=self._look(state)
                )
            elif due.step is None:
                self._through(state)
            elif due.step.name in groups or len(groups) < limit:
                groups.setdefault(due.step.name, []).append(state)
                state.busy = due.step
        return groups

    def _dispatch(self, pool: ThreadPoolExecutor, name: StepName, states: list[HostState]) -> None:
        arguments: dict[str, dict[str, Any]] = {}
        for state in states:
            step = state.busy
            if step is None or state.facts is None:
                raise RuntimeError(f"{state.host} was given no step")
            state.start(step)
            self.chronicle.step_started(state.host, step, reading.say(state.facts.boot.boot_id))
            own = for_host(step, state.plan, state.facts, run=self.run.id, packages=self.store.directory)
            if own is None:
                self.inbox.put(_untested(state))
            else:
                arguments[state.host] = own
        self.sequence += 1
        leases = {state.host: self._lease_of(state) for state in states}
        pool.submit(self._act, name, arguments, leases, self.sequence)

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
            self.inbox.put(done)

        try:
            if arguments:
                act(name, arguments, leases, self.inventory, self.run, sequence, report)
        except Exception as error:  # a defect here must fail its hosts by name, not lose them
            end = StepEnd(ending=Ending.FAILED, detail=f"{type(error).__name__}: {error}")
            for host in set(arguments) - told:
                self.inbox.put(StepDone(host=host, end=end, facts=None, tasks=0))
        finally:
            self.inbox.put(None)

    def _ended(self, state: HostState, done: StepDone) -> None:
        step = state.busy
        if step is None:
            return
        before, state.facts = state.facts, done.facts or state.facts
        end = self._judge(state, step, done, before)
        if done.facts is None and end.ending is not Ending.FAILED and step.name != "release":
            end = end.model_copy(update={"ending": None})
        seconds = state.finish(end.ending, end.acted, done.tasks)
        self.chronicle.step_ended(state.host, step, end, seconds)
        if end.ending is None:
            self._lost(state, step, end)
            return
        state.lost = 0
        if transitions.after(step.name, end.ending).move is transitions.Move.STOP:
            self._end(
                state,
                HostOutcome.FAILED,
                step=step.name,
                reason=end.detail or f"ended {end.ending.value}",
                next_action=end.next_action or self._look(state),
            )

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
            proved = proof.reboot(step.name, state.plan, before, done.facts)
            return proved.model_copy(update={"acted": end.acted, "log": end.log})
        if step.name == "verify":
            state.findings = proof.target(state.plan, state.first, done.facts)
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
                next_action=f"reach {state.host} through its BMC; then run the same upgrade again",
            )

    def _through(self, state: HostState) -> None:
        if state.plan.mismatches:
            self._end(state, HostOutcome.MISMATCH, reason="; ".join(state.plan.mismatches))
        elif not state.smoke.startswith(Verdict.PASS.value):
            self._end(state, HostOutcome.UNPROVEN, step="hccl-smoke", reason=state.smoke or "not tested")
        else:
            self._end(state, HostOutcome.DONE)

    # ---- after the last

    def _give_back(self) -> None:
        """Leases go back, drains of failed hosts stay."""
        tokens = {
            state.host: state.token
            for state in self.states.values()
            if state.token and not state.memory.did("release") and state.outcome is not HostOutcome.UNREACHABLE
        }
        try:
            lease.release(tokens, self.inventory, self.run)
        except ProvisionError as error:
            self.chronicle.note(f"leases not given back, they lapse by themselves: {error.what}")

    def _result(self, ended_at: float | None) -> RunResult:
        return RunResult(
            run=self.run.id,
            verb=self.plan.verb,
            wish=self.plan.wish,
            started_at=self.started_at,
            ended_at=ended_at,
            hosts=tuple(self.states[host].result() for host in sorted(self.states)),
            interrupted=self.stop.is_set(),
        )

    # ---- small things

    def _open(self) -> list[HostState]:
        return [state for state in self.states.values() if not state.ended]

    def _lease_of(self, state: HostState) -> dict[str, Any]:
        return {"run": self.run.id, "token": state.token, "holder": lease.holder(), "plan": self.plan.digest}

    def _look(self, state: HostState) -> str:
        where = "".join(f" -i {source}" for source in self.inventory.sources)
        look = f"`ascend-provision check --hosts {state.host}{where}`"
        return f"{look}; then run the same upgrade again: what is done stays done"

    def _end(
        self, state: HostState, outcome: HostOutcome, *, step: str = "", reason: str = "", next_action: str = ""
    ) -> None:
        state.end(outcome, step=step, reason=reason, next_action=next_action)
        self.chronicle.host_ended(state.host, step, outcome.value, reason)


def _untested(state: HostState) -> StepDone:
    """A smoke test that cannot be run on this host: said so, never skipped silently."""
    end = StepEnd(ending=Ending.DONE, detail="no MPI, compiler or hccl_test on this host", log="")
    return StepDone(host=state.host, end=end, facts=state.facts, tasks=0)


def _last(state: HostState) -> str:
    return state.memory.ended[-1][0] if state.memory.ended else "plan"


def _absent(host: str) -> HostPlan:
    return HostPlan(host=host, decision="refused", digest="")
