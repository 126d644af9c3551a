"""The self-extracting front of a package: makeself's options, integrity, refusal outside the lab."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.unit.lab.packages.conftest import ARCH, LabRoot

FIRMWARE = "Ascend-hdk-910-npu-firmware_7.1.0.5.220.run"
GOOD = "Verifying archive integrity...  100%   SHA256 checksums are OK. All good."


def run(package: Path, *options: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "HOME": "/root"}
    return subprocess.run(
        ["sh", str(package), *options],
        capture_output=True,
        text=True,
        env=environment,
        cwd=cwd,
        timeout=60,
        check=False,
    )


def test_a_damaged_package_fails_its_checksum_and_runs_nothing(packages: Path, tmp_path: Path) -> None:
    damaged = tmp_path / FIRMWARE
    shutil.copyfile(packages / FIRMWARE, damaged)
    with damaged.open("r+b") as file:
        file.seek(damaged.stat().st_size - 100)
        byte = file.read(1)
        file.seek(-1, 1)
        file.write(bytes([byte[0] ^ 0xFF]))
    done = run(damaged, "--full", "--quiet")

    assert done.returncode == 1
    assert "Error in SHA256 checksums: " in done.stderr
    assert "Uncompressing" not in done.stdout


def test_a_package_cut_short_fails_its_checksum(packages: Path, tmp_path: Path) -> None:
    cut = tmp_path / FIRMWARE
    cut.write_bytes((packages / FIRMWARE).read_bytes()[:-1])

    assert run(cut, "--check").returncode == 1


def test_extract_unpacks_and_runs_nothing(packages: Path, tmp_path: Path) -> None:
    done = run(packages / FIRMWARE, "--noexec", "--extract=out", cwd=tmp_path)

    assert done.returncode == 0
    assert done.stdout.splitlines() == [GOOD, "Uncompressing ASCEND-HDK-910-NPU FIRMWARE RUN PACKAGE  100%  "]
    assert (tmp_path / "out/version.info").read_text().startswith("Version=7.1.0.5.220\n")


def test_check_verifies_twice_and_names_makeselfs_log(bare: Callable[..., LabRoot]) -> None:
    lines = bare().install("firmware", "hdk23", "--check").lines

    assert lines[:3] == ["Makeself logfile: /root/log/makeself/makeself.log", GOOD, GOOD]


def test_info_lists_the_archive_without_unpacking(packages: Path) -> None:
    done = run(packages / FIRMWARE, "--info")

    assert "Identification: ASCEND-HDK-910-NPU FIRMWARE RUN PACKAGE" in done.stdout
    assert done.returncode == 0


def test_list_and_help(bare: Callable[..., LabRoot], packages: Path) -> None:
    assert "./version.info" in run(packages / FIRMWARE, "--list").stdout.splitlines()
    told = bare().install("firmware", "hdk23", "--help")
    assert (told.status, "--extract=<path>" in told.text, "--upgrade" in told.text) == (0, True, True)


def test_a_package_on_any_other_machine_does_nothing(packages: Path, tmp_path: Path) -> None:
    """The simulated installers write where the real ones do; a laptop must be safe from them."""
    for name in (FIRMWARE, f"Ascend-cann-toolkit_7.0.0_linux-{ARCH}.run"):
        environment = {"PATH": os.environ["PATH"], "LAB_ROOT": str(tmp_path)}
        done = subprocess.run(
            ["sh", str(packages / name), "--full"], env=environment, capture_output=True, text=True, check=False
        )

        assert done.returncode == 1
        assert "this is not one" in done.stderr
        assert list(tmp_path.iterdir()) == []


def test_nothing_stays_behind_in_the_temporary_directory(bare: Callable[..., LabRoot]) -> None:
    host = bare()
    host.install("driver", "hdk22")

    assert list(host.path("/tmp").iterdir()) == []
