from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.knowledge import env_rules, frameworks
from ascend_provision.stack.versions import FrameworkVersion, HdkVersion


def conf(hdk: str | None, *torch_npus: str | None) -> str | None:
    found = env_rules.profile(
        HdkVersion(hdk) if hdk else None, [FrameworkVersion(text) if text else None for text in torch_npus]
    )
    assert found.why
    assert found.sources
    return found.variables.get("PYTORCH_NPU_ALLOC_CONF")


def test_hdk_23_and_torch_npu_of_series_5_get_expandable_segments() -> None:
    assert conf("23.0.3", "2.1.0", "2.0.1.post1") == "expandable_segments:True"


def test_23_0_rc3_is_older_than_23_0_0() -> None:
    assert conf("23.0.rc3", "2.1.0") == "max_split_size_mb:256,expandable_segments:False"


def test_one_older_torch_npu_takes_the_key_from_everybody() -> None:
    assert conf("23.0.3", "2.1.0", "2.1.0rc1") is None


def test_hdk_22_gets_the_workaround_and_false_only_for_who_knows_the_key() -> None:
    assert conf("22.0.4", "2.1.0") == "max_split_size_mb:256,expandable_segments:False"
    assert conf("22.0.4", "2.1.0rc1") == "max_split_size_mb:256"


def test_torch_npu_of_series_3_reads_no_allocator_variable_so_none_is_written() -> None:
    assert conf("22.0.4", "1.8.1") is None


def test_an_unknown_torch_npu_gets_no_key_on_any_hdk() -> None:
    assert conf("23.0.3", None) is None
    assert conf("22.0.4", "2.1.0", None) is None
    assert conf("24.1.0", "2.99.0") is None


def test_without_torch_npu_or_without_a_known_hdk_nothing_is_written() -> None:
    assert conf("24.1.0") is None
    assert conf(None, "2.1.0") is None


VERSIONS = [str(row.torch_npu) for row in frameworks.torch_npus()]


@given(
    st.sampled_from(["22.0.2", "22.0.4", "23.0.rc3", "23.0.0", "24.1.0", "25.5.0", "26.0.rc1"]),
    st.lists(st.sampled_from([*VERSIONS, "9.9.9"]), max_size=4),
)
def test_no_profile_ever_holds_a_key_that_a_torch_npu_of_the_host_does_not_know(hdk: str, found: list[str]) -> None:
    value = conf(hdk, *found)
    keys = env_rules.settings(value or "")

    for name in keys:
        assert env_rules.key(name) is not None
        assert all(env_rules.known_to(name, FrameworkVersion(version)) for version in found)
    if keys.get("expandable_segments") == "True":
        assert HdkVersion(hdk) >= HdkVersion("23.0.0")
        assert not keys.keys() & {"max_split_size_mb", "garbage_collection_threshold"}


@pytest.mark.parametrize("row", env_rules.allocator_keys(), ids=lambda row: row.key)
def test_every_allocator_key_is_read_from_its_own_example(row: env_rules.AllocatorKey) -> None:
    assert row.key in env_rules.settings(row.example)
    assert all(env_rules.in_range(row, value) for value in env_rules.settings(row.example).values())
    for other in row.excludes:
        assert env_rules.key(other) is not None


def test_settings_are_read_as_the_allocator_reads_them() -> None:
    assert env_rules.settings("max_split_size_mb:32, garbage_collection_threshold:0.6,,odd") == {
        "max_split_size_mb": "32",
        "garbage_collection_threshold": "0.6",
        "odd": "",
    }


def test_the_newest_layout_of_cann_is_sourced_first() -> None:
    found = env_rules.set_env_candidates()

    assert found[0] == "/usr/local/Ascend/cann/set_env.sh"
    assert "/usr/local/Ascend/ascend-toolkit/set_env.sh" in found


@pytest.mark.parametrize(
    ("name", "value", "right", "words"),
    [
        ("max_split_size_mb", "19", False, "20 or more"),
        ("max_split_size_mb", "20", True, "20 or more"),
        ("garbage_collection_threshold", "1.0", False, "above 0, below 1"),
        ("garbage_collection_threshold", "0.99", True, "above 0, below 1"),
        ("base_addr_aligned_kb", "17", False, "0 or more, at most 16"),
        ("page_size", "2g", False, "1g"),
        ("expandable_segments", "False", True, ""),
    ],
)
def test_a_key_has_its_published_range(name: str, value: str, right: bool, words: str) -> None:
    row = env_rules.key(name)

    assert row is not None
    assert env_rules.in_range(row, value) is right
    assert env_rules.range_of(row) == words


def test_a_key_whose_page_does_not_say_since_when_is_known_to_nobody_for_certain() -> None:
    assert env_rules.key("release_lock_on_npumalloc") is not None
    assert env_rules.known_to("release_lock_on_npumalloc", FrameworkVersion("2.1.0")) is None


@pytest.mark.parametrize(
    ("key", "torch_npu", "known"),
    [
        ("max_split_size_mb", "2.1.0rc1", True),  # series 5.0.rc3
        ("garbage_collection_threshold", "2.1.0rc1", True),
        ("max_split_size_mb", "1.8.1", False),  # series 3.0.0 never reads the variable
        ("multi_stream_lazy_reclaim", "2.7.1", False),  # series 7.2.0
        ("multi_stream_lazy_reclaim", "2.7.1.post2", False),  # series 7.3.0: printed for it, not in its code
    ],
)
def test_a_key_is_known_from_the_first_series_whose_code_has_it(key: str, torch_npu: str, known: bool) -> None:
    assert env_rules.known_to(key, FrameworkVersion(torch_npu)) is known


def test_no_order_is_published_between_the_hdk_of_ascend950_and_the_floor_so_nothing_is_written() -> None:
    assert conf("25.7.rc1", "2.1.0") is None
