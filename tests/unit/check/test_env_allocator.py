from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import EnvFile, HostFacts
from ascend_provision.stack.findings import Finding
from tests.unit.check.cases import Case, fails, passes, prove, unknown
from tests.unit.factories import a1_host, a2_host, changed, environment

A1 = a1_host(level="hdk23")


def allocates(value: str, facts: HostFacts = A1) -> tuple[Finding, ...]:
    file = EnvFile(path="/etc/profile.d/train.sh", variables={"PYTORCH_NPU_ALLOC_CONF": value})
    return judge_host(changed(facts, env_files=(file,)))


NEW = changed(a2_host(level="hdk24"), environments=(environment("/opt/train", torch_npu="2.5.1"),))
CASES: list[Case] = [
    fails(
        "env.limits",
        "a threshold of one",
        lambda: allocates("garbage_collection_threshold:1.0"),
        "garbage_collection_threshold:1.0",
    ),
    passes("env.limits", "a threshold below one", lambda: allocates("garbage_collection_threshold:0.8")),
    fails(
        "env.allocator-level",
        "large pages on an HDK that has none",
        lambda: allocates("page_size:1g", NEW),
        "page_size:1g on HDK 24.1.0",
    ),
    fails(
        "env.allocator-level",
        "large pages on a CANN that has none",
        lambda: allocates("page_size:1g", NEW),
        "on CANN 8.0.0",
    ),
    fails("env.allocator-level", "large pages on A1", lambda: allocates("page_size:1g"), "page_size on chip 910"),
    passes("env.allocator-level", "what only needs torch_npu", lambda: allocates("max_split_size_mb:64", NEW)),
    fails(
        "env.allocator-key",
        "a key that needs a newer torch",
        lambda: allocates(
            "pinned_use_background_threads:True",
            changed(A1, environments=(environment("/opt/train", torch_npu="2.9.0.post2", torch="2.7.1"),)),
        ),
        "torch 2.7.1 in /opt/train",
    ),
    unknown(
        "env.allocator-conflict",
        "a key that is cut",
        lambda: allocates("expandable_segments:True,max_split_s"),
        "max_split_s is no KEY:VALUE",
    ),
    passes(
        "env.allocator-conflict",
        "a value the shell works out is not judged",
        lambda: allocates("$BASE,expandable_segments:True"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_env_allocator(case: Case) -> None:
    prove(case)


def test_the_conflict_of_a_blog_is_told_with_both_ways_out() -> None:
    (finding,) = [f for f in allocates("max_split_size_mb:64,expandable_segments:True") if f.verdict.value == "fail"]

    assert finding.id == "env.allocator-conflict"
    assert finding.expected == "either expandable_segments, or max_split_size_mb"
    assert finding.next_action.startswith(
        "keep either expandable_segments, or max_split_size_mb, and take the other out"
    )
