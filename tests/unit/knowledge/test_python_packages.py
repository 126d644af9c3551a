from __future__ import annotations

import re

import pytest

from ascend_provision.knowledge import python_packages
from ascend_provision.stack.versions import CannVersion, FrameworkVersion


@pytest.mark.parametrize(
    ("package", "version", "cann", "verdict"),
    [
        ("numpy", "2.0.2", "8.2.RC1", "fail"),
        ("numpy", "2.0.2", "9.0.0", None),
        ("numpy", "1.26.4", "8.2.RC1", "warn"),
        ("numpy", "1.24.4", "8.2.RC1", None),
        ("numpy", "1.18.5", "9.0.0", "warn"),
        ("protobuf", "3.20.3", "8.0.0", None),
        ("protobuf", "4.25.3", "8.0.0", "warn"),
        ("protobuf", "3.19.0", "8.0.0", None),
        ("attrs", "99", "8.0.0", None),
    ],
)
def test_what_is_outside_the_published_range(package: str, version: str, cann: str, verdict: str | None) -> None:
    row = python_packages.broken(package, FrameworkVersion(version), CannVersion(cann))

    assert (row.verdict if row else None) == verdict


@pytest.mark.parametrize("row", [*python_packages.needed(), *python_packages.wheels()], ids=lambda row: row.package)
def test_every_package_is_known_by_the_name_its_directory_has(row: python_packages.Needed) -> None:
    assert re.sub(r"[-_.]+", "_", row.example.split("-")[0]).lower() == row.package  # as PEP 503 has it


def test_a_torch_is_published_for_a_window_of_pythons() -> None:
    row = python_packages.torch_pythons(FrameworkVersion("2.1.0.post3+cpu"))

    assert row is not None
    assert python_packages.within(FrameworkVersion("3.11.9"), row.lowest, row.highest)
    assert not python_packages.within(FrameworkVersion("3.12.0"), row.lowest, row.highest)
    assert python_packages.torch_pythons(FrameworkVersion("1.8.1")) is None


def test_the_window_of_a_cann_is_that_of_the_newest_page_not_newer_than_it() -> None:
    found = python_packages.cann_pythons(CannVersion("8.3.RC1"))

    assert found is not None
    assert str(found.cann) == "8.2.RC1"
    assert python_packages.cann_pythons(CannVersion("6.0.1")) is None
