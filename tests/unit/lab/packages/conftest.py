"""A lab host below a temporary directory ($LAB_ROOT), and the packages to install on it."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ascend_provision.lab.ascend.dress import dress
from ascend_provision.lab.packages.build import build
from ascend_provision.lab.packages.contents import Kind, of_stack

ARCH = platform.machine()
A1 = "atlas-800-9000"
A2 = "atlas-800t-a2"
# host tools that the driver package looks for; only their presence counts
HOST_TOOLS = ("lspci", "ifconfig", "tar", "gcc", "make", "python3.9")
COLOUR = re.compile(r"\x1b\[[0-9]+m")


@dataclass(frozen=True)
class Ran:
    """What an installer did: exit status, stdout with and without colours."""

    status: int
    raw: str

    @property
    def text(self) -> str:
        return COLOUR.sub("", self.raw)

    @property
    def lines(self) -> list[str]:
        """stdout without tag and time."""
        return [re.sub(r"^\[\w+\] \[[0-9 :-]+\] ", "", line) for line in self.text.splitlines()]


@dataclass(frozen=True)
class LabRoot:
    """One simulated host: its directory and the packages at hand."""

    root: Path
    profile: str
    packages: Path

    def path(self, name: str) -> Path:
        return self.root / name.lstrip("/")

    def package(self, kind: Kind, stack: str) -> Path:
        name = next(c.file_name for c in of_stack(self.profile, stack, ARCH) if c.kind == kind)
        return self.packages / name

    def run(self, command: Path | str, *options: str, answer: str = "") -> Ran:
        environment = {
            "PATH": f"{self.path('tools')}:{os.environ['PATH']}",
            "LAB_ROOT": str(self.root),
            "HOME": "/root",
            "TMPDIR": str(self.path("tmp")),
        }
        path = self.path(command) if isinstance(command, str) else command
        done = subprocess.run(
            ["sh", str(path), *options],
            env=environment,
            input=answer,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
            check=False,
        )
        return Ran(done.returncode, done.stdout)

    def install(self, kind: Kind, stack: str, *options: str, answer: str = "") -> Ran:
        given = options or (("--full", "--quiet") if kind in {"driver", "firmware"} else ("--install", "--quiet"))
        return self.run(self.package(kind, stack), *given, answer=answer)

    def boot(self, *, cold: bool = False) -> None:
        """Reboot, or power on: /run and /dev are new."""
        shutil.rmtree(self.path("/run/ascend-lab"), ignore_errors=True)
        self.path("/run/ascend-lab").mkdir(parents=True)
        if cold:
            self.path("/run/ascend-lab/cold").touch()
        for node in self.path("/dev").iterdir():
            if node.name != ".lab":
                node.unlink()
        assert self.run("/opt/ascend-lab/bin/boot").status == 0

    def fault(self, name: str, value: str = "") -> None:
        self.path(f"/opt/ascend-lab/faults/{name}").write_text(value)

    def version(self, component: str) -> str | None:
        """What the component's file says, None without a file."""
        file = self.path(f"/usr/local/Ascend/{component}/version.info")
        return file.read_text().splitlines()[0].removeprefix("Version=") if file.exists() else None

    @property
    def running(self) -> str | None:
        """Version of the loaded driver."""
        file = self.path("/run/ascend-lab/driver")
        return file.read_text().strip() if file.exists() else None

    def flash(self) -> set[str]:
        return {line.split()[1] for line in self.path("/opt/ascend-lab/hw/flash").read_text().splitlines()}

    def active(self) -> set[str]:
        return {line.split()[1] for line in self.path("/opt/ascend-lab/hw/active").read_text().splitlines()}

    def install_info(self) -> list[str]:
        return self.path("/etc/ascend_install.info").read_text().splitlines()


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("packages")
    build(directory, stacks=[(A1, "hdk22"), (A1, "hdk23"), (A2, "hdk23"), (A2, "hdk24"), (A2, "hdk255")])
    return directory


def bare_root(root: Path, profile: str) -> None:
    """A dressed host without Ascend software, as the lab makes it, but below a directory."""
    for directory in ("etc/default", "usr/bin", "usr/lib", "dev/.lab", "run", "tmp", "tools"):
        (root / directory).mkdir(parents=True)
    (root / "lib").symlink_to("usr/lib")
    (root / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\nHwHiAiUser:x:1000:1000::/home/HwHiAiUser:/bin/sh\n")
    (root / "etc/group").write_text("root:x:0:\nHwHiAiUser:x:1000:\n")
    dressing = dress(root, profile=profile, stack="bare", host="h1", index=1)
    for node in dressing.device_nodes:
        (root / "dev/.lab" / node.name).touch()
    for tool in HOST_TOOLS:
        _tool(root / "usr/bin" / tool)
    for tool in ("gcc", "make"):
        _tool(root / "tools" / tool)  # the simulated dkms looks for them in PATH
    (root / "opt/ascend-lab/install-delay").write_text("0\n")


def _tool(path: Path) -> None:
    path.write_text("#!/bin/sh\nexit 0\n")
    path.chmod(0o755)


@pytest.fixture
def bare(tmp_path: Path, packages: Path) -> Callable[[str], LabRoot]:
    """bare(PROFILE): a booted host without software."""

    def make(profile: str = A1) -> LabRoot:
        root = tmp_path / profile
        bare_root(root, profile)
        host = LabRoot(root, profile, packages)
        host.boot()
        return host

    return make


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory, packages: Path) -> LabRoot:
    """One bare A1 for tests in which nothing may change."""
    root = tmp_path_factory.mktemp("refusing") / "root"
    bare_root(root, A1)
    host = LabRoot(root, A1, packages)
    host.boot()
    return host


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory, packages: Path) -> dict[str, Path]:
    """Hosts that run a stack, made once: the tests get copies."""
    made = {}
    for profile, stack in ((A1, "hdk22"), (A2, "hdk23")):
        root = tmp_path_factory.mktemp(profile) / "root"
        bare_root(root, profile)
        host = LabRoot(root, profile, packages)
        host.boot()
        assert host.install("driver", stack, "--full", "--quiet", "--install-for-all").status == 0
        assert host.install("firmware", stack).status == 2
        assert host.install("toolkit", stack).status == 0
        assert host.install("kernels", stack).status == 0
        host.boot()
        made[profile] = root
    return made


@pytest.fixture
def installed(tmp_path: Path, packages: Path, templates: dict[str, Path]) -> Callable[[str], LabRoot]:
    """installed(PROFILE): a host of hdk22 (A1) or hdk23 (A2), running."""

    def make(profile: str = A1) -> LabRoot:
        root = tmp_path / "host"
        shutil.copytree(templates[profile], root, symlinks=True)
        return LabRoot(root, profile, packages)

    return make
