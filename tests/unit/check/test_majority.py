from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.check import majority
from ascend_provision.check.majority import Split
from tests.unit.factories import a1_host

NAMES = st.lists(st.sampled_from("abcdefgh"), min_size=1, unique=True)


def test_all_alike_is_no_split() -> None:
    assert majority.split({"1": ["a", "b"]}) is None
    assert majority.split({}) is None


def test_the_few_are_odd() -> None:
    assert majority.split({"1": ["a", "b", "c"], "2": ["d"]}) == Split("2 on d", "1 (3 hosts)")


def test_a_tie_names_all() -> None:
    assert majority.split({"2": ["b"], "1": ["a"], "none": ["c"]}) == Split(
        "1 on a; 2 on b; none on c", "one value on all hosts (no majority tells which)"
    )


def test_of_two_equal_camps_those_who_have_nothing_are_odd() -> None:
    assert majority.split({"none": ["b"], "1": ["a"]}) == Split("none on b", "1 (1 host)")


def test_a_variable_set_on_one_of_two_hosts_is_not_what_both_should_have() -> None:
    assert majority.split({"not set": ["b"], "1048576": ["a"]}) == Split(
        "1048576 on a; not set on b", "one value on all hosts (no majority tells which)"
    )


def test_where_most_have_nothing_the_one_who_has_something_is_odd() -> None:
    assert majority.split({"not set": ["a", "b"], "1": ["c"]}) == Split("1 on c", "not set (2 hosts)")


def test_a_host_of_which_it_is_not_known_is_in_no_camp() -> None:
    hosts = [a1_host("a"), a1_host("b")]

    assert majority.by_value(hosts, lambda facts: None if facts.host == "b" else "1") == {"1": ["a"]}


@given(st.dictionaries(st.sampled_from(["1", "2", "none"]), NAMES, min_size=2))
def test_a_value_is_never_both_odd_and_expected(values: dict[str, list[str]]) -> None:
    found = majority.split(values)

    assert found is not None
    usual = found.expected.split(" (")[0]
    assert f"{usual} on " not in found.odd


def test_every_odd_host_of_a_rack_is_named_and_every_version_that_is_about() -> None:
    most = [f"n{number:03}" for number in range(100)]
    odd = [f"x{number:02}" for number in range(20)]
    found = majority.split({"1": most, "2": odd, "3": ["y"], "4": ["z"], "5": ["v"], "6": ["w"]})

    assert found is not None
    assert " more" not in found.odd
    assert all(host in found.odd for host in [*odd, "y", "z", "v", "w"])
    assert "n001" not in found.odd
