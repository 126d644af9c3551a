"""The root file system that all hosts share."""

from __future__ import annotations

import re
import subprocess
from importlib import resources

import pytest

from ascend_provision.lab import image


def test_every_package_says_what_it_is_for() -> None:
    recipe = image.recipe()

    assert all(package.reason for package in recipe.packages)
    names = [package.name for package in recipe.packages]
    assert len(names) == len(set(names))


def test_the_tools_that_are_simulated_are_not_installed() -> None:
    names = {package.name for package in image.recipe().packages}

    assert not names & {"dkms", "docker.io", "linux-headers-amd64"}


def test_a_changed_recipe_is_another_image(monkeypatch: pytest.MonkeyPatch) -> None:
    before = image.image_name()
    real = image.recipe()
    fewer = real.model_copy(update={"packages": real.packages[1:]})
    monkeypatch.setattr(image, "recipe", lambda: fewer)

    assert re.fullmatch(r"bookworm-\w+-[0-9a-f]{12}", before)
    assert image.image_name() != before


def test_a_changed_hook_is_another_image(monkeypatch: pytest.MonkeyPatch) -> None:
    before = image.image_name()
    real = image._data
    monkeypatch.setattr(image, "_data", lambda name: real(name) + b"#")

    assert image.image_name() != before


def test_the_hook_is_plain_posix_shell() -> None:
    hook = resources.files("ascend_provision.lab") / "data" / "image-hook.sh"

    with resources.as_file(hook) as path:
        assert subprocess.run(["dash", "-n", str(path)], check=False).returncode == 0
