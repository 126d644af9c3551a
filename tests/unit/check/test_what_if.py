"""`check --what-if`: every pair as if it were installed, and the least that must follow."""

from __future__ import annotations

import pytest

from ascend_provision.check import judge_as_if, judge_wish
from ascend_provision.check.what_if import as_if, fulfilled, least_change
from ascend_provision.knowledge.matrix import Matrix, published
from ascend_provision.knowledge.wishes import parse
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding, Verdict
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import Case, fails, passes, prove, unknown, warns
from tests.unit.factories import a1_host, a2_host, bare_host, changed, environment

KEY, MET = "pairing.least-change", "verify.wish"
WITH_TORCH = changed(
    a2_host(level="hdk24"), environments=(environment("/opt/llm", torch="2.4.0", torch_npu="2.4.0.post2"),)
)
SITE = "rows:\n- {cann: 6.0.1, hdk: 23.0.3, says: compatible, note: tried on rack 7}\n"


def found(facts: HostFacts, wish: str, matrix: Matrix | None = None) -> dict[str, Finding]:
    return {one.id: one for one in judge_as_if(facts, parse(wish), matrix=matrix)}


def test_a_driver_alone_is_judged_with_the_cann_that_would_stay() -> None:
    findings = found(a1_host(), "hdk=23.0.3")

    assert findings["pairing.driver-firmware"].verdict is Verdict.PASS
    assert findings["pairing.cann-driver"].verdict is not Verdict.PASS
    assert "toolkit 6.0.1 on driver 23.0.3" in findings["pairing.cann-driver"].observed


def test_the_least_change_names_what_must_follow_why_and_in_which_order() -> None:
    least = found(a1_host(), "hdk=23.0.3")["pairing.least-change"]

    assert "HDK 23.0.3 is published for firmware 7.1.0.5.220" in least.evidence
    assert least.next_action.index("HDK 22.0.4 -> 23.0.3") < least.next_action.index("CANN toolkit")
    assert least.source


@pytest.mark.parametrize("family", ["a1", "a2"])
@pytest.mark.parametrize("wish", ["hdk23", "hdk=23.0.3", "cann=7.0.0", "torch_npu=2.1.0"])
def test_on_a_host_with_nothing_only_what_the_imagined_parts_say_of_each_other_is_judged(
    family: str, wish: str
) -> None:
    judged = [one for one in judge_as_if(bare_host(family=family), parse(wish)) if one.verdict is not Verdict.SKIP]

    assert [one.id for one in judged if not one.id.startswith("pairing.")] == []
    assert [one.id for one in judged if one.verdict is Verdict.FAIL] == []


def test_what_a_host_has_today_is_still_judged_with_the_cann_that_comes() -> None:
    """From CANN 8.2.RC1 on HCCL listens on twice as many ports."""
    assert "60000-60031" in found(a2_host(level="hdk24"), "cann=8.2.RC1")["ports.hccl"].observed


CASES: list[Case] = [
    passes(
        "pairing.cann-driver",
        "an image's CANN on a host that has a driver only",
        lambda: judge_as_if(changed(a2_host(level="hdk24"), cann=()), parse("cann=8.3.RC2")),
        "toolkit 8.3.RC2 on driver 24.1.0",
    ),
    passes(KEY, "so already", lambda: judge_as_if(a1_host(level="hdk23"), parse("hdk23")), "hdk23: so already"),
    warns(
        KEY,
        "CANN must follow the driver",
        lambda: judge_as_if(a1_host(), parse("hdk=23.0.3")),
        "CANN 6.0.1 -> 7.0.0",
    ),
    fails(
        KEY,
        "what the published rows forbid, with the row",
        lambda: judge_as_if(a1_host(), parse("mindspore=2.7.1,cann=8.2.RC1")),
        "MindSpore 2.7.1 is published for CANN 8.3.RC1, not for 8.2.RC1",
    ),
    unknown(
        KEY,
        "versions that nobody publishes together",
        lambda: judge_as_if(a1_host(), parse("torch_npu=2.6.0.post9")),
        "nobody publishes together",
    ),
    passes(MET, "the framework is there", lambda: judge_wish(WITH_TORCH, parse("torch_npu=2.4.0.post2")), "so already"),
    fails(
        MET,
        "an environment with an older framework",
        lambda: judge_wish(WITH_TORCH, parse("torch_npu=2.5.1")),
        "torch_npu in /opt/llm 2.4.0.post2 -> 2.5.1",
    ),
    fails(
        MET,
        "what the published rows forbid",
        lambda: judge_wish(a1_host(), parse("mindspore=2.7.1,cann=8.2.RC1")),
        "MindSpore 2.7.1 is published for CANN 8.3.RC1, not for 8.2.RC1",
    ),
    unknown(MET, "no known card", lambda: [fulfilled(changed(a1_host(), pci=()), parse("torch_npu=2.1.0"))]),
    unknown(KEY, "no known card", lambda: [least_change(changed(a1_host(), pci=()), parse("cann=7.0.0"))]),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_least_change(case: Case) -> None:
    prove(case)


def test_a_stack_that_was_never_published_for_the_chip_is_unknown_on_that_host_only() -> None:
    (only,) = judge_as_if(a2_host(), parse("hdk22"))

    assert only.verdict is Verdict.UNKNOWN
    assert "not published for chip 910b" in only.observed


def test_a_feature_that_was_never_published_for_the_chip_is_unknown_on_that_host_only() -> None:
    found = judge_as_if(a1_host(), parse("a2-inference", option="--what-if"))

    assert [finding.verdict for finding in found] == [Verdict.UNKNOWN]


def test_without_the_pci_bus_the_least_change_says_what_was_not_read() -> None:
    dark = changed(
        a1_host(), pci=Unknown(unknown="sysfs is not mounted", settle="mount it"), chips=Unknown(unknown="hung")
    )
    finding = least_change(dark, parse("cann=7.0.0"))

    assert (finding.verdict, finding.observed, finding.next_action) == (
        Verdict.UNKNOWN,
        "sysfs is not mounted",
        "mount it",
    )


def test_a_sites_row_decides_and_the_finding_names_its_file() -> None:
    finding = found(a1_host(), "hdk=23.0.3", published().with_site(SITE, "ours.yaml"))["pairing.cann-driver"]

    assert finding.verdict is Verdict.PASS
    assert finding.source == "site's row, ours.yaml"


def test_a_framework_replaces_that_of_the_environments_that_have_it() -> None:
    host = a1_host(environments=(environment("/opt/a", torch="1.8.1", torch_npu="1.8.1"), environment("/opt/b")))
    first, second = as_if(host, parse("torch_npu=2.1.0")).environments

    assert (str(first.torch_npu), str(first.torch), second.torch_npu) == ("2.1.0", "1.8.1", None)


def test_the_files_that_a_package_would_replace_say_nothing_any_more() -> None:
    imagined = as_if(a1_host(level="hdk23"), parse("hdk=24.1.0,cann=8.0.0"))

    assert (str(imagined.driver.running), imagined.driver.accepts_cann, imagined.firmware.accepts_driver) == (
        "24.1.0",
        None,
        None,
    )
    assert {str(one.version) for one in imagined.cann} == {"8.0.0"}


def test_only_pairs_and_what_would_be_different_are_shown() -> None:
    shown = [one.id for one in judge_as_if(a1_host(), parse("cann=6.0.1"))]

    assert shown
    assert all(key.startswith("pairing.") for key in shown)


@pytest.mark.parametrize("installed", [(), Unknown(unknown="not in the evidence given")], ids=["none", "unread"])
def test_a_host_whose_cann_is_in_images_is_judged_as_if_it_had_one(installed: object) -> None:
    """Does the image's CANN 8.3.RC2 go with driver 24.1.0? asked of a host that has a driver only."""
    host = changed(a2_host(level="hdk24"), cann=installed, environments=())
    pair = found(host, "cann=8.3.RC2")["pairing.cann-driver"]

    assert (pair.verdict, pair.observed) == (Verdict.PASS, "toolkit 8.3.RC2 on driver 24.1.0")
    assert "V100R001C19" in pair.evidence
    older = changed(a2_host(), cann=installed, environments=())
    assert found(older, "cann=8.3.RC2")["pairing.cann-driver"].verdict is not Verdict.PASS


def test_a_least_change_that_rests_on_nothing_read_says_so() -> None:
    dark = Unknown(unknown="not in the evidence given")
    host = changed(a2_host(level="hdk24"), cann=dark, environments=dark)

    assert not found(host, "cann=8.3.RC2")[KEY].observed.endswith(": ")
