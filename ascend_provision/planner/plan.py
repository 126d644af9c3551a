"""Facts + wish + packages -> plan: per host nothing to do, ordered steps with why, or refused with what lifts it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Literal

from ascend_provision.knowledge import downgrades, pairing, products, services
from ascend_provision.knowledge.answers import Remark
from ascend_provision.knowledge.matrix import Matrix
from ascend_provision.knowledge.wishes import Wish
from ascend_provision.planner import aim as aims
from ascend_provision.planner import match, need, places, pods, profile, reading, refusals, rollback, steps
from ascend_provision.stack.errors import Refusal, UsageError
from ascend_provision.stack.facts import HostFacts, KeptFile
from ascend_provision.stack.model import Noun, Unknown
from ascend_provision.stack.packages import Component, Package
from ascend_provision.stack.plan import HostPlan, Plan, Strategy
from ascend_provision.stack.target import Target

Verb = Literal["upgrade", "bootstrap", "rollback"]


def make(
    fleet: Mapping[str, HostFacts],
    wish: Wish,
    store: Sequence[Package],
    *,
    verb: Verb,
    strategy: Strategy,
    reboot_limit: int = steps.REBOOT_LIMIT,
    matrix: Matrix | None = None,
) -> Plan:
    """The plan of a fleet; deterministic, sealed with its own digest. `reboot_limit` in seconds.

    `matrix` is the published one unless a site has rows of its own.
    """
    hosts = tuple(
        plan_host(fleet[host], wish, store, verb=verb, strategy=strategy, reboot_limit=reboot_limit, matrix=matrix)
        for host in sorted(fleet)
    )
    hosts = pods.kept_together(hosts)
    return of_hosts(verb, wish.text, hosts)


def of_hosts(verb: Verb, wish: str, hosts: tuple[HostPlan, ...]) -> Plan:
    """The plan of a fleet from those of its hosts, sealed, with every package that one of them uses."""
    used = {package.sha256: package for host in hosts for step in host.steps for package in step.packages}
    packages = tuple(sorted(used.values(), key=lambda package: package.file))
    return seal(Plan(verb=verb, wish=wish, packages=packages, hosts=hosts))


def seal(plan: Plan) -> Plan:
    """The plan with its digest, over everything but the digest itself."""
    body = plan.model_copy(update={"digest": ""})
    return body.model_copy(update={"digest": "sha256:" + hashlib.sha256(reading.canonical(body).encode()).hexdigest()})


def check_seal(plan: Plan) -> None:
    """Raise `Refusal` when the plan was edited after it was made."""
    if seal(plan).digest != plan.digest:
        raise Refusal(
            "the plan file was edited: its digest does not match its content",
            code="plan-edited",
            next_action="make it again with `ascend-provision plan … -o FILE`",
        )


def plan_host(
    facts: HostFacts,
    wish: Wish,
    store: Sequence[Package],
    *,
    verb: Verb,
    strategy: Strategy,
    reboot_limit: int = steps.REBOOT_LIMIT,
    matrix: Matrix | None = None,
) -> HostPlan:
    """One host's plan; never raises for what a host may look like."""
    digest = reading.digest(facts)
    before = reading.versions(facts)

    def refuse(reasons: Sequence[refusals.Reason], target: Target | None = None) -> HostPlan:
        return HostPlan(
            host=facts.host,
            decision="refused",
            digest=digest,
            strategy=strategy,
            before=before,
            super_pod=facts.super_pod,
            target=target or Target(),
            reasons=tuple(reason.why for reason in reasons),
            lifts=tuple(reason.lift for reason in reasons if reason.lift),
        )

    blind = refusals.unreadable(facts)
    if blind:
        return refuse(blind)
    product = None if isinstance(facts.pci, Unknown) else products.identify(facts.pci)
    if product is None:
        return refuse([refusals.Reason(why="no known Ascend NPU was found on the PCI bus", lift="see `facts`")])
    try:
        aim = aims.take(facts, wish, store, matrix or Matrix.published(), product.chip)
    except UsageError as error:
        return refuse([refusals.Reason(why=error.what, lift=error.next_action)])
    if aim.refused:
        return refuse(aim.refused)
    target = aim.target
    needs = need.of(facts, target, product.chip)
    fresh = facts.driver.file is None and facts.firmware.file is None
    if verb == "upgrade" and fresh and not reading.unfinished(facts):
        lift = "install it with `ascend-provision bootstrap`, which also prepares the user and the installers' tools"
        return refuse([refusals.Reason(why="no driver is installed on this host", lift=lift)], target)
    if not needs.anything and not reading.unfinished(facts):
        return HostPlan(
            host=facts.host,
            decision="nothing",
            digest=digest,
            strategy=strategy,
            before=before,
            super_pod=facts.super_pod,
            after=before,
            target=target,
            mismatches=(*aim.mismatches, *_mismatches(facts, target, matrix)),
            notes=aim.notes,
        )
    wanted = _components(needs, fresh=fresh)
    found = match.choose(store, target, chip=product.chip, arch=str(facts.arch), components=wanted)
    reasons = [
        refusals.Reason(why=problem, lift="keep exactly the packages it needs in the store")
        for problem in found.problems
    ]
    reasons += refusals.of_host(facts, found.packages, target, changes_hdk=needs.hdk, fresh=fresh)
    if reasons:
        return refuse(reasons, target)
    how = _How(strategy=strategy, fresh=fresh, reboot_limit=reboot_limit)
    return _changing(facts, aim, product, needs, found, how, store, matrix)


def plan_back(done: HostPlan, facts: HostFacts, store: Sequence[Package], *, run: str, reboot_limit: int) -> HostPlan:
    """The plan from what the host is now to the stack it had before `run`, whose plan for it was `done`."""
    if done.origin == Target():
        return HostPlan(
            host=facts.host,
            decision="refused",
            digest=reading.digest(facts),
            before=reading.versions(facts),
            reasons=(f"run {run} changed no component that could come back: nothing was installed before it",),
        )
    back = plan_host(
        facts,
        rollback.wish(done.origin),
        store,
        verb="rollback",
        strategy=Strategy.CLEAN,
        reboot_limit=reboot_limit,
    )
    return rollback.turned(done, back, run)


class _How(Noun):
    """How a host is changed: the way, whether it starts from nothing, and how long a reboot may take (seconds)."""

    strategy: Strategy
    fresh: bool
    reboot_limit: int


def _changing(
    facts: HostFacts,
    aim: aims.Aim,
    product: products.Product,
    needs: need.Need,
    found: match.Match,
    how: _How,
    store: Sequence[Package],
    matrix: Matrix | None,
) -> HostPlan:
    target = aim.target
    environments = () if isinstance(facts.environments, Unknown) else facts.environments
    level = target.driver or (None if isinstance(facts.driver.file, Unknown) else facts.driver.file)
    context = steps.Context(
        facts=facts,
        target=target,
        chip=product.chip,
        need=needs,
        match=found,
        strategy=how.strategy,
        profile=profile.render(level, target.cann or profile.toolkit(facts.cann), environments),
        fresh=how.fresh,
        reboot_limit=how.reboot_limit,
        mpi=isinstance(facts.mpi, str) and isinstance(facts.mpi_home, str),
        smoke=not aim.cann_stays,
    )
    built = steps.build(context)
    reboots = [step for step in built if step.name.startswith("reboot")]
    back = rollback.origin(facts, needs)
    quiet = next(step for step in built if step.name == "quiesce").arguments
    return HostPlan(
        host=facts.host,
        decision="change",
        digest=reading.digest(facts),
        strategy=how.strategy,
        before=reading.versions(facts),
        after=_after(facts, target),
        steps=built,
        reboots=(sum(not step.optional for step in reboots), len(reboots)),
        stops=_stops(facts, quiet),
        mismatches=(*aim.mismatches, *_mismatches(facts, target, matrix)),
        notes=(*aim.notes, *_notes(facts, context)),
        no_rollback="" if how.fresh else rollback.impossible(facts, back, store, product.chip),
        target=target,
        origin=back,
        chips=_chip_count(facts),
        kernel=reading.say(facts.kernel.running),
        kept=_kept(facts),
        super_pod=facts.super_pod,
    )


def _components(needs: need.Need, *, fresh: bool) -> tuple[Component, ...]:
    wanted: list[Component] = []
    if needs.driver or fresh:
        wanted.append("driver")
    if needs.firmware or fresh:
        wanted.append("firmware")
    if needs.toolkit:
        wanted.append("toolkit")
    if needs.kernels:
        wanted.append("kernels")
    return tuple(wanted)


def _kept(facts: HostFacts) -> tuple[KeptFile, ...]:
    """The files that an installer may drop and that must be the same afterwards."""
    if isinstance(facts.kept_files, Unknown):
        return ()
    return tuple(file for file in facts.kept_files if file.path in places.RESTORED)


def _chip_count(facts: HostFacts) -> int:
    """Chips that must be there afterwards: those npu-smi shows now, or those that its PCI functions should show."""
    if not isinstance(facts.chips, Unknown) and facts.chips:
        return len(facts.chips)
    return 0 if isinstance(facts.pci, Unknown) else products.chip_count(facts.pci)


def _after(facts: HostFacts, target: Target) -> dict[str, str]:
    after = dict(reading.versions(facts))
    if target.driver:
        after["driver"] = str(target.driver)
    if target.firmware:
        after["firmware"] = str(target.firmware)
    if target.cann:
        after["toolkit"] = after["kernels"] = str(target.cann)
    return after


def _stops(facts: HostFacts, quiet: Mapping[str, object]) -> tuple[str, ...]:
    """Who will be stopped, by name, with the processes behind it."""
    named = []
    holders = () if isinstance(facts.holders, Unknown) else facts.holders
    units = quiet.get("quiesce_units")
    for unit in units if isinstance(units, list) else []:
        behind = [services.describe(item) for item in holders if item.unit == unit]
        named.append(f"service {unit}" + (f": {'; '.join(behind)}" if behind else ""))
    boxes = quiet.get("quiesce_containers")
    for box in boxes if isinstance(boxes, list) else []:
        behind = [
            services.describe(item) for item in holders if item.container and box["id"].startswith(item.container[:12])
        ]
        named.append(
            f"container {box['id'][:12]} (restart {box['restart']})" + (f": {'; '.join(behind)}" if behind else "")
        )
    return tuple(named)


def _mismatches(facts: HostFacts, target: Target, matrix: Matrix | None) -> tuple[str, ...]:
    """Every Python environment whose framework will not match the target CANN; they are named, never touched."""
    cann = target.cann
    if isinstance(facts.environments, Unknown) or cann is None:
        return ()
    said = []
    for env in facts.environments:
        answers = []
        if env.torch_npu is not None:
            answers.append((f"torch_npu {env.torch_npu}", pairing.torch_npu_cann(env.torch_npu, cann, matrix)))
        if env.mindspore is not None:
            answers.append((f"mindspore {env.mindspore}", pairing.mindspore_cann(env.mindspore, cann, matrix)))
        for what, answer in answers:
            if answer.verdict == "incompatible":
                said.append(f"{env.path}: {what} does not match CANN {cann}: {answer.why}")
    return tuple(said)


def _notes(facts: HostFacts, context: steps.Context) -> tuple[str, ...]:
    notes = []
    file, wanted = facts.driver.file, context.target.driver
    if wanted is not None and file is not None and not isinstance(file, Unknown):
        back = downgrades.steps_back("hdk", str(file), str(wanted))
        notes += [_cited(remark) for remark in back]
        if back and (why := downgrades.unread(context.chip, facts.hardware)):
            notes.append(f"whether these cards refuse an HDK as old as {wanted} cannot be told: {why}")
    if context.target.cann is not None and (now := profile.toolkit(facts.cann)) is not None:
        notes += [_cited(remark) for remark in downgrades.steps_back("cann", str(now), str(context.target.cann))]
    if not context.mpi and context.smoke:
        notes.append("no MPI or compiler on this host: the HCCL smoke test will be `unknown`, the run then ends 5")
    if isinstance(facts.environments, Unknown):
        notes.append(f"Python environments could not be read ({facts.environments.unknown}): they are not judged")
    return tuple(notes)


def _cited(remark: Remark) -> str:
    return f"{remark.text} ({remark.source})" if remark.source else remark.text
