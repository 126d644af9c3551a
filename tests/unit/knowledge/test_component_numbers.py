from __future__ import annotations

import pytest

from ascend_provision.knowledge import component_numbers as numbers
from ascend_provision.stack.versions import ComponentNumber, FrameworkVersion


@pytest.mark.parametrize("row", numbers.known(), ids=lambda row: str(row.number))
def test_a_cann_is_known_by_the_number_of_its_parts(row: numbers.Number) -> None:
    assert numbers.cann_of(row.number) == row.cann


def test_a_number_nobody_recorded_is_of_no_known_cann() -> None:
    assert numbers.cann_of(ComponentNumber("9.9.0.0.1")) is None


@pytest.mark.parametrize("row", numbers.expectations(), ids=lambda row: row.mindspore[0])
def test_mindspore_warns_about_every_number_but_those_it_expects(row: numbers.Expected) -> None:
    version = FrameworkVersion(row.mindspore[0].replace("X", "0"))

    assert numbers.expected_by(version) == row.expects
    assert numbers.warns(version, ComponentNumber(f"{row.expects[0]}.0.1.220")) is False
    assert numbers.warns(version, ComponentNumber("1.84.15.1.310")) is True


def test_what_an_unrecorded_mindspore_expects_is_unknown() -> None:
    assert numbers.warns(FrameworkVersion("2.9.0"), ComponentNumber("8.5.0.2.220")) is None
