"""A lab host's Ascend side below a temporary directory, with its tools run as the host would run them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ascend_provision.lab.ascend import dress, profiles, stacks

TOOLS = "opt/ascend-lab/bin"


@dataclass(frozen=True)
class Host:
    """A dressed directory. `tool_version` is what the driver package gave to npu-smi."""

    root: Path
    profile: str
    stack: str
    tool_version: str

    def run(self, tool: str, *arguments: str, version: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run one of the host's tools and return what it printed."""
        return subprocess.run(
            [str(self.root / TOOLS / tool), *arguments],
            env=self.environment(version),
            text=True,
            capture_output=True,
            timeout=30,
            check=False,
        )

    def shell(self, script: str) -> subprocess.CompletedProcess[str]:
        """Run `script` with the host's library functions."""
        load = "".join(f'. "$LAB/lib/{name}.sh"\n' for name in ("modules", "chips", "compat", "hccn", "kernels"))
        return subprocess.run(
            ["sh", "-c", f'. "$LAB_ROOT/opt/ascend-lab/lib/state.sh"\n{load}{script}'],
            env=self.environment(None),
            text=True,
            capture_output=True,
            timeout=30,
            check=False,
        )

    def environment(self, version: str | None) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "LAB_ROOT": str(self.root),
            "LAB_PROC": str(self.root / "proc"),
            "LAB_TOOL_VERSION": version or self.tool_version,
        }

    def fault(self, name: str, value: str = "") -> None:
        """Put a fault's file down, as the lab does."""
        (self.root / "opt/ascend-lab/faults" / name).write_text(f"{value}\n" if value else "")

    def hold(self, pid: int, comm: str, *nodes: str) -> None:
        """A process of the host that has `nodes` open."""
        process = self.root / "proc" / str(pid)
        (process / "fd").mkdir(parents=True)
        (process / "comm").write_text(f"{comm}\n")
        for number, node in enumerate(nodes, start=3):
            (process / "fd" / str(number)).symlink_to(self.root / "dev" / node)

    def boot(self, *, cold: bool = False) -> None:
        """Reboot, or power on: /run and /dev are new."""
        shutil.rmtree(self.root / "run/ascend-lab", ignore_errors=True)
        for node in (self.root / "dev").iterdir():
            if node.is_file():
                node.unlink()
        (self.root / "run/ascend-lab").mkdir(parents=True)
        if cold:
            (self.root / "run/ascend-lab/cold").touch()
        assert self.run("boot").returncode == 0

    def install_driver(self) -> None:
        """What a driver package leaves on the disk, as far as the tools look at it."""
        software = stacks.get(self.profile, self.stack).require()
        driver = self.root / "usr/local/Ascend/driver"
        driver.mkdir(parents=True, exist_ok=True)
        (driver / "version.info").write_text("\n".join(software.driver_version_info.value) + "\n")
        (self.root / "etc/ascend_install.info").write_text(
            "UserName=root\nUserGroup=root\nDriver_Install_Path_Param=/usr/local/Ascend\n"
        )
        done = self.shell(f"lab_kernel; lab_ko_write {software.hdk.driver.value} $LAB_KERNEL")
        assert done.returncode == 0, done.stderr


MakeHost = Callable[..., Host]


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Dressed and booted hosts, made once a kind; tests work on copies."""
    made: dict[tuple[str, str, dress.DressOptions], Path] = {}

    def take(profile: str, stack: str, options: dress.DressOptions) -> Path:
        kind = (profile, stack, options)
        if kind not in made:
            made[kind] = _dressed(tmp_path_factory.mktemp("host"), profile, stack, options)
        return made[kind]

    return take


def _dressed(root: Path, profile: str, stack: str, options: dress.DressOptions) -> Path:
    for directory in ("usr/lib", "proc", "dev/.lab", "root"):
        (root / directory).mkdir(parents=True)
    (root / "lib").symlink_to("usr/lib")  # as on Debian
    worn = dress.dress(root, profile=profile, stack=stack, host="a-1", index=1, options=options)
    for node in worn.device_nodes:
        (root / "dev/.lab" / node.name).touch()
    host = _host(root, profile, stack)
    if stack != stacks.BARE:
        host.install_driver()
    host.boot()
    return root


def _host(root: Path, profile: str, stack: str) -> Host:
    software = stacks.get(profile, stack).software
    return Host(root, profile, stack, software.hdk.driver.value if software else "")


@pytest.fixture
def make_host(tmp_path: Path, shelf: Callable[..., Path]) -> MakeHost:
    """A host of its own for this test, booted, with its stack's driver unless `bare`."""

    def make(profile: str, stack: str, *, options: dress.DressOptions | None = None) -> Host:
        root = tmp_path / f"{profile}-{stack}"
        shutil.copytree(shelf(profile, stack, options or dress.DressOptions()), root, symlinks=True)
        return _host(root, profile, stack)

    return make


@pytest.fixture
def a1_hdk22(make_host: MakeHost) -> Host:
    """An Atlas 800 (model 9000/9010) on HDK 22.0.4."""
    return make_host("atlas-800-9000", "hdk22")


@pytest.fixture
def a1_hdk23(make_host: MakeHost) -> Host:
    """The same server on HDK 23.0.3."""
    return make_host("atlas-800-9000", "hdk23")


@pytest.fixture
def a2_hdk24(make_host: MakeHost) -> Host:
    """An Atlas 800T A2 on HDK 24.1.0."""
    return make_host("atlas-800t-a2", "hdk24")


def every_stack() -> list[tuple[str, str]]:
    """Each published profile and stack, `bare` too."""
    return [(profile, stack) for profile in profiles.names() for stack in stacks.names(profile)]
