"""The machine around the cards, as a read-only look shows it: device nodes, processes, ports, mounts, module builds.

States as in `stack.facts`: a value; `None` (looked, and it is not there); `Unknown`.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ascend_provision.stack.model import Noun, Unknown


class DeviceNode(Noun):
    """An entry of /dev that belongs to the NPUs; `mode` as ls prints it (`crw-rw----`)."""

    path: str
    mode: str
    uid: int
    gid: int

    @property
    def is_device(self) -> bool:
        """A character device; a directory or file of that name is what a failed bind mount leaves."""
        return self.mode.startswith("c")


class Process(Noun):
    """A process by what /proc says of it; `state` is the kernel's letter (Z: ended, not collected; D: in the kernel).

    `parent` is the name of process `ppid`. `container` and `unit` are those of the process, or of its parent for one
    that has ended.
    """

    pid: int
    name: str
    state: str
    ppid: int
    parent: str = ""
    uid: int = 0
    container: str | None = None
    unit: str | None = None


class Occupant(Noun):
    """A mount namespace that the driver keeps devices for: /proc/uda/namespace_node.

    `root_tgid` is the process that opened them first, `devices` the numbers of the cards (`udevid`), `own` that it is
    the namespace the probe ran in; `process` is what is known of `root_tgid` (None: it is gone).
    """

    ns_id: int
    root_tgid: int
    devices: tuple[int, ...]
    own: bool
    process: Process | None = None


class Listener(Noun):
    """A TCP port somebody listens on; `process` only for ports that matter to the cards, and when root looked."""

    port: int
    uid: int
    process: Process | None = None


class HardwareRecord(Noun):
    """What the running driver wrote down about its cards (/run/ascend/hardware); None where it keeps no such file.

    `demand` is the highest number that a chip's flash asks of a driver (0: none), `releases` the installed driver's
    list of the first release with each number, `clocks` and `memory` the distinct makers of the cards' parts.
    """

    demand: int | Unknown | None = None
    releases: Annotated[Unknown | dict[int, str] | None, Field(union_mode="left_to_right")] = None
    clocks: tuple[str, ...] | Unknown | None = None
    memory: tuple[str, ...] | Unknown | None = None


class Mount(Noun):
    """A mount point with its file system type and options."""

    point: str
    kind: str
    options: tuple[str, ...]


class DkmsTree(Noun):
    """/var/lib/dkms/davinci_ascend: kernels it built modules for, and what the log of the last build says.

    `failed_for` is the kernel of a make.log with an error in it, `error` that line; both empty when the last build was
    good or left no log.
    """

    built_for: tuple[str, ...]
    failed_for: str = ""
    error: str = ""


class InstallRecord(Noun):
    """/etc/ascend_install.info: the account it names and the keys it has; `aicpu` that opp/aicpu is on disk."""

    user: str
    group: str
    keys: tuple[str, ...]
    aicpu: bool | Unknown = Unknown(unknown="not read")


class ModulePolicy(Noun):
    """What the kernel demands of a module. `enforced`: unsigned ones are refused (lockdown or module.sig_enforce).

    `signer` is whose signature the driver's modules carry ("" for none, None when no module file was asked);
    `unsupported_allowed` is SUSE's switch (None where there is none).
    """

    enforced: bool
    signer: str | None = None
    unsupported_allowed: bool | None = None


class InstallRun(Noun):
    """One run of an installer or uninstaller, as its log or its output tells it; times are the host's own, as printed.

    `ending`: done, reboot-needed, modules-still-loaded, failed, ended (the log says no more), unfinished. `says` is its
    error, else its last line; `package` the file that was run, None where nothing names it.
    """

    component: str
    package: str | None
    started: str | None
    ended: str | None
    ending: str
    says: str
