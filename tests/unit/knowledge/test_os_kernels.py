from __future__ import annotations

import pytest

from ascend_provision.knowledge import os_kernels


@pytest.mark.parametrize("row", os_kernels.known(), ids=lambda row: f"{row.chip}-{row.os}-{row.arch}-{row.kernel}")
def test_every_listed_kernel_is_found_by_a_release_that_begins_so(row: os_kernels.Kernel) -> None:
    found = os_kernels.find(row.chip, row.os.upper(), row.arch, f"{row.kernel}-generic.{row.arch}")

    assert found is not None
    assert (found.kernel, found.way) == (row.kernel, row.way)


@pytest.mark.parametrize(
    ("chip", "os_id", "arch", "release"),
    [
        ("910", "ubuntu", "x86_64", "5.4.0-260-generic"),
        ("910", "ubuntu", "x86_64", "5.15.0-26-generic"),
        ("910b", "ubuntu", "aarch64", "5.4.0-26-generic"),
        ("910", "openEuler", "x86_64", "5.10.0-60.18.0.50.oe2203.x86_64"),
        ("310p", "openEuler", "aarch64", "5.10.0-60.18.0.500.oe2203.aarch64"),
    ],
)
def test_a_neighbour_of_a_listed_kernel_is_not_listed(chip: str, os_id: str, arch: str, release: str) -> None:
    assert os_kernels.find(chip, os_id, arch, release) is None


def test_all_four_ways_are_known() -> None:
    assert {row.way for row in os_kernels.known()} == {"prebuilt", "built", "changed", "replace"}
