"""What hosts of one chip family are set to for jobs over all of them: HCCL's variables, rank tables, the TLS switch."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

from ascend_provision.check import finding, majority
from ascend_provision.check.majority import FLEET
from ascend_provision.knowledge import equal_variables
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.network import RankTable

_OF_ONE = re.compile(r"^/home/|/systemd/")
"""Files of one user or one service: no job over several hosts reads them."""


def judge(family: str, hosts: Sequence[HostFacts]) -> Iterator[Finding]:
    """At least two hosts; what could not be read of one is not compared."""
    yield from _settings(family, hosts)
    yield from _rank_tables(family, hosts)
    yield from _tls(family, hosts)


def _settings(family: str, hosts: Sequence[HostFacts]) -> Iterator[Finding]:
    """Variables that every rank must have alike, as far as files for all users or for root set them."""
    key, differing = "fleet.environment", False
    for row in equal_variables.known():
        values = majority.by_value(hosts, _variable(row.variable, only_whether=row.only_whether))
        split = majority.split(values)
        if split is not None:
            differing = True
            give = finding.fail if row.verdict == "fail" else finding.warn
            observed = f"{family} {row.variable}: {split.odd}"
            yield give(key, FLEET, observed, expected=split.expected, evidence=row.note, source=row.cited)
    read = [facts for facts in hosts if not isinstance(facts.env_files, Unknown)]
    if not differing and len(read) > 1:
        yield finding.ok(key, FLEET, f"{family}: {len(read)} hosts alike")


def _variable(name: str, *, only_whether: bool) -> Callable[[HostFacts], str | None]:
    def read(facts: HostFacts) -> str | None:
        if isinstance(facts.env_files, Unknown):
            return None
        shared = [file for file in facts.env_files if not _OF_ONE.search(file.path)]
        values = sorted({file.variables[name] for file in shared if name in file.variables})
        return ("set" if only_whether else " and ".join(values)) if values else "not set"

    return read


def _rank_tables(family: str, hosts: Sequence[HostFacts]) -> Iterator[Finding]:
    """A table of several servers is about all of them: where several hosts have it, it must be one and the same."""
    key, differing = "fleet.rank-tables", False
    paths = Counter(table.path for facts in hosts for table in _shared(facts))
    for path in sorted(path for path, count in paths.items() if count > 1):
        versions: dict[RankTable, list[str]] = defaultdict(list)
        for facts in hosts:
            for table in _shared(facts):
                if table.path == path:
                    versions[table].append(facts.host)
        ranked = sorted(versions, key=lambda table: (-len(versions[table]), versions[table]))
        names = {f"text {number}": sorted(versions[table]) for number, table in enumerate(ranked, start=1)}
        if split := majority.split(names):
            differing = True
            yield finding.fail(key, FLEET, f"{family} {path}: {split.odd}", expected=split.expected)
    if not differing and any(count > 1 for count in paths.values()):
        yield finding.ok(key, FLEET, f"{family}: {', '.join(sorted(paths))}")


def _shared(facts: HostFacts) -> list[RankTable]:
    tables = () if isinstance(facts.rank_tables, Unknown) else facts.rank_tables
    return [table for table in tables if len(table.servers) > 1]


def _tls(family: str, hosts: Sequence[HostFacts]) -> Iterator[Finding]:
    values = majority.by_value(hosts, _switch)
    if split := majority.split(values):
        yield finding.fail("fleet.tls", FLEET, f"{family} TLS: {split.odd}", expected=split.expected)
    elif sum(map(len, values.values())) > 1:
        yield finding.ok(
            "fleet.tls", FLEET, f"{family}: {next(iter(values))} on {sum(map(len, values.values()))} hosts"
        )


def _switch(facts: HostFacts) -> str | None:
    """`enabled`, `disabled` or `mixed`; None when a card was not asked or has no switch."""
    if isinstance(facts.network, Unknown):
        return None
    found = [nic.tls for nic in facts.network]
    if not found or any(not isinstance(switch, bool) for switch in found):
        return None
    return "mixed" if len(set(found)) > 1 else "enabled" if found[0] else "disabled"
