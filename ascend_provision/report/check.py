"""A check as text: what is wrong first, hosts with the same finding together, then a line a host."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ascend_provision.report.model import WORST_FIRST, CheckReport
from ascend_provision.report.plain import columns, counted, document, wrapped
from ascend_provision.stack.findings import Finding, Verdict

_QUIET = (Verdict.PASS, Verdict.SKIP)
_INDENT = " " * 20
_WARNINGS_SHOWN = 3
"""Hosts of which a warning says what was seen: three hundred hosts at work would hide everything else."""
_Seen = tuple[list[str], Finding]


def render(report: CheckReport) -> str:
    """The whole report, about a hundred columns wide; passes are counted, not listed."""
    lines = [*wrapped(_headline(report), "  ", "")]
    for host, why in report.unreachable.items():
        lines += ["", *wrapped(f"{host}: {why}", "  " + _INDENT, "UNREACHABLE ")]
    for verdict in WORST_FIRST:
        if verdict not in _QUIET:
            apart: dict[Finding, list[_Seen]] = {}
            for hosts, findings in _grouped(report.findings, verdict):
                if len(findings) == 1:
                    apart.setdefault(_unseen(findings[0]), []).append((hosts, findings[0]))
                else:
                    lines += ["", *_one_reason(hosts, findings)]
            for seen in apart.values():
                lines += ["", *_finding(seen)]
    if report.hosts:
        lines += ["", *columns(_table(report))]
    return document(lines)


def _headline(report: CheckReport) -> str:
    totals = report.totals
    of = f" against {report.target}" if report.target else ""
    counts = f"{totals.fail} fail, {totals.unknown} unknown, {totals.warn} warn, {totals.passed} pass"
    dark = f"; {totals.unreachable} unreachable" if totals.unreachable else ""
    return f"{report.verb} of {counted(totals.hosts, 'host')}{of}: {counts}{dark}"


def _grouped(findings: Iterable[Finding], verdict: Verdict) -> list[tuple[list[str], list[Finding]]]:
    """Equal findings of several hosts as one, in the order they were first met.

    What is unknown for one and the same reason is one group too: a hung tool is one thing to look at, not ten.
    """
    alike: dict[Finding, list[str]] = {}
    for finding in findings:
        if finding.verdict is verdict:
            alike.setdefault(finding.model_copy(update={"host": ""}), []).append(finding.host or "fleet")
    groups: dict[tuple[Finding | str, tuple[str, ...]], list[Finding]] = {}
    for finding, hosts in alike.items():
        reason = finding.observed if verdict is Verdict.UNKNOWN else finding
        groups.setdefault((reason, tuple(hosts)), []).append(finding)
    return [(list(hosts), together) for (_, hosts), together in groups.items()]


def _one_reason(hosts: Sequence[str], findings: Sequence[Finding]) -> list[str]:
    first = findings[0]
    lines = wrapped(first.observed, _INDENT, f"{first.verdict.value.upper():<8}")
    said = {
        "on": ", ".join(hosts),
        "so unknown": ", ".join(dict.fromkeys(finding.id for finding in findings)),
        "do": first.next_action,
    }
    for name, text in said.items():
        lines += wrapped(text, _INDENT, f"{'':8}{name:<12}")
    return lines


def _unseen(finding: Finding) -> Finding:
    """The finding without what was seen: hosts that differ only in that are shown in one block."""
    return finding.model_copy(update={"host": "", "observed": "", "evidence": ""})


def _finding(seen: Sequence[_Seen]) -> list[str]:
    first = seen[0][1]
    shown = seen[:_WARNINGS_SHOWN] if first.verdict is Verdict.WARN else seen
    left = sum(len(hosts) for hosts, _ in seen[len(shown) :])
    said = [("on", ", ".join(host for hosts, _ in seen for host in hosts))]
    if len(seen) == 1:
        said += [("observed", first.observed), ("expected", first.expected), ("evidence", first.evidence)]
    else:
        said += [("observed", f"{', '.join(hosts)}: {_observed(finding)}") for hosts, finding in shown]
        said += [("", f"and {counted(left, 'host')} more, in `--format json`" if left else "")]
        said += [("expected", first.expected)]
    said += [("do", first.next_action), ("source", first.source)]
    lines = wrapped(f"{first.id}: {first.title}", _INDENT, f"{first.verdict.value.upper():<8}")
    for name, text in said:
        if text:
            lines += wrapped(text, _INDENT, f"{'':8}{name:<12}")
    return lines


def _observed(finding: Finding) -> str:
    return f"{finding.observed} ({finding.evidence})" if finding.evidence else finding.observed


def _table(report: CheckReport) -> list[tuple[str, ...]]:
    stacks = tuple(report.hosts[0].stack)
    rows: list[tuple[str, ...]] = [
        ("HOST", "RESULT", "FAIL", "UNKNOWN", "WARN", "PASS", *(name.upper() for name in stacks))
    ]
    for host in report.hosts:
        counts = (host.count(verdict) for verdict in (Verdict.FAIL, Verdict.UNKNOWN, Verdict.WARN, Verdict.PASS))
        rows.append((host.host, host.verdict.value, *map(str, counts), *(host.stack[name] for name in stacks)))
    return rows
