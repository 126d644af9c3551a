from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.knowledge import required_packages
from ascend_provision.stack.versions import CannVersion
from tests.unit.factories import cann_part, cann_parts


@pytest.mark.parametrize(
    ("number", "required", "accepted"),
    [
        ("8.2.0.0.201", "8.2", True),  # as the toolkit of 8.2.RC1 asks of its compiler
        ("8.3.0.1.200", "8.2", False),
        ("8.2.0.0.201", ">=7.6, <=8.2", True),  # as its kernels ask: 8.2.0 is not more than 8.2
        ("7.5.0.1.129", ">=7.6, <=8.2", False),
        ("7.7.0.1.238", ">=7.6, <=8.2", True),
        ("9.1.0", ">=9.1.0", True),  # from 9.1 on
        ("9.0.0.0.205", ">=9.1.0", False),
        ("8.2.0.0.201", ">8.2", True),  # longer than what the term writes, so it counts as more
        ("8.2", ">8.2", False),
        ("8.2.0.0.201", "<8.2", False),
        ("8", ">=8.2", False),  # shorter than what the term writes: less
        ("8", "<=8.2", True),
        ("8.2.0", "7.6, 8.2", True),  # alternatives
        ("7.7.0", "7.6, 8.2", False),
        ("9.0.0", ">=7.6, <=8.2, >=9.0, <9.2", True),  # two ranges
        ("8.5.0", ">=7.6, <=8.2, >=9.0, <9.2", False),
        ("7.0.0", "<7.6, >=8.0", True),
        ("7.7.0", "<7.6, >=8.0", False),
        ("7.6.T13.0.B094", "7.6", True),
        ("7.6.T13.0.B094", ">=7.6.1", False),  # T13 counts as 0
        ("8.2.0-custom.9", "8.2.0", True),
        ("8.2.0", ">= 8.2", True),
    ],
)
def test_a_demand_is_judged_as_the_vendors_installers_judge_it(number: str, required: str, accepted: bool) -> None:
    assert required_packages.accepts(number, required) is accepted


@pytest.mark.parametrize("required", ["", "8.x", ">=", "~8.2", "8.2,", ">=7.6 <=8.2"])
def test_a_term_that_is_no_number_decides_nothing(required: str) -> None:
    assert required_packages.accepts("8.2.0", required) is None


FIELDS = st.lists(st.integers(0, 99), min_size=3, max_size=3)


@given(FIELDS, FIELDS)
def test_at_full_length_bounds_order_as_numbers_do(one: list[int], other: list[int]) -> None:
    number, bound = (".".join(map(str, fields)) for fields in (one, other))

    assert required_packages.accepts(number, f">={bound}") is (one >= other)
    assert required_packages.accepts(number, f"<={bound}") is (one <= other)
    assert required_packages.accepts(number, f">{bound}") is (one > other)
    assert required_packages.accepts(number, f"<{bound}") is (one < other)
    assert required_packages.accepts(number, bound) is (one == other)


@given(FIELDS, FIELDS, FIELDS)
def test_a_range_takes_what_both_its_bounds_take(number: list[int], low: list[int], high: list[int]) -> None:
    mine, least, most = (".".join(map(str, fields)) for fields in (number, low, high))

    assert required_packages.accepts(mine, f">={least}, <={most}") is (low <= number <= high)


def test_parts_that_accept_each_other_say_how_many_demands_are_met() -> None:
    parts = cann_parts("a1-hdk24")
    found = required_packages.between(parts[:1], parts[1:])

    assert found is not None
    assert (found.verdict, found.why) == (
        "compatible",
        "the installed parts' own files accept each other (demands met: 4)",
    )


def test_an_older_compiler_is_named_with_the_release_it_is_of() -> None:
    compiler, toolkit = cann_part("compiler", "7.5.0.1.129"), cann_part("toolkit", "7.6.0.1.220", {"compiler": "7.6"})
    found = required_packages.between([compiler], [toolkit])

    assert found is not None
    assert found.verdict == "incompatible"
    assert found.why == "toolkit asks for compiler 7.6, which is 7.5.0.1.129 (CANN 8.0.RC3)"


def test_a_demand_nobody_understands_decides_nothing_and_one_of_a_missing_part_is_no_demand() -> None:
    runtime = cann_part("runtime", "9.1.0", {"asc-devkit": ">=9.x"})

    found = required_packages.between([runtime], [cann_part("asc_devkit", "9.1.0")])
    assert found is not None
    assert found.verdict == "unknown"
    assert required_packages.between([runtime], [cann_part("opp", "9.1.0")]) is None


def test_a_number_of_no_recorded_release_has_no_release() -> None:
    assert required_packages.release(cann_part("opp", "8.2.0.0.201")) == CannVersion("8.2.RC1")
    assert required_packages.release(cann_part("opp", "9.9.9")) is None
    assert required_packages.release(cann_part("opp", "?")) is None
