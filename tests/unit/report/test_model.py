"""The model of a check counts once, and says what it does not know."""

from __future__ import annotations

import pytest

from ascend_provision.knowledge import stacks
from ascend_provision.knowledge.wishes import parse
from ascend_provision.report import check, model
from ascend_provision.report.model import Totals
from ascend_provision.stack.findings import Finding, Verdict
from ascend_provision.stack.model import Unknown
from tests.unit.factories import a1_host, a2_host, changed, with_driver
from tests.unit.report.reports import old_environment, report


def test_totals_are_those_of_the_findings() -> None:
    found = report(old_environment("a1-01", 1), with_driver(old_environment("a1-02", 2), running=None))

    counted = {verdict: found.verdicts.count(verdict) for verdict in Verdict}
    assert found.totals == Totals(
        hosts=2,
        unreachable=0,
        fail=counted[Verdict.FAIL],
        unknown=counted[Verdict.UNKNOWN],
        warn=counted[Verdict.WARN],
        passed=counted[Verdict.PASS],
        skip=counted[Verdict.SKIP],
    )
    assert counted[Verdict.FAIL] >= 2


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ("fail unknown pass", "fail"),
        ("unknown warn", "unknown"),
        ("warn pass skip", "warn"),
        ("pass skip", "pass"),
        ("", "skip"),
    ],
)
def test_a_host_is_as_bad_as_its_worst_finding(verdicts: str, expected: str) -> None:
    findings = [Finding(id="x.y", verdict=Verdict(word), component="x", title="x") for word in verdicts.split()]

    assert model.worst(findings).value == expected


def test_verification_names_the_target_and_only_hosts_that_have_one() -> None:
    target = stacks.named("hdk23", "910")
    assert target is not None
    hosts = {"a1-01": a1_host("a1-01", "hdk23"), "a1-02": a1_host("a1-02"), "a2-01": a2_host("a2-01")}

    found = model.verify(hosts, {}, {"a1-01": target, "a1-02": target}, parse("hdk23"))
    text = check.render(found)

    assert text.startswith("verify of 2 hosts against hdk23: ")
    assert {host.host: host.verdict.value for host in found.hosts} == {"a1-01": "pass", "a1-02": "fail"}
    assert "FAIL    verify.driver: the driver wanted is running" in text
    assert found.fleet == ()


def test_unknown_versions_are_said_and_not_left_out() -> None:
    dark = Unknown(unknown="cut")
    facts = changed(with_driver(a1_host(), running=dark), cann=dark, chips=dark)

    assert model.stack(facts) == {
        "chips": "unknown",
        "in_use": "unknown",
        "driver": "unknown",
        "firmware": "1.84.15.1.310",
        "cann": "unknown",
    }
