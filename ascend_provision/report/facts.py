"""What is known about each host, nothing judged: the document of `facts`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import yaml

from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.given import GivenEvidence, GivenPiece
from ascend_provision.stack.model import Noun


class HostEvidence(Noun):
    """How one host's files were understood: by `file` and lines, and what nobody recognised."""

    host: str
    recognised: tuple[GivenPiece, ...]
    unrecognised: tuple[GivenPiece, ...]


class FactsReport(Noun):
    """`unreachable` says why a host gave none; `evidence` is only there for hosts that were read from files."""

    schema_version: Literal[1] = 1
    hosts: tuple[HostFacts, ...]
    unreachable: dict[str, str] = {}
    evidence: tuple[HostEvidence, ...] = ()


def report(
    facts: Mapping[str, HostFacts], unreachable: Mapping[str, str], given: Iterable[GivenEvidence] = ()
) -> FactsReport:
    """Hosts by name."""
    return FactsReport(
        hosts=tuple(facts[host] for host in sorted(facts)),
        unreachable=dict(sorted(unreachable.items())),
        evidence=tuple(
            HostEvidence(host=item.host, recognised=item.pieces, unrecognised=item.unrecognised) for item in given
        ),
    )


def render(found: FactsReport) -> str:
    """As YAML, for people."""
    return str(yaml.safe_dump(found.model_dump(mode="json"), sort_keys=False, allow_unicode=False, width=120))


def strangers(given: Iterable[GivenEvidence], limit: int = 12) -> list[str]:
    """One line for each place that nobody recognised, the first `limit` of them."""
    found = [
        f"{item.host}: {piece.file}:{piece.line}-{piece.last_line} is not recognised: {piece.says}"
        for item in given
        for piece in item.unrecognised
    ]
    more = [f"and {len(found) - limit} more places"] if len(found) > limit else []
    return [*found[:limit], *more]
