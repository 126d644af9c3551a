"""The report of a check: what is wrong first, alike hosts together, and nothing a host says can forge a line."""

from __future__ import annotations

import json as stdlib_json
from pathlib import Path
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.knowledge import stacks
from ascend_provision.report import check, json, model
from ascend_provision.report.model import CheckReport, HostReport, Totals
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding, Verdict
from ascend_provision.stack.model import Unknown
from tests.unit.factories import a1_host, a2_host, changed, environment, nic, with_driver

DOCS = Path(__file__).parents[3] / "docs" / "schema"
NOT_REACHED = {"a9": "ssh: connect to host a9 port 22: No route to host"}


def old_environment(host: str, n: int) -> HostFacts:
    return changed(
        a1_host(host, "hdk23"),
        environments=(environment("/opt/train", torch="1.8.1", torch_npu="1.8.1"),),
        network=tuple(nic(d, f"10.{n}.{d % 4}.{d + 1}") for d in range(8)),
    )


def report(*hosts: HostFacts, unreachable: dict[str, str] | None = None) -> CheckReport:
    return model.check({facts.host: facts for facts in hosts}, unreachable or {})


def test_a_clean_fleet_is_a_headline_and_a_table() -> None:
    text = check.render(report(a1_host()))

    assert text.splitlines()[0].startswith("check of 1 host: 0 fail, 0 unknown, 0 warn, ")
    assert text.splitlines()[2:] == [
        "HOST   RESULT  FAIL  UNKNOWN  WARN  PASS  CHIPS     DRIVER  FIRMWARE       CANN",
        "a1-01  pass    0     0        0     37    8 x 910A  22.0.4  1.84.15.1.310  6.0.1",
    ]


def test_hosts_with_the_same_finding_are_named_together_once() -> None:
    text = check.render(report(old_environment("a1-01", 1), old_environment("a1-02", 2)))

    assert text.count("torch_npu 1.8.1 in /opt/train") == 1
    assert "        on          a1-01, a1-02\n" in text


def test_failures_come_before_unknowns_before_warnings_and_passes_are_not_listed() -> None:
    hung = changed(a2_host(), chips=Unknown(unknown="npu-smi hung"), users=())
    text = check.render(report(old_environment("a1-01", 1), hung))

    marks = [line.split()[0] for line in text.splitlines() if line[:1].isupper() and ": " in line]
    assert marks == sorted(marks, key=["FAIL", "UNKNOWN", "WARN", "HOST"].index)
    assert {"FAIL", "UNKNOWN"} <= set(marks)
    assert "skip" not in text
    assert "PASS    " not in text


def test_a_dead_host_is_named_with_its_ssh_error_and_hides_nobody() -> None:
    found = report(a1_host(), unreachable=NOT_REACHED)
    text = check.render(found)

    assert "UNREACHABLE a9: ssh: connect to host a9 port 22: No route to host\n" in text
    assert "; 1 unreachable" in text
    assert "\na1-01  pass" in text
    assert (found.totals.hosts, found.totals.unreachable) == (1, 1)


def test_a_report_fits_in_a_hundred_columns() -> None:
    hung = changed(a2_host(), chips=Unknown(unknown="npu-smi hung"))
    text = check.render(report(old_environment("a1-01", 1), hung, unreachable=NOT_REACHED))

    assert [line for line in text.splitlines() if len(line) > 100] == []


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

    found = model.verify(hosts, {}, {"a1-01": target, "a1-02": target}, "hdk23")
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
        "driver": "unknown",
        "firmware": "1.84.15.1.310",
        "cann": "unknown",
    }


def test_equal_reports_give_equal_bytes_whatever_the_order_of_the_hosts() -> None:
    hosts = {name: old_environment(name, n) for n, name in enumerate(("b", "a", "c"))}
    other = dict(reversed(hosts.items()))

    assert json.render(model.check(hosts, NOT_REACHED)) == json.render(model.check(other, NOT_REACHED))
    assert check.render(model.check(hosts, {})) == check.render(model.check(other, {}))


def test_json_says_its_schema_version_and_reads_back_as_the_same_report() -> None:
    found = report(old_environment("a1-01", 1), unreachable=NOT_REACHED)
    text = json.render(found)

    assert stdlib_json.loads(text)["schema_version"] == 1
    assert CheckReport.model_validate_json(text) == found


@pytest.mark.parametrize("name", sorted(json.MODELS))
def test_the_published_schemas_are_those_of_the_models(name: str) -> None:
    written = (DOCS / f"{name}.schema.json").read_text("utf-8")

    assert written == json.schema(name), "run: python -m ascend_provision.report.json docs/schema"


def saying(text: str) -> CheckReport:
    """A report of a host that says `text` wherever it can."""
    finding = Finding(
        id="chips.health", verdict=Verdict.FAIL, component="chips", title="every chip is healthy",
        observed=text, expected=text, evidence=text, source=text, next_action=text, host=text,
    )  # fmt: skip
    host = HostReport(host=text, stack={text: text}, verdict=Verdict.FAIL, findings=(finding,))
    totals = Totals(hosts=1, unreachable=1, fail=1, unknown=0, warn=0, passed=0, skip=0)
    return CheckReport(verb="check", totals=totals, hosts=(host,), fleet=(), unreachable={text: text})


HOSTILE = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.sampled_from("\x1b\x07\r\n\t\x00\x7f\x9b\u202e\u2066\u2028\u200b\ufeff\u061c[]m;"),
    ),
    max_size=40,
)


@given(HOSTILE)
def test_nothing_a_host_says_reaches_the_terminal_as_a_command_or_as_a_line_of_its_own(text: str) -> None:
    shown = check.render(saying(f"x {text} y"))

    assert {char for char in shown if category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}} == {"\n"}
    forged = [line for line in shown.splitlines() if line.startswith(("FAIL ", "UNKNOWN ", "WARN ", "check of"))]
    assert len(forged) == 2


@given(HOSTILE)
def test_json_is_printable_ascii_whatever_a_host_says(text: str) -> None:
    shown = json.render(saying(text.encode("utf-8", "replace").decode()))

    assert all(char == "\n" or " " <= char <= "~" for char in shown)


def test_a_host_called_like_a_verdict_forges_no_headline() -> None:
    shown = check.render(saying("h1\nFAIL    chips.health: forged"))

    assert "\nFAIL    chips.health: forged" not in shown
    assert "h1\\nFAIL" in shown
