"""The root file system that all hosts share: a small Debian, built once by mmdebstrap from `data/image.yaml`."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import tempfile
from importlib import resources
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from ascend_provision.lab import cache, isolation, syscalls
from ascend_provision.lab.errors import INTERNAL, LabError
from ascend_provision.lab.machine import BUILD_PROGRAMS, require_programs
from ascend_provision.lab.places import rootless

MIRROR_VARIABLE = "ASCEND_LAB_MIRROR"


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Package(_Row):
    """A Debian package of the image and what the lab needs it for."""

    name: str
    reason: str = Field(alias="for")


class Recipe(_Row):
    """data/image.yaml."""

    schema_version: Literal[1] = Field(alias="schema")
    suite: str
    packages: list[Package]
    leave_out: list[str]


def _data(name: str) -> bytes:
    return (resources.files("ascend_provision.lab") / "data" / name).read_bytes()


def recipe() -> Recipe:
    """What the image is made of."""
    return Recipe.model_validate(yaml.safe_load(_data("image.yaml")))


def image_name() -> str:
    """`bookworm-x86_64-HASH`: changes with the recipe, the hook and the machine's architecture."""
    return cache.content_name(_label(), (recipe().model_dump_json().encode(), _data("image-hook.sh")))


def ensure(say: cache.Say, *, rebuild: bool = False) -> Path:
    """The image's directory, built if needed (about a minute). LabError with mmdebstrap's last words if it fails."""

    def build(target: Path) -> None:
        require_programs(BUILD_PROGRAMS)
        say("building the hosts' root file system with mmdebstrap (once, about a minute)…")
        _mmdebstrap(target)

    return cache.built("images", _label(), image_name(), build, say, rebuild=rebuild)


def _label() -> str:
    return f"{recipe().suite}-{platform.machine()}"


def _mmdebstrap(target: Path) -> None:
    """Run it so that nothing of it outlasts us: its mounts are its own, and it is ended when we end."""
    wanted = recipe()
    with tempfile.TemporaryDirectory(prefix="ascend-lab-image.") as scratch:
        hook = Path(scratch) / "hook.sh"
        hook.write_bytes(_data("image-hook.sh"))
        hook.chmod(0o755)
        command = [
            "mmdebstrap",
            "--variant=minbase",
            f"--mode={'unshare' if rootless() else 'root'}",
            "--format=directory",
            f"--include={','.join(package.name for package in wanted.packages)}",
            '--aptopt=Acquire::Languages "none"',
            "--dpkgopt=force-unsafe-io",
            *(f"--dpkgopt=path-exclude={pattern}" for pattern in wanted.leave_out),
            f"--customize-hook={hook}",
            wanted.suite,
            str(target),
            *([os.environ[MIRROR_VARIABLE]] if os.environ.get(MIRROR_VARIABLE) else []),
        ]
        root_at = Path(scratch) / "root"

        def apart() -> None:
            isolation.keep_mounts_to_ourselves(root_at)
            syscalls.die_with_parent(signal.SIGTERM)

        ran = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=apart,
        )
    if ran.returncode:
        tail = "\n".join(ran.stderr.splitlines()[-15:])
        raise LabError(
            code="lab-image",
            what=f"mmdebstrap could not build the hosts' root file system (exit {ran.returncode}):\n{tail}",
            next=f"check that `apt-get update` works, or name a mirror: export {MIRROR_VARIABLE}=ADDRESS",
            exit=INTERNAL,
        )
