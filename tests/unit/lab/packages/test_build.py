"""The `.run` files themselves: names, reproducible bytes, manifest, padding."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from ascend_provision.lab.errors import LabError
from ascend_provision.lab.packages import build as packing
from ascend_provision.lab.packages.build import MANIFEST, build

ONE = [("atlas-800-9000", "hdk23")]


def test_packages_carry_the_published_names(tmp_path: Path) -> None:
    built = build(tmp_path, stacks=ONE, arch="aarch64")

    assert [path.name for path in built] == [
        "Ascend-cann-kernels-910_7.0.0_linux.run",
        "Ascend-cann-toolkit_7.0.0_linux-aarch64.run",
        "Ascend-hdk-910-npu-driver_23.0.3_linux-aarch64.run",
        "Ascend-hdk-910-npu-firmware_7.1.0.5.220.run",
    ]


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    build(first, stacks=ONE, arch="x86_64")
    build(second, stacks=ONE, arch="x86_64")

    assert (first / MANIFEST).read_text() == (second / MANIFEST).read_text()


def test_the_manifest_is_one_that_sha256sum_checks(tmp_path: Path) -> None:
    built = build(tmp_path, stacks=ONE, arch="x86_64")
    expected = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in built]

    assert (tmp_path / MANIFEST).read_text().splitlines() == expected


def test_a_second_build_keeps_the_manifest_lines_of_other_packages(tmp_path: Path) -> None:
    build(tmp_path, stacks=ONE, arch="x86_64", only=["firmware"])
    (tmp_path / "gone.run").touch()
    with (tmp_path / MANIFEST).open("a") as manifest:
        manifest.write(f"{'0' * 64}  gone.run\n")
    (tmp_path / "gone.run").unlink()
    build(tmp_path, stacks=ONE, arch="x86_64", only=["kernels"])

    names = [line.split("  ")[1] for line in (tmp_path / MANIFEST).read_text().splitlines()]
    assert names == ["Ascend-cann-kernels-910_7.0.0_linux.run", "Ascend-hdk-910-npu-firmware_7.1.0.5.220.run"]


def test_two_products_share_one_toolkit(tmp_path: Path) -> None:
    built = build(tmp_path, stacks=[*ONE, ("atlas-800t-a2", "hdk23")], arch="x86_64", only=["toolkit"])

    assert [path.name for path in built] == ["Ascend-cann-toolkit_7.0.0_linux-x86_64.run"]


def test_padding_does_not_shrink_and_is_reproducible(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    package = build(one, stacks=ONE, arch="x86_64", only=["firmware"], pad_mb=3)[0]
    build(other, stacks=ONE, arch="x86_64", only=["firmware"], pad_mb=3)

    assert 3 << 20 < package.stat().st_size < 4 << 20
    assert package.read_bytes() == (other / package.name).read_bytes()


def test_a_bare_stack_has_no_packages(tmp_path: Path) -> None:
    with pytest.raises(LabError) as refused:
        build(tmp_path, stacks=[("atlas-800-9000", "bare")])

    assert refused.value.code == "lab-stack-bare"


def test_a_machine_without_makeself_is_told_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing.shutil, "which", lambda _name: None)
    with pytest.raises(LabError) as refused:
        build(tmp_path, stacks=ONE)

    assert (refused.value.code, refused.value.next) == ("lab-makeself-missing", "apt-get install makeself")
