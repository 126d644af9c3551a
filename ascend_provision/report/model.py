"""The one model of a check: findings, hosts and totals, counted once; every format is a rendering of it."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

from ascend_provision.check import judge_as_if, judge_fleet, judge_host, judge_target, judge_wish, wording
from ascend_provision.check.reading import suites
from ascend_provision.knowledge import catalogue
from ascend_provision.knowledge.matrix import Matrix
from ascend_provision.knowledge.wishes import Wish
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding, Language, Verdict
from ascend_provision.stack.model import Noun, Unknown
from ascend_provision.stack.target import Target
from ascend_provision.stack.versions import FrameworkVersion

_CARD = re.compile(r"/davinci\d+$")
WORST_FIRST = (Verdict.FAIL, Verdict.UNKNOWN, Verdict.WARN, Verdict.PASS, Verdict.SKIP)
"""The order findings are shown in, and the verdict of a host is the first of these it has."""


class Totals(Noun):
    """How many findings of each verdict, and how many hosts answered or did not."""

    hosts: int
    unreachable: int
    fail: int
    unknown: int
    warn: int
    passed: int
    skip: int


class HostReport(Noun):
    """One host: what it runs (chips, in_use, driver, firmware, cann), its worst verdict, and everything found."""

    host: str
    stack: dict[str, str]
    verdict: Verdict
    findings: tuple[Finding, ...]

    def count(self, verdict: Verdict) -> int:
        """How many findings of this verdict the host has."""
        return sum(finding.verdict is verdict for finding in self.findings)


class Meaning(Noun):
    """What a finding that failed or warns means, and its causes, the likeliest first."""

    meaning: str
    causes: tuple[str, ...]


class CheckReport(Noun):
    """A whole check or verification: `fleet` is about several hosts, `unreachable` says why a host said nothing.

    Titles, next actions and `explained` are in `language`; ids, verdicts and what hosts said are the same in each.
    `explained` has every finding that failed or warns, once. Schema 2 added these two fields to schema 1.
    """

    schema_version: Literal[2] = 2
    language: Language = "en"
    verb: Literal["check", "verify"]
    target: str = ""
    totals: Totals
    hosts: tuple[HostReport, ...]
    fleet: tuple[Finding, ...]
    unreachable: dict[str, str]
    explained: dict[str, Meaning] = {}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding, the fleet's first."""
        return (*self.fleet, *(finding for host in self.hosts for finding in host.findings))

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """For the exit status."""
        return tuple(finding.verdict for finding in self.findings)


def check(
    facts: Mapping[str, HostFacts],
    unreachable: Mapping[str, str],
    *,
    target_python: FrameworkVersion | None = None,
    language: Language = "en",
    matrix: Matrix | None = None,
) -> CheckReport:
    """Judge every host and the fleet.

    `target_python` is the oldest Python the ansible-core here manages; `matrix` the published one where none is given.
    """
    found = {host: judge_host(facts[host], target_python=target_python, matrix=matrix) for host in sorted(facts)}
    fleet = judge_fleet([facts[host] for host in sorted(facts)])
    return in_language(_report("check", facts, found, fleet, unreachable), language)


def check_as_if(
    facts: Mapping[str, HostFacts],
    unreachable: Mapping[str, str],
    *,
    wish: Wish,
    target_python: FrameworkVersion | None = None,
    language: Language = "en",
    matrix: Matrix | None = None,
) -> CheckReport:
    """Judge every host as if the wish were installed on it; the fleet as a whole is not imagined."""
    found = {host: judge_as_if(facts[host], wish, target_python=target_python, matrix=matrix) for host in sorted(facts)}
    return in_language(_report("check", facts, found, (), unreachable, f"{wish.text}, as if installed"), language)


def verify(
    facts: Mapping[str, HostFacts],
    unreachable: Mapping[str, str],
    targets: Mapping[str, Target],
    wish: Wish,
    *,
    language: Language = "en",
) -> CheckReport:
    """Is each host at its target, or at what else was wished for? Hosts without a target are left out."""
    found = {
        host: judge_target(facts[host], target) if wish.direct else judge_wish(facts[host], wish)
        for host, target in sorted(targets.items())
    }
    return in_language(_report("verify", facts, found, (), unreachable, wish.text), language)


def in_language(report: CheckReport, language: Language) -> CheckReport:
    """The same report, its findings worded and explained in that language."""
    said = functools.partial(wording.said, language=language)
    hosts = tuple(
        host.model_copy(update={"findings": tuple(map(said, host.findings))}) if language != report.language else host
        for host in report.hosts
    )
    bad = {finding.id for finding in report.findings if finding.verdict in {Verdict.FAIL, Verdict.WARN}}
    words = {key: entry.words(language) for key, entry in catalogue.entries().items() if key in bad}
    return report.model_copy(
        update={
            "language": language,
            "hosts": hosts,
            "fleet": tuple(map(said, report.fleet)),
            "explained": {key: Meaning(meaning=its.meaning, causes=its.causes) for key, its in words.items()},
        }
    )


def _report(
    verb: Literal["check", "verify"],
    facts: Mapping[str, HostFacts],
    found: Mapping[str, tuple[Finding, ...]],
    fleet: tuple[Finding, ...],
    unreachable: Mapping[str, str],
    target: str = "",
) -> CheckReport:
    hosts = tuple(
        HostReport(host=host, stack=stack(facts[host]), verdict=worst(findings), findings=_ordered(findings))
        for host, findings in found.items()
    )
    counted = Counter(finding.verdict for findings in (fleet, *found.values()) for finding in findings)
    return CheckReport(
        verb=verb,
        target=target,
        totals=Totals(
            hosts=len(hosts),
            unreachable=len(unreachable),
            fail=counted[Verdict.FAIL],
            unknown=counted[Verdict.UNKNOWN],
            warn=counted[Verdict.WARN],
            passed=counted[Verdict.PASS],
            skip=counted[Verdict.SKIP],
        ),
        hosts=hosts,
        fleet=_ordered(fleet),
        unreachable=dict(sorted(unreachable.items())),
    )


def worst(findings: Iterable[Finding]) -> Verdict:
    """The verdict that says most about them together; skip when there is nothing else."""
    verdicts = {finding.verdict for finding in findings}
    return next((verdict for verdict in WORST_FIRST if verdict in verdicts), Verdict.SKIP)


def _ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: WORST_FIRST.index(finding.verdict)))


def stack(facts: HostFacts) -> dict[str, str]:
    """What a host runs, in words: chips, how many of them somebody has open, driver, firmware in flash, CANN.

    `unknown` and `none` are different things.
    """
    flash = facts.firmware.flash
    versions = dict.fromkeys(str(item.version) for item in suites(facts))
    return {
        "chips": _chips(facts),
        "in_use": _in_use(facts),
        "driver": _say(facts.driver.running),
        "firmware": "unknown" if isinstance(flash, Unknown) else "/".join(map(str, flash)) or "none",
        "cann": "unknown" if isinstance(facts.cann, Unknown) else "/".join(versions) or "none",
    }


def _chips(facts: HostFacts) -> str:
    if isinstance(facts.chips, Unknown):
        return "unknown"
    names = "/".join(dict.fromkeys(chip.name for chip in facts.chips))
    return f"{len(facts.chips)} x {names}" if facts.chips else "none"


def _in_use(facts: HostFacts) -> str:
    """`2/8`: cards that a process has open; one that only polls the manager's node has none."""
    if isinstance(facts.holders, Unknown) or isinstance(facts.chips, Unknown):
        return "unknown"
    opened = {node for holder in facts.holders for node in holder.devices if _CARD.search(node)}
    return f"{len(opened)}/{len(facts.chips)}" if opened or facts.chips else "none"


def _say(value: object) -> str:
    return "unknown" if isinstance(value, Unknown) else str(value) if value is not None else "none"
