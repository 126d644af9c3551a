from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.check import judge_host
from ascend_provision.knowledge import env_rules
from ascend_provision.stack.facts import EnvFile, HostFacts
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import LiveEnv
from ascend_provision.stack.versions import FrameworkVersion, HdkVersion
from tests.unit.check.cases import HUNG, Case, fails, passes, prove, skips, unknown, warns
from tests.unit.factories import a1_host, changed, environment, with_driver

ALLOC = "PYTORCH_NPU_ALLOC_CONF"


def sets(facts: HostFacts | None = None, **variables: str) -> HostFacts:
    file = EnvFile(path="/etc/profile.d/train.sh", variables=variables)
    return changed(facts or a1_host(level="hdk23"), env_files=(file,))


def runs(**variables: str) -> HostFacts:
    """A training job with these variables holds the cards; no file sets any."""
    job = LiveEnv(pid=4242, name="pid 4242 python train.py", variables=variables)
    return changed(a1_host(level="hdk23"), env_files=(), live_env=(job,))


def torch_npu(version: str | None) -> HostFacts:
    return changed(a1_host(level="hdk23"), environments=(environment("/opt/train", torch_npu=version),))


UNREAD_TORCH_NPU = changed(
    a1_host(level="hdk23"), environments=(environment("/opt/odd").model_copy(update={"unread": ("torch_npu",)}),)
)

CASES: list[Case] = [
    passes(
        "env.allocator-conflict",
        "expandable alone",
        lambda: judge_host(sets(PYTORCH_NPU_ALLOC_CONF="expandable_segments:True")),
    ),
    fails(
        "env.allocator-conflict",
        "the golden combination of a blog",
        lambda: judge_host(
            sets(
                PYTORCH_NPU_ALLOC_CONF="max_split_size_mb:64,garbage_collection_threshold:0.6,expandable_segments:True"
            )
        ),
        "/etc/profile.d/train.sh",
    ),
    passes(
        "env.allocator-conflict",
        "False excludes nothing",
        lambda: judge_host(sets(PYTORCH_NPU_ALLOC_CONF="max_split_size_mb:64,expandable_segments:False")),
    ),
    unknown(
        "env.allocator-conflict",
        "files unread",
        lambda: judge_host(changed(a1_host(), env_files=Unknown(unknown="cut"))),
    ),
    passes(
        "env.allocator-key",
        "series 5.0.0 knows it",
        lambda: judge_host(sets(PYTORCH_NPU_ALLOC_CONF="expandable_segments:True")),
    ),
    fails(
        "env.allocator-key",
        "5.0.rc3 aborts on it",
        lambda: judge_host(sets(torch_npu("2.1.0rc1"), PYTORCH_NPU_ALLOC_CONF="expandable_segments:True")),
        "torch_npu 2.1.0rc1 in /opt/train",
    ),
    fails(
        "env.allocator-key",
        "even on False",
        lambda: judge_host(sets(torch_npu("2.1.0rc1"), PYTORCH_NPU_ALLOC_CONF="expandable_segments:False")),
    ),
    warns(
        "env.allocator-key",
        "a mistyped key",
        lambda: judge_host(sets(PYTORCH_NPU_ALLOC_CONF="expandable_segment:True")),
        "expandable_segment: no published key",
    ),
    unknown(
        "env.allocator-key",
        "a torch_npu nobody listed",
        lambda: judge_host(sets(torch_npu("2.99.0"), PYTORCH_NPU_ALLOC_CONF="expandable_segments:True")),
        "torch_npu 2.99.0",
    ),
    unknown(
        "env.allocator-key",
        "a torch_npu unread",
        lambda: judge_host(sets(UNREAD_TORCH_NPU, PYTORCH_NPU_ALLOC_CONF="expandable_segments:True")),
        "/opt/odd",
    ),
    unknown(
        "env.allocator-key",
        "environments unread",
        lambda: judge_host(sets(changed(a1_host(), environments=HUNG), PYTORCH_NPU_ALLOC_CONF="max_split_size_mb:64")),
    ),
    passes(
        "env.allocator-level", "on 23.0.3", lambda: judge_host(sets(PYTORCH_NPU_ALLOC_CONF="expandable_segments:True"))
    ),
    fails(
        "env.allocator-level",
        "on 22.0.4",
        lambda: judge_host(sets(a1_host(), PYTORCH_NPU_ALLOC_CONF="expandable_segments:True")),
        "on HDK 22.0.4",
    ),
    passes(
        "env.allocator-level",
        "False on 22.0.4 asks for nothing",
        lambda: judge_host(sets(a1_host(), PYTORCH_NPU_ALLOC_CONF="expandable_segments:False")),
    ),
    unknown(
        "env.allocator-level",
        "driver unread",
        lambda: judge_host(
            sets(with_driver(a1_host(), running=HUNG), PYTORCH_NPU_ALLOC_CONF="expandable_segments:True")
        ),
    ),
    warns(
        "env.allocator-names",
        "both names",
        lambda: judge_host(sets(PYTORCH_NPU_ALLOC_CONF="page_size:1g", PYTORCH_ALLOC_CONF="expandable_segments:True")),
    ),
    warns(
        "env.allocator-names",
        "both names in two files",
        lambda: judge_host(
            changed(
                a1_host(level="hdk23"),
                env_files=(
                    EnvFile(path="/etc/profile.d/a.sh", variables={ALLOC: "max_split_size_mb:64"}),
                    EnvFile(path="/root/.bashrc", variables={"PYTORCH_ALLOC_CONF": "max_split_size_mb:64"}),
                ),
            )
        ),
        "/root/.bashrc",
    ),
    passes("env.limits", "200 MB", lambda: judge_host(sets(HCCL_BUFFSIZE="200"))),
    fails(
        "env.limits", "bytes for megabytes", lambda: judge_host(sets(HCCL_BUFFSIZE="1048576")), "HCCL_BUFFSIZE=1048576"
    ),
    warns("env.limits", "large", lambda: judge_host(sets(HCCL_BUFFSIZE="4096"))),
    fails(
        "env.limits",
        "a split size below the floor",
        lambda: judge_host(sets(PYTORCH_NPU_ALLOC_CONF="max_split_size_mb:10")),
        "max_split_size_mb:10",
    ),
    fails(
        "env.running",
        "a job that was started with bytes for megabytes",
        lambda: judge_host(runs(HCCL_BUFFSIZE="1048576")),
        "HCCL_BUFFSIZE=1048576 in pid 4242 python train.py",
    ),
    fails(
        "env.running",
        "a job with the golden combination",
        lambda: judge_host(runs(PYTORCH_NPU_ALLOC_CONF="max_split_size_mb:64,expandable_segments:True")),
    ),
    warns(
        "env.running",
        "a job with libraries of two releases",
        lambda: judge_host(
            runs(
                LD_LIBRARY_PATH="/usr/local/Ascend/ascend-toolkit/6.0.1/lib64:/usr/local/Ascend/ascend-toolkit/7.0.0/lib64"
            )
        ),
        "/usr/local/Ascend/ascend-toolkit/6.0.1, /usr/local/Ascend/ascend-toolkit/7.0.0",
    ),
    passes("env.running", "a job with the defaults", lambda: judge_host(runs(HCCL_BUFFSIZE="200"))),
    unknown("env.running", "not root", lambda: judge_host(changed(a1_host(), live_env=HUNG))),
    skips("env.running", "nobody on the cards", lambda: judge_host(changed(a1_host(), live_env=()))),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_env(case: Case) -> None:
    prove(case)


def test_what_the_profile_writes_never_displeases_the_check() -> None:
    for hdk, level in (("22.0.4", "hdk22"), ("23.0.3", "hdk23"), ("24.1.0", "hdk24")):
        for version in ("1.8.1", "2.1.0rc1", "2.1.0", "2.4.0.post2", "2.99.0"):
            written = env_rules.profile(HdkVersion(hdk), [FrameworkVersion(version)]).variables
            facts = changed(a1_host(level=level), environments=(environment("/opt/train", torch_npu=version),))
            bad = [
                f
                for f in judge_host(sets(facts, **written))
                if f.id.startswith("env.") and f.verdict.value not in {"pass", "skip"}
            ]
            assert bad == []


@given(st.dictionaries(st.sampled_from([ALLOC, "HCCL_BUFFSIZE", "LD_LIBRARY_PATH"]), st.text(max_size=60), max_size=3))
def test_garbage_in_an_environment_file_never_raises(variables: dict[str, str]) -> None:
    judge_host(sets(**variables))


def test_eight_ranks_with_one_mistake_are_one_finding() -> None:
    ranks = tuple(
        LiveEnv(pid=100 + n, name=f"pid {100 + n} python", variables={"HCCL_BUFFSIZE": "1048576", "RANK_ID": str(n)})
        for n in range(8)
    )
    given_ = [f for f in judge_host(changed(a1_host(), live_env=ranks)) if f.id == "env.running"]

    assert [f.observed for f in given_] == [
        "HCCL_BUFFSIZE=1048576 in pid 100 python, pid 101 python, pid 102 python and 5 more"
    ]
    assert given_[0].evidence == "2 x 1048576 MB = 2048 GB for each communicator"
