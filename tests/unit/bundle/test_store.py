"""A package directory is opened whole and verified, or refused with the file's name."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.bundle import manifest, store
from ascend_provision.stack.errors import UsageError

DRIVER = "Ascend-hdk-910-npu-driver_23.0.3_linux-{}.run"
FIRMWARE = "Ascend-hdk-910-npu-firmware_7.1.0.5.220.run"
KERNELS = "Ascend-cann-kernels-910_7.0.0_linux.run"
TOOLKIT = "Ascend-cann-toolkit_7.0.0_linux-{}.run"
ALL = (DRIVER.format("aarch64"), DRIVER.format("x86-64"), FIRMWARE, KERNELS, TOOLKIT.format("aarch64"))


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    packages = tmp_path / "packages"
    packages.mkdir()
    for file in ALL:
        (packages / file).write_text(f"#!/bin/sh\n# {file}\n")
    store.add(packages)
    return packages


def refusal(directory: Path) -> UsageError:
    with pytest.raises(UsageError) as error:
        store.open(directory)
    return error.value


def test_opening_gives_every_package_with_what_its_name_says(directory: Path) -> None:
    opened = store.open(directory)

    assert [package.file for package in opened.packages] == sorted(ALL)
    firmware = next(package for package in opened.packages if package.file == FIRMWARE)
    assert (firmware.chip, firmware.arch) == ("910", None)
    assert firmware.sha256 == manifest.sha256(directory / FIRMWARE)
    assert firmware.size == (directory / FIRMWARE).stat().st_size


def test_a_directory_named_from_here_is_found_from_anywhere(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(directory.parent)

    assert store.open(Path(directory.name)).directory == directory


def test_an_empty_directory_is_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path)

    assert (error.code, error.what) == ("packages-empty", f"{tmp_path} holds no Ascend package")


def test_a_directory_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere").code == "packages-missing"


def test_a_damaged_file_is_named_with_both_checksums(directory: Path) -> None:
    expected = manifest.sha256(directory / FIRMWARE)
    (directory / FIRMWARE).write_text("#!/bin/sh\n# one bit fell over\n")

    error = refusal(directory)

    assert (error.code, error.what) == ("package-damaged", f"{directory / FIRMWARE} is damaged")
    assert expected in error.why
    assert manifest.sha256(directory / FIRMWARE) in error.why


def test_a_package_that_nobody_recorded_is_named(directory: Path) -> None:
    stranger = "Ascend-cann-nnal_8.0.0_linux-aarch64.run"
    (directory / stranger).write_text("who put me here")

    error = refusal(directory)

    assert error.code == "package-unlisted"
    assert stranger in error.what


def test_a_recorded_package_that_is_gone_is_named(directory: Path) -> None:
    (directory / KERNELS).unlink()

    error = refusal(directory)

    assert error.code == "package-missing"
    assert KERNELS in error.what


def test_files_that_are_no_ascend_package_do_not_matter(directory: Path) -> None:
    (directory / "README").write_text("ours")
    (directory / "vllm-install.run").write_text("not a package of this stack")

    assert len(store.open(directory).packages) == len(ALL)


def test_adding_copies_the_file_and_records_it(directory: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "Ascend-cann-nnal_8.0.0_linux-aarch64.run"
    fresh.write_text("nnal")

    added = store.add(directory, [fresh])

    assert [package.file for package in added] == [fresh.name]
    assert (directory / fresh.name).read_text() == "nnal"
    assert len(store.open(directory).packages) == len(ALL) + 1
    assert not list(directory.glob(".*"))


def test_adding_twice_changes_nothing(directory: Path) -> None:
    before = (directory / manifest.NAME).read_bytes()

    store.add(directory, [directory / FIRMWARE])
    store.add(directory)

    assert (directory / manifest.NAME).read_bytes() == before


def test_adding_a_file_under_another_name_is_refused_before_anything_is_copied(directory: Path, tmp_path: Path) -> None:
    odd = tmp_path / "driver-final-2.run"
    odd.write_text("x")

    with pytest.raises(UsageError) as error:
        store.add(directory, [odd])

    assert error.value.code == "package-name"
    assert not (directory / odd.name).exists()


def test_a_recorded_file_that_changed_is_not_recorded_again_in_silence(directory: Path) -> None:
    (directory / FIRMWARE).write_text("changed")

    with pytest.raises(UsageError) as error:
        store.add(directory)

    assert error.value.code == "package-changed"
    assert refusal(directory).code == "package-damaged"


def test_another_file_of_the_same_name_does_not_replace_the_stored_one(directory: Path, tmp_path: Path) -> None:
    (tmp_path / FIRMWARE).write_text("another build of the same name")

    with pytest.raises(UsageError) as error:
        store.add(directory, [tmp_path / FIRMWARE])

    assert error.value.code == "package-exists"
    assert "same name" not in (directory / FIRMWARE).read_text()
