from __future__ import annotations

import pytest

from ascend_provision.knowledge import archives
from ascend_provision.stack.versions import PackageVersion


@pytest.mark.parametrize("row", archives.known(), ids=lambda row: f"{row.package}-{row.chip}")
def test_every_archive_is_listed_for_its_chip_and_architectures(row: archives.Archive) -> None:
    assert row.chip in archives.chips(row.package, row.chip)
    assert archives.arches(row.package, row.chip) == row.arches


def test_the_first_910b_archive_is_23_0_rc2_2_for_aarch64_only() -> None:
    assert archives.arches(PackageVersion("23.0.rc2.2"), "910b") == ("aarch64",)
    assert "910b" not in archives.chips(PackageVersion("23.0.RC1"), "910b")


def test_a_number_or_a_chip_in_no_list_says_nothing() -> None:
    assert archives.chips(PackageVersion("24.1.0.3"), "910b") == ()
    assert archives.chips(PackageVersion("25.5.0"), "910_93") == ()
    assert archives.arches(PackageVersion("24.1.0.3"), "910b") == ()
