"""The wheel is whole: code, data, playbooks, roles and plugins, and nothing that belongs to the checkout."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

import ascend_provision

REPOSITORY = Path(__file__).resolve().parents[2]
CONTENT = "ascend_provision/_content/ansible_collections/ascend/provision"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    directory = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(directory), str(REPOSITORY)],
        check=True,
        capture_output=True,
    )
    (built,) = directory.iterdir()
    return zipfile.ZipFile(built)


def files(*parts: str) -> set[str]:
    """Files of the checkout below these directories, as paths from its root."""
    return {
        str(path.relative_to(REPOSITORY))
        for part in parts
        for path in (REPOSITORY / part).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_every_playbook_role_and_plugin_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    wanted = {f"{CONTENT}/{name}" for name in files("playbooks", "roles", "plugins")}
    wanted |= {f"{CONTENT}/galaxy.yml", f"{CONTENT}/meta/runtime.yml"}

    assert wanted - set(wheel.namelist()) == set()


def test_every_file_of_the_package_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    assert files("ascend_provision") - set(wheel.namelist()) == set()


def test_nothing_of_the_checkout_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}

    assert tops == {"ascend_provision", f"ascend_provision-{ascend_provision.__version__}.dist-info"}


def test_the_wheel_brings_the_command_and_both_licences(wheel: zipfile.ZipFile) -> None:
    information = f"ascend_provision-{ascend_provision.__version__}.dist-info"

    assert "ascend-provision = ascend_provision.cli.main:main" in wheel.read(f"{information}/entry_points.txt").decode()
    assert {f"{information}/licenses/LICENSE", f"{information}/licenses/LICENSES/GPL-3.0-or-later.txt"} <= set(
        wheel.namelist()
    )
    assert "License-Expression: Apache-2.0 AND GPL-3.0-or-later" in wheel.read(f"{information}/METADATA").decode()


def test_the_collection_and_the_distribution_have_one_version() -> None:
    galaxy = yaml.safe_load((REPOSITORY / "galaxy.yml").read_text())

    assert galaxy["version"] == ascend_provision.__version__


def test_the_constraints_pin_what_the_tests_use_and_name_no_host() -> None:
    lines = [
        line
        for line in (REPOSITORY / "constraints.txt").read_text().splitlines()
        if line.strip() and not line.startswith("#")
    ]
    pinned = [Requirement(line) for line in lines]
    needed = [Requirement(text) for text in importlib.metadata.requires("ascend-provision") or []]
    wanted = {one.name.lower() for one in needed if "legacy" not in str(one.marker)}

    assert all(one.url is None and [spec.operator for spec in one.specifier] == ["=="] for one in pinned)
    assert wanted - {one.name.lower() for one in pinned} == set()
