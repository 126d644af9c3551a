"""A finished run as text: one table of hosts, then every host that needs a person, then the times."""

from __future__ import annotations

from collections.abc import Sequence

from ascend_provision.report.plain import columns, counted, document, span, wrapped
from ascend_provision.stack.findings import Verdict
from ascend_provision.stack.runs import HostOutcome, HostResult, RunResult

_WELL = {HostOutcome.DONE, HostOutcome.NOTHING}
_CHANGED = {*_WELL, HostOutcome.MISMATCH, HostOutcome.UNPROVEN}
_HANG = " " * 6


def render(result: RunResult) -> str:
    """The whole report; the record of a run that was cut has no end time."""
    lines = [_headline(result), "", *columns(_table(result.hosts))]
    alike: dict[tuple[str, ...], list[str]] = {}
    for host in result.hosts:
        if about := _about(host):
            alike.setdefault(about, []).append(host.host)
    for (ending, *more), names in alike.items():
        lines += ["", *wrapped(f"{', '.join(names)}: {ending}", _HANG, "")]
        lines += [line for said in more for line in wrapped(said, _HANG, "  ")]
    if result.halted or result.resume:
        lines += ["", *wrapped(result.halted or "hosts are left", _HANG, ""), f"  next: {result.resume}"]
    lines += _smoke(result.hosts)
    return document([*lines, *_times(result.hosts)])


def _headline(result: RunResult) -> str:
    took = f"took {span(result.ended_at - result.started_at)}" if result.ended_at else "was cut before its end"
    well = sum(host.outcome in _WELL for host in result.hosts)
    stopped = "; stopped by hand" if result.interrupted else ""
    return (
        f"Run {result.run}: {result.verb} to {result.wish} {took}: "
        f"{well} of {counted(len(result.hosts), 'host')} as asked for{stopped}"
    )


def _table(hosts: Sequence[HostResult]) -> list[tuple[str, ...]]:
    """Toolkit and kernels are one column where they moved together, as they should."""
    together = all(_change(host, "toolkit") == _change(host, "kernels") for host in hosts)
    parts = {"DRIVER": "driver", "FIRMWARE": "firmware", "CANN" if together else "TOOLKIT": "toolkit"}
    if not together:
        parts["KERNELS"] = "kernels"
    rows: list[tuple[str, ...]] = [("HOST", "OUTCOME", "REBOOTS", "TIME", *parts)]
    for host in hosts:
        seconds = sum(step.seconds for step in host.steps)
        versions = (_change(host, name) for name in parts.values())
        rows.append((host.host, host.outcome.value, str(host.reboots), span(seconds), *versions))
    return rows


def _change(host: HostResult, name: str) -> str:
    before, after = host.before.get(name, ""), host.after.get(name, "")
    if not after or before == after:
        return before or "-"
    return f"{before or 'none'} -> {after}"


def _about(host: HostResult) -> tuple[str, ...]:
    """What a person must know of one host, but its name; nothing for a host that simply went well."""
    when = "does not match any more" if host.outcome in _CHANGED else "will not match afterwards"
    said = [f"{when}: {mismatch}" for mismatch in host.mismatches if mismatch not in host.reason]
    said += [
        f"{finding.verdict.value} {finding.id}: {finding.title}: {finding.observed}, expected {finding.expected}"
        for finding in host.findings
        if finding.verdict not in (Verdict.PASS, Verdict.SKIP)
    ]
    if host.outcome in _WELL and not said:
        return ()
    where = f" at {host.step}" if host.step else ""
    reason = "" if host.outcome in _WELL else f": {host.reason or 'no reason was recorded'}"
    following = [f"next: {host.next_action}"] if host.next_action else []
    return (f"{host.outcome.value}{where}{reason}", *following, *said)


def _smoke(hosts: Sequence[HostResult]) -> list[str]:
    """How the collective test ended, hosts with the same ending together."""
    groups: dict[str, list[str]] = {}
    for host in hosts:
        if host.smoke:
            groups.setdefault(host.smoke, []).append(host.host)
    lines = [f"HCCL smoke test on {', '.join(names)}: {smoke}" for smoke, names in groups.items()]
    return ["", *lines] if lines else []


def _times(hosts: Sequence[HostResult]) -> list[str]:
    """Per step: the slowest host, and how much of it the host's own installer, reboot or test took."""
    slowest: dict[str, tuple[float, float, str]] = {}
    for host in hosts:
        for step in host.steps:
            if step.step not in slowest or slowest[step.step][0] < step.seconds:
                slowest[step.step] = (step.seconds, step.acted, host.host)
    if not slowest:
        return []
    rows = [("STEP", "SLOWEST", "HOST'S OWN PART", "HOST")]
    rows += [(step, span(total), span(acted), host) for step, (total, acted, host) in slowest.items()]
    return ["", *columns(rows)]
