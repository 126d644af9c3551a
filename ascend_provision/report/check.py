"""A check as text: what is wrong first, hosts with the same finding together, then a line a host."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

from ascend_provision.check import wording
from ascend_provision.evidence.pasted.sections import NOT_GIVEN
from ascend_provision.knowledge import phrases
from ascend_provision.report import headings
from ascend_provision.report.headings import Headings
from ascend_provision.report.model import WORST_FIRST, CheckReport, Meaning
from ascend_provision.report.plain import columns, document, wrapped
from ascend_provision.report.wide import ljust
from ascend_provision.stack.findings import Finding, Language, Verdict

_QUIET = (Verdict.PASS, Verdict.SKIP)
_INDENT = " " * 20
_WARNINGS_SHOWN = 3
"""Hosts of which a warning says what was seen: three hundred hosts at work would hide everything else."""
_Seen = tuple[list[str], Finding]


def render(report: CheckReport) -> str:
    """The whole report in its language, about a hundred columns wide; passes are counted, not listed."""
    names = headings.IN[report.language]
    lines = [*wrapped(_headline(report, names), "  ", "")]
    for host, why in report.unreachable.items():
        lines += ["", *wrapped(f"{host}: {why}", "  " + _INDENT, f"{names.unreachable} ")]
    for verdict in WORST_FIRST:
        if verdict not in _QUIET:
            apart: dict[Finding, list[_Seen]] = {}
            for hosts, findings in _grouped(report.findings, verdict, names):
                if len(findings) == 1:
                    apart.setdefault(_unseen(findings[0]), []).append((hosts, findings[0]))
                else:
                    lines += ["", *_one_reason(hosts, findings, names, report.language)]
            for seen in apart.values():
                spoken = [(hosts, wording.spoken(one, report.language)) for hosts, one in seen]
                lines += ["", *_finding(spoken, report.explained, names)]
    lines += _at_work(report, names)
    if report.hosts:
        lines += ["", *columns(_table(report, names))]
    return document(lines)


def _headline(report: CheckReport, names: Headings) -> str:
    totals = report.totals
    line = names.line.format(
        verb=names.verbs[report.verb],
        fleet=names.counted(totals.hosts),
        against=names.against.format(report.target) if report.target else "",
        **totals.model_dump(),
    )
    return line + (names.unreachable_too.format(totals.unreachable) if totals.unreachable else "")


def _grouped(findings: Iterable[Finding], verdict: Verdict, names: Headings) -> list[tuple[list[str], list[Finding]]]:
    """Equal findings of several hosts as one, in the order they were first met.

    What is unknown for one and the same reason is one group too: a hung tool is one thing to look at, not ten.
    """
    alike: dict[Finding, list[str]] = {}
    for finding in findings:
        if finding.verdict is verdict:
            alike.setdefault(finding.model_copy(update={"host": ""}), []).append(finding.host or names.fleet)
    groups: dict[tuple[Finding | str, tuple[str, ...]], list[Finding]] = {}
    for finding, hosts in alike.items():
        reason = _reason(finding.observed) if verdict is Verdict.UNKNOWN else finding
        groups.setdefault((reason, tuple(hosts)), []).append(finding)
    return [(list(hosts), together) for (_, hosts), together in groups.items()]


def _reason(observed: str) -> str:
    """`cann: not in the evidence given` and `disks: not in …` are one reason: nobody gave it."""
    return NOT_GIVEN if observed.endswith(NOT_GIVEN) else observed


def _one_reason(hosts: Sequence[str], findings: Sequence[Finding], names: Headings, language: Language) -> list[str]:
    first = findings[0]
    observed, action = first.observed, first.next_action
    if observed.endswith(NOT_GIVEN):
        absent = sorted({finding.observed.removesuffix(f": {NOT_GIVEN}") for finding in findings})
        observed, action = f"{', '.join(absent)}: {NOT_GIVEN}", names.give_too
    said = [
        (names.on, ", ".join(hosts)),
        (names.unknown_here, ", ".join(dict.fromkeys(finding.id for finding in findings))),
        (names.do, action),
    ]
    observed = phrases.said(observed, language)
    return [*wrapped(observed, _INDENT, ljust(names.marks[first.verdict], 8)), *_labelled(said)]


def _labelled(said: Iterable[tuple[str, str]]) -> list[str]:
    """Each text behind its label, in lines."""
    return [one for name, text in said for one in wrapped(text, _INDENT, f"{'':8}{ljust(name, 12)}")]


def _unseen(finding: Finding) -> Finding:
    """The finding without what was seen: hosts that differ only in that are shown in one block."""
    return finding.model_copy(update={"host": "", "observed": "", "evidence": ""})


def _finding(seen: Sequence[_Seen], explained: Mapping[str, Meaning], names: Headings) -> list[str]:
    first = seen[0][1]
    shown = seen[:_WARNINGS_SHOWN] if first.verdict is Verdict.WARN else seen
    left = sum(len(hosts) for hosts, _ in seen[len(shown) :])
    said = [(names.on, ", ".join(host for hosts, _ in seen for host in hosts))]
    if len(seen) == 1:
        said += [(names.observed, first.observed), (names.expected, first.expected), (names.evidence, first.evidence)]
    else:
        said += [(names.observed, f"{', '.join(hosts)}{names.between}{_observed(one)}") for hosts, one in shown]
        said += [("", names.more.format(names.counted(left)) if left else ""), (names.expected, first.expected)]
    if first.id in explained:
        causes = explained[first.id].causes
        listed = "; ".join(f"{number}. {cause}" for number, cause in enumerate(causes, start=1))
        said += [(names.means, explained[first.id].meaning), (names.causes, listed)]
    said += [(names.do, first.next_action), (names.source, first.source)]
    lines = wrapped(f"{first.id}: {first.title}", _INDENT, ljust(names.marks[first.verdict], 8))
    return [*lines, *_labelled((name, text) for name, text in said if text)]


def _observed(finding: Finding) -> str:
    return f"{finding.observed} ({finding.evidence})" if finding.evidence else finding.observed


def _at_work(report: CheckReport, names: Headings) -> list[str]:
    """Who has cards open, of the first hosts where somebody has: nothing is wrong with it, but people ask."""
    busy = [
        (host.host, phrases.said(finding.observed, report.language))
        for host in report.hosts
        for finding in host.findings
        if finding.id == "holders.processes" and not host.stack["in_use"].startswith(("0/", "none", "unknown"))
    ]
    shown = [f"{host}{names.between}{observed}" for host, observed in busy[:_WARNINGS_SHOWN]]
    shown += [names.more.format(names.counted(len(busy) - len(shown)))] if len(busy) > len(shown) else []
    marks = [names.parts["in_use"], *[""] * len(shown)]
    lines = [wrapped(text, "  " + _INDENT, ljust(mark, 8)) for mark, text in zip(marks, shown, strict=False)]
    return ["", *itertools.chain.from_iterable(lines)] if lines else []


def _table(report: CheckReport, names: Headings) -> list[tuple[str, ...]]:
    stacks = tuple(report.hosts[0].stack)
    rows: list[tuple[str, ...]] = [(*names.table, *(names.parts.get(name, name.upper()) for name in stacks))]
    for host in report.hosts:
        counts = (host.count(verdict) for verdict in (Verdict.FAIL, Verdict.UNKNOWN, Verdict.WARN, Verdict.PASS))
        versions = (names.nothing.get(host.stack[name], host.stack[name]) for name in stacks)
        rows.append((host.host, names.verdicts[host.verdict], *map(str, counts), *versions))
    return rows
