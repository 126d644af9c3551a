"""SHA256SUMS: what sha256sum writes and reads, with errors that name the line."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ascend_provision.bundle import manifest
from ascend_provision.stack.errors import UsageError

FIRMWARE = "Ascend-hdk-910-npu-firmware_6.0.0.run"


def test_what_is_written_is_what_sha256sum_accepts(tmp_path: Path) -> None:
    (tmp_path / FIRMWARE).write_bytes(b"flash me")
    manifest.write(tmp_path, {FIRMWARE: manifest.sha256(tmp_path / FIRMWARE)})

    done = subprocess.run(
        ["sha256sum", "-c", "--strict", manifest.NAME], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (0, f"{FIRMWARE}: OK\n")


def test_what_sha256sum_writes_is_read(tmp_path: Path) -> None:
    (tmp_path / FIRMWARE).write_bytes(b"flash me")
    for option in ("--text", "--binary"):
        text = subprocess.run(
            ["sha256sum", option, FIRMWARE], cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout

        assert manifest.parse(text, tmp_path) == {FIRMWARE: manifest.sha256(tmp_path / FIRMWARE)}


def test_equal_content_is_equal_bytes_whatever_the_order_of_adding(tmp_path: Path) -> None:
    sums = {"b.run": "b" * 64, "a.run": "a" * 64}
    manifest.write(tmp_path, sums)
    first = (tmp_path / manifest.NAME).read_bytes()
    manifest.write(tmp_path, dict(sorted(sums.items())))

    assert (tmp_path / manifest.NAME).read_bytes() == first
    assert [path.name for path in tmp_path.iterdir()] == [manifest.NAME]


@pytest.mark.parametrize(
    "line",
    ["no checksum here", f"{'a' * 63}  {FIRMWARE}", f"{'a' * 64}  ../elsewhere.run", f"{'a' * 64}"],
    ids=["words", "63 digits", "another directory", "no name"],
)
def test_a_line_that_is_not_understood_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / manifest.NAME).write_text(f"{'a' * 64}  {FIRMWARE}\n\n{line}\n")

    with pytest.raises(UsageError) as error:
        manifest.read(tmp_path)

    assert f"{tmp_path / manifest.NAME}:3 " in error.value.what
    assert error.value.code == "manifest-line"


def test_two_checksums_for_one_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="second, different checksum"):
        manifest.parse(f"{'a' * 64}  {FIRMWARE}\n{'b' * 64}  {FIRMWARE}\n", tmp_path)


def test_a_directory_without_a_manifest_is_told_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        manifest.read(tmp_path)

    assert (error.value.code, error.value.next_action) == (
        "manifest-missing",
        f"ascend-provision bundle add {tmp_path}",
    )
