from __future__ import annotations

import pytest

from ascend_provision.knowledge import archives
from ascend_provision.stack.versions import PackageVersion


@pytest.mark.parametrize("row", archives.known(), ids=lambda row: f"{row.package}-{row.chip}")
def test_every_archive_is_listed_for_its_chip_and_architectures(row: archives.Archive) -> None:
    assert row.chip in archives.chips(row.package)
    for arch in row.arches:
        assert archives.listed(row.package, row.chip, arch) is True


def test_the_first_910b_archive_is_23_0_rc2_2_for_aarch64_only() -> None:
    first = PackageVersion("23.0.rc2.2")

    assert archives.listed(first, "910b", "x86_64") is False
    assert archives.listed(PackageVersion("23.0.RC1"), "910b", "aarch64") is False


def test_a_number_in_no_list_says_nothing() -> None:
    assert archives.listed(PackageVersion("24.1.0.3"), "910b", "aarch64") is None
