"""`bundle add|list|verify` as an operator types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ascend_provision.cli.main import main

FIRMWARE = "Ascend-hdk-910-npu-firmware_6.0.0.run"
KERNELS = "Ascend-cann-kernels-910_6.0.1_linux.run"


def test_added_packages_are_listed_and_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packages, downloads = tmp_path / "packages", tmp_path / "downloads"
    downloads.mkdir()
    for name in (FIRMWARE, KERNELS):
        (downloads / name).write_text(name)

    assert main(["bundle", "add", str(packages), *(str(downloads / name) for name in (FIRMWARE, KERNELS))]) == 0
    capsys.readouterr()
    assert main(["bundle", "list", str(packages)]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert main(["bundle", "verify", str(packages)]) == 0
    verified = capsys.readouterr().out

    assert [line.split()[:4] for line in listed] == [
        ["COMPONENT", "VERSION", "CHIP", "ARCH"],
        ["kernels", "6.0.1", "910", "any"],
        ["firmware", "6.0.0", "910", "any"],
    ]
    assert verified == f"2 packages verified in {packages}\n"


def test_json_has_the_whole_checksum(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / FIRMWARE).write_text("x")
    main(["bundle", "add", str(tmp_path)])
    capsys.readouterr()

    main(["bundle", "list", str(tmp_path), "--format", "json"])

    (package,) = json.loads(capsys.readouterr().out)["packages"]
    assert (package["component"], package["file"], len(package["sha256"])) == ("firmware", FIRMWARE, 64)


def test_a_damaged_package_is_4_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / FIRMWARE).write_text("x")
    main(["bundle", "add", str(tmp_path)])
    (tmp_path / FIRMWARE).write_text("y")
    capsys.readouterr()

    assert main(["bundle", "verify", str(tmp_path)]) == 4
    assert capsys.readouterr().err.startswith(
        f"error: {tmp_path / FIRMWARE} is damaged [package-damaged]\nwhy: sha256 is "
    )
