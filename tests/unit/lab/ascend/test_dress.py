"""What dressing writes below a host's upper directory, and what it leaves to the installers."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from ascend_provision.lab.ascend import dress, profiles, stacks
from ascend_provision.lab.errors import LabError
from tests.unit.lab.ascend.conftest import Host, MakeHost, every_stack


@pytest.mark.parametrize(("profile", "stack"), every_stack())
def test_every_published_pair_can_be_worn(make_host: MakeHost, profile: str, stack: str) -> None:
    host = make_host(profile, stack)

    assert (host.root / "opt/ascend-lab/hw/chips").read_text().count("\n") == profiles.get(profile).chips
    assert (host.root / "etc/systemd/system/multi-user.target.wants/ascend-lab-hardware.service").is_symlink()
    assert host.run("npu-smi", "info").returncode == (187 if stack == "bare" else 0)


def test_dressing_leaves_driver_user_and_cann_to_the_installers(tmp_path: Path) -> None:
    dress.dress(tmp_path, profile="atlas-800-9000", stack="hdk22", host="a1-1", index=1)

    for path in ("usr/local/Ascend", "usr/local/bin/npu-smi", "etc/passwd", "etc/ascend_install.info"):
        assert not (tmp_path / path).exists(), path


def test_a_bare_host_has_no_agent_no_container_and_no_environment(tmp_path: Path) -> None:
    dress.dress(tmp_path, profile="atlas-800t-a2", stack="bare", host="a2-1", index=1)

    for path in ("etc/hccn.conf", "opt/conda", "opt/ascend-lab/docker", "usr/bin/docker", "usr/local/bin/npu-exporter"):
        assert not (tmp_path / path).exists(), path


def test_a_dressed_host_names_the_nodes_its_driver_will_want(tmp_path: Path) -> None:
    worn = dress.dress(tmp_path, profile="atlas-800-9000", stack="hdk22", host="a1-1", index=1)

    assert [node.name for node in worn.device_nodes] == [
        *(f"davinci{n}" for n in range(8)),
        "davinci_manager",
        "devmm_svm",
        "hisi_hdc",
    ]


def test_every_tool_parses_as_plain_posix_sh(tmp_path: Path) -> None:
    dress.dress(tmp_path, profile="atlas-800-9000", stack="hdk22", host="a1-1", index=1)
    scripts = [p for d in ("bin", "lib", "jobs", "boot") for p in (tmp_path / "opt/ascend-lab" / d).iterdir()]

    assert len(scripts) > 20
    for script in scripts:
        subprocess.run(["dash", "-n", str(script)], check=True)


def test_a_chip_name_that_the_product_never_printed_is_refused(tmp_path: Path) -> None:
    options = dress.DressOptions(chip_name="910B2")

    with pytest.raises(LabError, match="910B2"):
        dress.dress(tmp_path, profile="atlas-800-9000", stack="hdk22", host="a1-1", index=1, options=options)


def test_an_a1_can_print_910b_without_a_digit(make_host: MakeHost) -> None:
    host = make_host("atlas-800-9000", "hdk22", options=dress.DressOptions(chip_name="910B"))

    assert "| 0     910B           | OK " in host.run("npu-smi", "info").stdout
    assert "PCI Device ID                  : 0xD801" in host.run("npu-smi", "info", "-t", "board", "-i", "0").stdout


def test_an_environment_lists_the_stacks_framework(make_host: MakeHost) -> None:
    environments = make_host("atlas-800-9000", "hdk22").root / "opt/conda/envs"

    def ask(name: str, *arguments: str) -> str:
        return subprocess.run(
            [str(environments / name / "bin/python"), *arguments], text=True, capture_output=True, check=True
        ).stdout

    assert ask("train", "-V") == "Python 3.8.18\n"
    train, mindspore = (set(ask(name, "-m", "pip", "freeze").splitlines()) for name in ("train", "mindspore"))
    assert train - mindspore == {"torch==1.8.1", "torch_npu==1.8.1"}
    assert mindspore - train == {"mindspore==1.10.0"}
    assert train & mindspore == {f"{name}=={version}" for name, version in stacks.python_packages().items()}


def test_a_host_without_python_has_none_of_the_images_names(tmp_path: Path) -> None:
    dress.dress(
        tmp_path,
        profile="atlas-800-9000",
        stack="bare",
        host="a1-1",
        index=1,
        options=dress.DressOptions(python="none"),
    )

    for name in ("python3", "python3.11"):
        hidden = os.lstat(tmp_path / "usr/bin" / name)
        whiteout = stat.S_ISCHR(hidden.st_mode) and hidden.st_rdev == 0
        assert whiteout or not hidden.st_mode & 0o111


def test_an_old_host_has_python_3_6_that_runs_no_module(tmp_path: Path) -> None:
    dress.dress(
        tmp_path,
        profile="atlas-800-9000",
        stack="bare",
        host="a1-1",
        index=1,
        options=dress.DressOptions(python="3.6"),
    )
    python = str(tmp_path / "usr/bin/python3")

    assert subprocess.run([python, "-V"], text=True, capture_output=True, check=True).stdout == "Python 3.6.8\n"
    module = subprocess.run([python], input="import sys", text=True, capture_output=True, check=False)
    assert module.returncode == 1
    assert "annotations is not defined" in module.stderr


def test_sysfs_shows_eight_functions_to_lspci(tmp_path: Path) -> None:
    dress.sysfs(tmp_path, "atlas-800t-a2")

    functions = sorted((tmp_path / "bus/pci/devices").iterdir())
    assert len(functions) == 8
    assert {(f / "device").read_text() for f in functions} == {"0xd802\n"}
    assert (functions[0] / "config").read_bytes()[:4] == bytes.fromhex("e519 02d8")


def test_dressing_twice_writes_the_same(tmp_path: Path) -> None:
    def worn() -> dict[str, bytes]:
        dress.dress(tmp_path, profile="atlas-800-9000", stack="hdk22", host="a1-1", index=1)
        return {str(p): p.read_bytes() for p in tmp_path.rglob("*") if p.is_file() and not p.is_symlink()}

    assert worn() == worn()


def test_the_container_is_a_scope_docker_would_make(a1_hdk22: Host) -> None:
    (config,) = (a1_hdk22.root / "opt/ascend-lab/docker").glob("*/config")

    assert len(config.parent.name) == 64
    assert "RESTART=always\n" in config.read_text()
