"""The set of findings is complete: each has a text, a test for every verdict, and a place in the docs."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_provision.check import judge_fleet, judge_host, judge_target
from ascend_provision.knowledge import catalogue
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.target import Target
from ascend_provision.stack.versions import FrameworkVersion
from tests.unit.check.cases import Case, every
from tests.unit.factories import a1_host, a2_host, bare_host, changed

CASES: list[Case] = every()


NEVER_PASSES = {"holders.held-back", "leftovers.yours", "env.allocator-names"}


def test_every_verdict_of_every_finding_has_a_case() -> None:
    wanted = {(entry.id, verdict) for entry in catalogue.entries().values() for verdict in entry.verdicts}
    wanted |= {(key, "pass") for key in catalogue.entries() if key not in NEVER_PASSES}
    shown = {(case.key, case.verdict.value) for case in CASES}

    assert wanted - shown == set()
    assert {pair for pair in shown - wanted if pair[1] != "skip"} == set()


def everything(facts: HostFacts) -> tuple[Finding, ...]:
    target = Target.model_validate({"driver": "23.0.3", "firmware": "7.1.0.5.220", "cann": "7.0.0"})
    return (
        *judge_host(facts, target_python=FrameworkVersion("3.8")),
        *judge_fleet((facts, a2_host())),
        *judge_target(facts, target, chips_before=8, boot_id_before="before", kernel="5.10"),
    )


UNREADABLE = [
    name for name, field in HostFacts.model_fields.items() if Unknown in getattr(field.annotation, "__args__", ())
]


PARTS = {"driver": [], "firmware": [], "kernel": [], "boot": [], "os": []}


def blinded(facts: HostFacts, names: list[str], parts: list[str]) -> HostFacts:
    """The host with these facts unknown, and with every field of these parts unknown."""
    dark = Unknown(unknown="the probe was cut")
    changes: dict[str, object] = dict.fromkeys(names, dark)
    for part in parts:
        noun = getattr(facts, part)
        changes[part] = noun.model_copy(update=dict.fromkeys(type(noun).model_fields, dark))
    return changed(facts, **changes)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([a1_host(), a2_host(level="hdk24"), bare_host()]),
    st.lists(st.sampled_from(UNREADABLE), unique=True),
    st.lists(st.sampled_from(sorted(PARTS)), unique=True),
)
def test_what_is_not_known_never_becomes_a_fault_or_a_pass(
    facts: HostFacts, names: list[str], parts: list[str]
) -> None:
    """Hiding facts may turn a verdict into unknown or skip; never does it make a fault, or turn a fault into a pass."""
    before = said(everything(facts))
    after = said(everything(blinded(facts, names, parts)))

    for key, verdicts in after.items():
        if not key.startswith("fleet."):
            assert "fail" not in verdicts or "fail" in before.get(key, set()), key
            assert verdicts != {"pass"} or before.get(key, set()) <= {"pass", "skip"}, key


def said(findings: tuple[Finding, ...]) -> dict[str, set[str]]:
    verdicts: dict[str, set[str]] = {}
    for finding in findings:
        verdicts.setdefault(finding.id, set()).add(finding.verdict.value)
    return verdicts


def test_a_host_of_which_nothing_is_known_is_unknown() -> None:
    dark = blinded(a1_host(), UNREADABLE, sorted(PARTS))
    given_ = judge_host(dark, target_python=FrameworkVersion("3.8"))

    assert {f.verdict.value for f in given_} <= {"unknown", "skip"}
    assert sum(f.verdict.value == "unknown" for f in given_) >= 15
    for finding in given_:
        if finding.verdict.value == "unknown":
            assert finding.next_action
