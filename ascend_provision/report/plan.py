"""A plan as text: hosts with the same plan are shown once."""

from __future__ import annotations

from collections.abc import Sequence

from ascend_provision.report.plain import columns, document, span
from ascend_provision.stack.plan import HostPlan, Plan


def render(plan: Plan) -> str:
    """Every host of the plan: steps with why, or why not."""
    groups: dict[str, list[HostPlan]] = {}
    for host in plan.hosts:
        groups.setdefault(_alike(host), []).append(host)
    lines = [_headline(plan)]
    for hosts in groups.values():
        lines += ["", *_group(hosts)]
    return document(lines)


def _alike(host: HostPlan) -> str:
    """Equal for hosts whose plans differ in nothing but the host."""
    return host.model_copy(update={"host": "", "digest": ""}).model_dump_json()


def _headline(plan: Plan) -> str:
    counts = {kind: sum(host.decision == kind for host in plan.hosts) for kind in ("change", "nothing", "refused")}
    return (
        f"Plan: {plan.verb} to {plan.wish}: {counts['change']} to change, "
        f"{counts['nothing']} with nothing to do, {counts['refused']} refused"
    )


def _group(hosts: Sequence[HostPlan]) -> list[str]:
    names, first = ", ".join(host.host for host in hosts), hosts[0]
    if first.decision == "refused":
        return [
            f"{names}: refused",
            *(f"  because {reason}" for reason in first.reasons),
            *(f"  lifted by: {lift}" for lift in first.lifts),
        ]
    if first.decision == "nothing":
        return [f"{names}: nothing to do", *_afterwards(first)]
    least, most = first.reboots
    reboots = f"{least}" if least == most else f"{least}-{most}"
    seconds = sum(step.expected_seconds for step in first.steps if not step.optional)
    lines = [f"{names}: change ({first.strategy.value}), reboots: {reboots}, expected about {span(seconds)} or more"]
    lines += [f"  {line}" for line in columns(_versions(first))]
    lines += [f"  will be stopped and started again: {who}" for who in first.stops]
    steps = [
        (f"{number}.", step.name + (" (if needed)" if step.optional else ""), step.why)
        for number, step in enumerate(first.steps, start=1)
    ]
    lines += [f"  {line}" for line in columns(steps)]
    lines += [f"  uses {package.file}" for step in first.steps if step.name == "stage" for package in step.packages]
    return [*lines, *_afterwards(first)]


def _versions(host: HostPlan) -> list[tuple[str, str]]:
    keys = list(dict.fromkeys([*host.before, *host.after]))
    changed = [key for key in keys if host.before.get(key) != host.after.get(key)]
    return [(key, f"{host.before.get(key) or 'none'} -> {host.after.get(key) or 'none'}") for key in changed]


def _afterwards(host: HostPlan) -> list[str]:
    lines = [f"  will not match afterwards: {mismatch}" for mismatch in host.mismatches]
    lines += [f"  note: {note}" for note in host.notes]
    return lines + ([f"  {host.no_rollback}"] if host.no_rollback else [])
