from __future__ import annotations

import pytest

from ascend_provision.knowledge import releases
from ascend_provision.stack.versions import FirmwareVersion, HdkVersion, PackageVersion

ROWS = [(row, chip) for row in releases.known() for chip in row.chips]


@pytest.mark.parametrize(("row", "chip"), ROWS, ids=[f"{row.hdk}-{chip}" for row, chip in ROWS])
def test_every_release_is_found_from_its_packages_and_gives_its_firmware(row: releases.Release, chip: str) -> None:
    assert row.packages

    for package in row.packages:
        assert releases.reported(package, chip) == row.hdk
        assert releases.firmware_for_package(package, chip) == (row.firmware[0] if row.firmware else None)
    assert releases.firmware_of(row.hdk, chip) == (row.firmware[0] if row.firmware else None)


def test_no_chip_has_two_rows_for_one_reported_version_or_one_package() -> None:
    reported = [(row.hdk, chip) for row, chip in ROWS]
    packages = [(package, chip) for row, chip in ROWS for package in row.packages]

    assert len(reported) == len(set(reported))
    assert len(packages) == len(set(packages))


def test_package_6_0_0_reports_22_0_4_and_its_firmware_file_holds_1_84() -> None:
    package = PackageVersion("6.0.0")

    assert releases.reported(package, "910") == HdkVersion("22.0.4")
    assert releases.firmware_for_package(package, "910") == FirmwareVersion("1.84.15.1.310")


def test_two_packages_of_5_1_report_the_same_22_0_2() -> None:
    found = {releases.reported(PackageVersion(text), "910") for text in ("5.1.RC1", "5.1.RC2")}

    assert found == {HdkVersion("22.0.2")}


def test_one_hdk_name_has_another_firmware_on_another_chip() -> None:
    hdk = HdkVersion("23.0.rc3")

    assert str(releases.firmware_of(hdk, "910")) == "7.0.0.5.242"
    assert str(releases.firmware_of(hdk, "910b")) == "6.4.0.4.220"


def test_from_23_0_rc1_on_an_unlisted_package_reports_its_own_number() -> None:
    rule = releases.same_name()

    assert releases.reported(rule.example, "910_99") == HdkVersion(str(rule.example))


def test_an_unlisted_package_below_23_reports_nobody_knows_what() -> None:
    assert releases.reported(PackageVersion("6.1.0"), "910") is None
    assert releases.firmware_of(HdkVersion("22.0.9"), "910") is None


@pytest.mark.parametrize(("row", "chip"), ROWS, ids=[f"{row.hdk}-{chip}" for row, chip in ROWS])
def test_every_release_gives_its_packages_back_and_is_known_by_its_community_number(
    row: releases.Release, chip: str
) -> None:
    assert releases.packages_of(row.hdk, chip) == row.packages
    for number in row.community:
        assert releases.of_community(number, chip) == row.hdk


def test_from_23_0_rc1_on_an_unlisted_driver_came_in_a_package_of_its_own_number() -> None:
    assert releases.packages_of(HdkVersion("25.9.0"), "910b") == (PackageVersion("25.9.0"),)
    assert releases.packages_of(HdkVersion("22.0.9"), "910") == ()


@pytest.mark.parametrize("row", releases.unreported(), ids=lambda row: str(row.package))
def test_what_the_driver_of_some_packages_reports_nobody_says(row: releases.Unreported) -> None:
    for chip in row.chips:
        assert releases.reported(row.package, chip) is None
