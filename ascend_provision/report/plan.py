"""A plan as text: hosts with the same plan are shown once."""

from __future__ import annotations

from collections.abc import Iterable

from ascend_provision.report.plain import columns, document, hanging, span, wrapped
from ascend_provision.stack.plan import HostPlan, Plan

_HANG = " " * 6


def render(plan: Plan) -> str:
    """Every host of the plan: steps with why, or why not. Hosts of which the same is to be said are named together."""
    groups: dict[tuple[str, ...], list[HostPlan]] = {}
    for host in plan.hosts:
        groups.setdefault(tuple(_said(host)), []).append(host)
    lines = [_headline(plan)]
    for (decision, *more), hosts in groups.items():
        named = ", ".join(host.host for host in hosts)
        lines += ["", *wrapped(f"{named}: {decision}", "  ", ""), *more]
        for host in hosts:
            for who in host.stops:
                lines += wrapped(f"stopped and started again on {host.host}: {who}", _HANG, "  ")
    return document(lines)


def _headline(plan: Plan) -> str:
    counts = {kind: sum(host.decision == kind for host in plan.hosts) for kind in ("change", "nothing", "refused")}
    return (
        f"Plan: {plan.verb} to {plan.wish}: {counts['change']} to change, "
        f"{counts['nothing']} with nothing to do, {counts['refused']} refused"
    )


def _said(host: HostPlan) -> list[str]:
    """What there is to say of a host but its name and who is stopped on it; the first line is the decision."""
    if host.decision == "refused":
        said = [*(f"because {reason}" for reason in host.reasons), *(f"lifted by: {lift}" for lift in host.lifts)]
        return ["refused", *_each(said)]
    if host.decision == "nothing":
        return ["nothing to do", *_afterwards(host)]
    least, most = host.reboots
    reboots = f"{least}" if least == most else f"{least}-{most}"
    seconds = sum(step.expected_seconds for step in host.steps if not step.optional)
    lines = [f"change ({host.strategy.value}), reboots: {reboots}, expected about {span(seconds)} or more"]
    lines += [f"  {line}" for line in columns(_versions(host))]
    steps = [
        (f"{number}.", step.name + (" (if needed)" if step.optional else ""), step.why)
        for number, step in enumerate(host.steps, start=1)
    ]
    lines += hanging(steps, "  ")
    lines += [f"  uses {package.file}" for step in host.steps if step.name == "stage" for package in step.packages]
    return [*lines, *_afterwards(host)]


def _versions(host: HostPlan) -> list[tuple[str, str]]:
    keys = list(dict.fromkeys([*host.before, *host.after]))
    changed = [key for key in keys if host.before.get(key) != host.after.get(key)]
    return [(key, f"{host.before.get(key) or 'none'} -> {host.after.get(key) or 'none'}") for key in changed]


def _afterwards(host: HostPlan) -> list[str]:
    said = [f"will not match afterwards: {mismatch}" for mismatch in host.mismatches]
    said += [f"note: {note}" for note in host.notes]
    return _each([*said, host.no_rollback] if host.no_rollback else said)


def _each(said: Iterable[str]) -> list[str]:
    return [line for sentence in said for line in wrapped(sentence, _HANG, "  ")]
