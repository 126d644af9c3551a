"""Reports of checks for tests: of real findings, and of a host that says anything."""

from __future__ import annotations

from hypothesis import strategies as st

from ascend_provision.report import model
from ascend_provision.report.model import CheckReport, HostReport, Totals
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding, Verdict
from tests.unit.factories import a1_host, changed, environment, nic

NOT_REACHED = {"a9": "ssh: connect to host a9 port 22: No route to host"}


def old_environment(host: str, n: int) -> HostFacts:
    return changed(
        a1_host(host, "hdk23"),
        environments=(environment("/opt/train", torch="1.8.1", torch_npu="1.8.1"),),
        network=tuple(nic(d, f"10.{n}.{d % 4}.{d + 1}") for d in range(8)),
    )


def report(*hosts: HostFacts, unreachable: dict[str, str] | None = None) -> CheckReport:
    return model.check({facts.host: facts for facts in hosts}, unreachable or {})


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
