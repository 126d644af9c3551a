from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import CannVersion
from tests.unit.check.cases import Case, fails, passes, prove, unknown, warns
from tests.unit.factories import (
    a1_host,
    cann,
    changed,
    environment,
)

UNREAD = Unknown(unknown="driver/version.info: permission denied")


def with_environment(facts: HostFacts, **frameworks: str) -> HostFacts:
    return changed(facts, environments=(environment("/opt/train", **frameworks),))


CASES: list[Case] = [
    warns(
        "pairing.torch-torch-npu",
        "a torch for another kind of card, where the wheel asks for the CPU build",
        lambda: judge_host(with_environment(a1_host(level="hdk24"), torch="2.4.0+cu121", torch_npu="2.4.0.post2")),
        "torch 2.4.0+cu121 with torch_npu 2.4.0.post2",
    ),
    passes(
        "pairing.torch-torch-npu",
        "the CPU build",
        lambda: judge_host(with_environment(a1_host(level="hdk24"), torch="2.4.0+cpu", torch_npu="2.4.0.post2")),
    ),
    passes("pairing.torch-npu-cann", "1.8.1 with 6.0.1", lambda: judge_host(a1_host()), "in /opt/train"),
    fails(
        "pairing.torch-npu-cann",
        "the environment of hdk 22 after the upgrade",
        lambda: judge_host(with_environment(a1_host(level="hdk23"), torch="1.8.1", torch_npu="1.8.1")),
        "torch_npu 1.8.1 in /opt/train",
    ),
    unknown(
        "pairing.torch-npu-cann",
        "a build nobody listed",
        lambda: judge_host(with_environment(a1_host(), torch="2.4.1", torch_npu="2.4.1")),
    ),
    unknown(
        "pairing.torch-npu-cann",
        "a version that is none",
        lambda: judge_host(
            changed(a1_host(), environments=(environment("/opt/odd").model_copy(update={"unread": ("torch_npu",)}),))
        ),
        "/opt/odd",
    ),
    unknown("pairing.torch-npu-cann", "not looked at", lambda: judge_host(changed(a1_host(), environments=UNREAD))),
    passes("pairing.torch-torch-npu", "1.8.1 with 1.8.1", lambda: judge_host(a1_host())),
    fails(
        "pairing.torch-torch-npu",
        "torch was upgraded alone",
        lambda: judge_host(with_environment(a1_host(level="hdk24"), torch="2.5.1", torch_npu="2.4.0.post2")),
        "torch 2.5.1 with torch_npu 2.4.0.post2",
    ),
    unknown(
        "pairing.torch-torch-npu",
        "a build nobody listed",
        lambda: judge_host(with_environment(a1_host(), torch="2.4.1", torch_npu="2.4.1")),
    ),
    passes(
        "pairing.mindspore-cann",
        "1.10.0 with 6.0.1",
        lambda: judge_host(with_environment(a1_host(), mindspore="1.10.0")),
    ),
    fails(
        "pairing.mindspore-cann",
        "1.10.0 after the upgrade",
        lambda: judge_host(with_environment(a1_host(level="hdk23"), mindspore="1.10.0")),
        "MindSpore 1.10.0",
    ),
    unknown(
        "pairing.mindspore-cann",
        "one nobody listed",
        lambda: judge_host(with_environment(a1_host(), mindspore="2.2.99")),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_environments(case: Case) -> None:
    prove(case)


def test_a_mismatched_environment_is_told_what_would_fit_the_installed_cann() -> None:
    facts = with_environment(a1_host(level="hdk23"), torch="1.8.1", torch_npu="1.8.1")

    found = next(finding for finding in judge_host(facts) if finding.id == "pairing.torch-npu-cann")
    assert "torch_npu 2.1.0 with CANN 7.0.0" in found.next_action
    assert "1.8.1 with" not in found.next_action


def test_each_of_two_environments_gets_its_own_answer() -> None:
    facts = changed(
        a1_host(level="hdk23"),
        environments=(
            environment("/opt/new", torch="2.1.0", torch_npu="2.1.0"),
            environment("/opt/old", torch="1.8.1", torch_npu="1.8.1"),
        ),
    )

    said = {f.observed: f.verdict.value for f in judge_host(facts) if f.id == "pairing.torch-npu-cann"}
    assert said == {"torch_npu 2.1.0 in /opt/new": "pass", "torch_npu 1.8.1 in /opt/old": "fail"}


def test_the_toolkit_is_judged_and_not_the_nnae_beside_it() -> None:
    nnae = cann("a1-hdk22", "nnae").model_copy(update={"version": CannVersion("5.1.RC2")})
    facts = changed(a1_host(), cann=(nnae, cann("a1-hdk22")))

    found = next(finding for finding in judge_host(facts) if finding.id == "pairing.torch-npu-cann")
    assert found.verdict.value == "pass"
