"""The script that brings a bare host to a stack."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ascend_provision.lab.errors import LabError
from ascend_provision.lab.packages import recipe


def test_the_script_names_the_stacks_packages_in_the_published_order(tmp_path: Path) -> None:
    packages, script = recipe.install_script("atlas-800-9000", "hdk22", "x86_64", tmp_path / "packages")

    names = [word for word in script.split() if word.endswith(".run")]
    assert names == [
        "Ascend-hdk-910-npu-driver_6.0.0_linux-x86-64.run",
        "Ascend-hdk-910-npu-firmware_6.0.0.run",
        "Ascend-cann-toolkit_6.0.1_linux-x86_64.run",
        "Ascend-cann-kernels-910_6.0.1_linux.run",
    ]
    assert sorted(names) == sorted(path.name for path in packages.glob("*.run"))


def test_a_level_with_ops_looks_for_them_in_the_new_tree(tmp_path: Path) -> None:
    _, script = recipe.install_script("atlas-800t-a3", "hdk25", "x86_64", tmp_path)

    assert "if [ ! -d /usr/local/Ascend/cann-8.5.0/opp ]" in script
    assert "if [ ! -e /usr/local/Ascend/cann-8.5.0/x86_64-linux/ascend_ops_install.info ]" in script


def test_the_script_is_plain_sh(tmp_path: Path) -> None:
    _, script = recipe.install_script("atlas-800t-a2", "hdk24", "x86_64", tmp_path)

    assert subprocess.run(["sh", "-n"], input=script, text=True, check=False).returncode == 0


def test_packages_come_from_the_labs_cache_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASCEND_LAB_CACHE", str(tmp_path))
    first, _ = recipe.install_script("atlas-800-9000", "hdk23", "x86_64")
    made = (first / "SHA256SUMS").stat().st_mtime_ns
    second, _ = recipe.install_script("atlas-800-9000", "hdk23", "x86_64")

    assert first == second
    assert (second / "SHA256SUMS").stat().st_mtime_ns == made


def test_a_bare_host_needs_no_recipe() -> None:
    with pytest.raises(LabError) as refused:
        recipe.install_script("atlas-800-9000", "bare", "x86_64")

    assert refused.value.code == "lab-stack-bare"
