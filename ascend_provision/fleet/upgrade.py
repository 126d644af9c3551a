"""A plan carried out on a fleet: hosts are let in by waves, worked on step by step, and told about whatever happens."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from ascend_provision.bundle.store import PackageStore
from ascend_provision.fleet import journal, lease, proof
from ascend_provision.fleet.chronicle import Chronicle
from ascend_provision.fleet.control import Control, Wish
from ascend_provision.fleet.gate import Gate
from ascend_provision.fleet.heartbeat import beating
from ascend_provision.fleet.host_state import HostState
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.fleet.loop import Loop
from ascend_provision.fleet.progress import Progress
from ascend_provision.fleet.runs import Order, Run
from ascend_provision.planner import plan as planner
from ascend_provision.planner import reading, waves
from ascend_provision.planner.next_step import Memory
from ascend_provision.planner.waves import OnFail
from ascend_provision.stack.errors import ProvisionError
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.plan import Ending, HostPlan, Plan
from ascend_provision.stack.runs import BAD, GOOD, HostOutcome, RunResult

LOOK_SECONDS = 1.0
"""How often the loop looks at the clock and for a word of the operator while hosts are at work."""


def apply(
    plan: Plan,
    inventory: Inventory,
    store: PackageStore,
    *,
    run: Run,
    order: Order | None = None,
    on_progress: Callable[[Progress], None] = lambda _: None,
    stop: threading.Event | None = None,
    unreachable: Mapping[str, str] | None = None,
) -> RunResult:
    """Apply exactly that plan. Every host of it, and every unreachable one, is in the result, whatever happens.

    With a journal in the run's directory it goes on where the earlier process ended.
    """
    upgrade = Upgrade(plan, inventory, store, run, order or Order(), on_progress, stop or threading.Event())
    return upgrade.run_all(dict(unreachable or {}))


class Upgrade:
    """One run of one process."""

    def __init__(
        self,
        plan: Plan,
        inventory: Inventory,
        store: PackageStore,
        run: Run,
        order: Order,
        on_progress: Callable[[Progress], None],
        stop: threading.Event,
    ) -> None:
        self.plan, self.inventory, self.store = plan, inventory, store
        self.run, self.order, self.stop = run, order, stop
        self.past = journal.past(run.journal)
        self.chronicle = Chronicle(run.id, run.journal, on_progress)
        self.control = Control(run.directory)
        self.started_at = self.past.started_at or time.time()
        self.states = {host.host: self._state(host) for host in plan.hosts}
        self.ttl = lease.SPARE_SECONDS + max((_reboot_limit(host) for host in plan.hosts), default=0)
        self.gate = Gate(inventory, run, self.ttl, self._end)
        self.loop = Loop(inventory, store, run, plan.digest, self.chronicle, self._end, stop)
        self.halted = ""

    def _state(self, host: HostPlan) -> HostState:
        """A host as earlier processes of this run left it: `memory` is what they brought to an end."""
        past = self.past.hosts.get(host.host)
        if past is None:
            return HostState(plan=host, memory=Memory(run=self.run.id), moved=host.host in self.past.returned)
        memory = Memory(run=self.run.id, ended=tuple((step.step, step.ending) for step in past.way))
        return HostState(
            plan=host,
            memory=memory,
            resumed=True,
            moved=True,
            boot_before=past.boot_id,
            back=past.back,
            cut=past.cut,
            times=list(past.times),
            smoke=past.smoke,
            reboots=sum(memory.times(step.name) for step in host.steps if step.name.startswith("reboot")),
        )

    def run_all(self, unreachable: dict[str, str]) -> RunResult:
        self.run.save_plan(self.plan)
        self.run.save_order(self.order)
        self.chronicle.run_started(self.plan.digest)
        for host, why in unreachable.items():
            state = self.states[host] = HostState(plan=_absent(host), memory=Memory(run=self.run.id))
            self._end(state, HostOutcome.UNREACHABLE, reason=why, next_action=f"ssh to {host} by hand; then run again")
        try:
            self._settle_the_unchanged()
            with beating(self._held, self._renew, self.ttl / 3):
                self._work()
        finally:
            self.loop.close()
            self._give_back()
            result = self._result(None)
            self.run.save_result(result)
        for state in self._open():
            self._end(state, HostOutcome.NOT_STARTED, reason=self.halted or "the run was stopped before this host")
        self.chronicle.run_ended()
        result = self._result(time.time())
        self.run.save_result(result)
        return result

    # ---- which hosts, and when

    def _settle_the_unchanged(self) -> None:
        for state in self._open():
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
            elif state.memory.did("release"):
                self.loop.through(state)

    def _work(self) -> None:
        """Hosts an earlier process began come first; then wave after wave until none is left or the run halts."""
        begun = [state for state in self._open() if state.resumed]
        if begun and not self.stop.is_set():
            self.gate.admit(begun)
            for state in begun:
                self._go_on(state)
        domains = {host.host: self.order.domain(host) for host in self.plan.hosts if host.decision == "change"}
        cut = waves.cut(domains, self.order.policy)
        while True:
            self.loop.start(self._at_work())
            pause = self._let_in(cut)
            if pause == 0:
                continue
            if not self.loop.running and pause is None:
                return
            self.loop.hear(LOOK_SECONDS if pause is None else min(pause, LOOK_SECONDS), self.states)

    def _go_on(self, state: HostState) -> None:
        """Take up a host that an earlier process left, on its way on or back."""
        if state.ended or state.facts is None:
            return
        if why := state.back:
            memory = state.memory
            back = self._way_back(state, state.facts)
            if back.decision == "nothing":  # it was released, which is the last step of the way back
                self._end(state, HostOutcome.DONE)
                return
            if back.decision == "refused":
                self._end(state, HostOutcome.QUARANTINED, reason=f"no way back: {'; '.join(back.reasons)}")
                return
            state.turn(back, why, state.boot_before)
            state.memory = memory
        self.loop.recall(state)

    def _let_in(self, cut: tuple[waves.Wave, ...]) -> float | None:
        """Admit what the waves allow now. The seconds until they must be asked again; None: when a host has ended."""
        if self._asked() is Wish.PAUSE:
            return LOOK_SECONDS
        if self.stop.is_set() or self.halted:
            return None
        hosts = {host: self.states[host].now for wave in cut for host in wave.hosts}
        decision = waves.decide(cut, self.order.policy, hosts, time.time())
        if decision.halt:
            self.halted = f"halted: {decision.halt}"
            self.chronicle.halted(self.halted)
        if decision.look:
            self._look_again([self.states[host] for host in decision.look])
            return 0.0
        if decision.start:
            self.gate.admit([self.states[host] for host in decision.start])
            return 0.0
        return decision.wait

    def _asked(self) -> Wish:
        """What the operator said through the run's directory; to abort is what a first Ctrl-C says."""
        wish = self.control.wish()
        if wish is not self.control.heard:
            self.chronicle.note(f"`runs {wish.value} {self.run.id}` was said: {wish.meaning}")
            self.control.heard = wish
        if wish is Wish.ABORT:
            self.stop.set()
        return wish

    def _look_again(self, states: list[HostState]) -> None:
        """The health of a wave after its bake time: a host that is not as it was verified counts as failed."""
        found = self.gate.look(states)
        for state in states:
            state.looked = True
            facts = found.facts.get(state.host)
            if facts is None:
                why = found.unreachable.get(state.host, "no answer")
                self._end(state, HostOutcome.UNREACHABLE, step="bake", reason=why)
                continue
            end = proof.verified(proof.target(state.plan, state.boot_before, facts))
            if end.ending is not Ending.DONE:
                self._end(state, HostOutcome.FAILED, step="bake", reason=end.detail, next_action=end.next_action)

    def _at_work(self) -> list[HostState]:
        return [state for state in self._open() if state.admitted]

    def _open(self) -> list[HostState]:
        return [state for state in self.states.values() if not state.ended]

    # ---- leases

    def _held(self) -> dict[str, int]:
        return {state.host: state.token for state in list(self.states.values()) if state.token and not state.ended}

    def _renew(self, tokens: Mapping[str, int]) -> None:
        lease.renew(tokens, self.inventory, self.run, ttl=self.ttl)

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

    # ---- what is told

    def _end(
        self, state: HostState, outcome: HostOutcome, *, step: str = "", reason: str = "", next_action: str = ""
    ) -> None:
        if outcome is HostOutcome.FAILED and self._turned_back(state, f"{step}: {reason}"):
            return
        if state.back and outcome in GOOD:
            outcome, reason = HostOutcome.ROLLED_BACK, state.back
        elif (state.back or self.plan.verb == "rollback") and outcome in BAD:
            outcome, reason = HostOutcome.QUARANTINED, "; on the way back: ".join(filter(None, (state.back, reason)))
        state.end(outcome, step=step, reason=reason, next_action=next_action or self._next(outcome, state.host))
        self.chronicle.host_ended(state.host, step, outcome.value, reason)

    def _turned_back(self, state: HostState, why: str) -> bool:
        """Whether a host that failed is on its way back now, as the policy wants it."""
        begun = state.memory.ended and not state.memory.did("release")
        if self.order.policy.on_fail is not OnFail.ROLLBACK or state.back or not begun or state.facts is None:
            return False
        back = self._way_back(state, state.facts)
        if state.stale or back.decision != "change":
            no_way = "the host was not read after it" if state.stale else "; ".join(back.reasons)
            state.back = f"{why}; no way back: {no_way}"
            return False
        boot_id = reading.say(state.facts.boot.boot_id)
        state.turn(back, why, boot_id)
        self.chronicle.turned_back(state.host, why, boot_id)
        return True

    def _way_back(self, state: HostState, facts: HostFacts) -> HostPlan:
        return planner.plan_back(
            state.plan, facts, self.store.packages, run=self.run.id, reboot_limit=self.ttl - lease.SPARE_SECONDS
        )

    def _next(self, outcome: HostOutcome, host: str) -> str:
        where = "".join(f" -i {source}" for source in self.inventory.sources)
        look = f"`ascend-provision check --hosts {host}{where}`"
        on = f"`{self._resume()}`: what is done stays done"
        if outcome is HostOutcome.QUARANTINED:
            return f"{look}; what was stopped on it stays stopped; once it is mended {on}"
        if outcome is not HostOutcome.FAILED:
            return ""
        back = f", or go back: `ascend-provision rollback --run {self.run.id} --hosts {host}`"
        return f"{look}; then {on}{back}"

    def _resume(self) -> str:
        return f"ascend-provision {self.plan.verb} --resume {self.run.id}"

    def _result(self, ended_at: float | None) -> RunResult:
        left = any(not state.ended or state.outcome is HostOutcome.NOT_STARTED for state in self.states.values())
        return RunResult(
            run=self.run.id,
            verb=self.plan.verb,
            wish=self.plan.wish,
            started_at=self.started_at,
            ended_at=ended_at,
            hosts=tuple(self.states[host].result() for host in sorted(self.states)),
            interrupted=self.stop.is_set(),
            halted=self.halted,
            resume=self._resume() if left else "",
        )


def _reboot_limit(host: HostPlan) -> int:
    limits = [step.arguments.get("reboot_timeout") for step in host.steps]
    return max((limit for limit in limits if isinstance(limit, int)), default=0)


def _absent(host: str) -> HostPlan:
    return HostPlan(host=host, decision="refused", digest="")
