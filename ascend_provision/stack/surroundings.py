"""What stands around the stack on a host: environments of what runs, Python packages, containers, libraries, files."""

from __future__ import annotations

from ascend_provision.stack.model import Noun
from ascend_provision.stack.versions import FrameworkVersion


class LiveEnv(Noun):
    """Variables of the stack in a running process that has a card open; `name` says which (`pid 4242 python train.py`).

    Only variables that the stack reads are in it, never the whole environment.
    """

    pid: int
    name: str
    variables: dict[str, str]


class PythonPackages(Noun):
    """The packages of one Python that CANN's compiler needs, and CANN's own wheels in it; None: there, no version.

    `path` is that of the environment, `frameworks` whether torch_npu or MindSpore is in it, `interpreter_gone` a
    program of it whose interpreter does not exist (`bin/pip -> /opt/old/bin/python3`), `cxx11_abi` how its torch was
    built (0 or 1), `stale` CANN wheels that are older than the installed CANN.
    """

    path: str
    python: FrameworkVersion | None
    frameworks: bool
    versions: dict[str, str | None]
    stale: tuple[str, ...] = ()
    interpreter_gone: tuple[str, ...] = ()
    cxx11_abi: int | None = None
    whole: bool = True


class CannPart(Noun):
    """A part of CANN by its own version.info: `number` as written, `requires` the versions it asks of others by name.

    `root` is the version directory it lies in (…/ascend-toolkit/8.0.0, …/cann-8.5.0).
    """

    name: str
    root: str
    number: str
    requires: dict[str, str] = {}

    @staticmethod
    def plain(name: str) -> str:
        """A part's name without the difference between `-` and `_`, which the vendor's scripts do not make either."""
        return name.replace("-", "_")


class MountPoint(Noun):
    """A path of the host and where a container sees it."""

    source: str
    target: str


class ContainerSetup(Noun):
    """How a container was started, as far as the cards are concerned. `shm_mb` is None with the host's /dev/shm.

    `nodes` are the device nodes given by name, `runtime` the OCI runtime, `variables` those the stack reads.
    """

    id: str
    name: str
    running: bool
    privileged: bool
    nodes: tuple[str, ...]
    mounts: tuple[MountPoint, ...]
    variables: dict[str, str]
    shm_mb: int | None = None
    runtime: str = ""


class PathState(Noun):
    """A file or directory of the stack, links followed: octal `mode`, numeric owner and group."""

    path: str
    mode: str
    uid: int
    gid: int

    @property
    def open_to_all(self) -> bool:
        """Everybody may read it (and, if it is a directory, go through it)."""
        return self.mode[-1:] in {"5", "7"}
