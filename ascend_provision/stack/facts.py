"""`HostFacts`: the typed reading of one host's evidence.

Three states, never mixed: a value; `None` (looked, and it is not there); `Unknown` (could not look, or did not
understand). Sizes are MiB unless the name says otherwise, times are seconds since the epoch.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ascend_provision.stack.machine import (
    DeviceNode,
    DkmsTree,
    HardwareRecord,
    InstallRecord,
    InstallRun,
    Listener,
    ModulePolicy,
    Mount,
    Occupant,
    Process,
)
from ascend_provision.stack.model import Noun, Unknown
from ascend_provision.stack.network import NpuNetwork, RankTable
from ascend_provision.stack.surroundings import CannPart, ContainerSetup, LiveEnv, PathState, PythonPackages
from ascend_provision.stack.versions import (
    CannVersion,
    FirmwareVersion,
    FrameworkVersion,
    HdkVersion,
    PackageVersion,
)


class OsFacts(Noun):
    id: str | Unknown
    version_id: str | Unknown
    pretty_name: str | Unknown
    os_release_is_link: bool | Unknown = Unknown(unknown="not read")
    os_release_there: bool | Unknown = Unknown(unknown="not read")


class KernelFacts(Noun):
    """`next_boot`: the release that GRUB or the boot symlink names; `headers`: /lib/modules/<running>/build exists.

    `headers_of` are the releases whose headers lie below /usr/src, `gcc` what built the running one (None: not gcc).
    """

    running: str | Unknown
    next_boot: str | Unknown
    headers: bool | Unknown
    headers_of: tuple[str, ...] | Unknown = Unknown(unknown="not read")
    gcc: str | Unknown | None = Unknown(unknown="not read")


class BootFacts(Noun):
    boot_id: str | Unknown
    booted_at: float | Unknown
    now: float | Unknown = Unknown(unknown="not read")


class Disk(Noun):
    """A file system that an install writes to; `path` is the directory asked about (/usr/local, /tmp, /var …)."""

    path: str
    free_mb: int
    total_mb: int


class User(Noun):
    name: str
    uid: int
    gid: int
    group: str = ""


class Group(Noun):
    name: str
    gid: int


class PciNpu(Noun):
    """A PCI function of vendor 19e5; ids are lower-case hex without 0x (device `d801`)."""

    bus: str
    device: str
    subsystem_vendor: str = ""
    subsystem_device: str = ""


class Chip(Noun):
    """One row pair of `npu-smi info`. Power in W, temperature in °C; None where the tool prints NA or `-`."""

    npu_id: int
    chip_id: int
    name: str
    health: str
    bus: str
    power_w: float | None
    temperature_c: int | None
    ddr_used_mb: int | None
    ddr_total_mb: int | None
    hbm_used_mb: int | None
    hbm_total_mb: int | None


class CardProcess(Noun):
    """A row of npu-smi's process table."""

    npu_id: int
    chip_id: int
    pid: int
    name: str
    memory_mb: int


class Board(Noun):
    """`npu-smi info -t board -i N`: `compatibility` is OK, NOK, UNKNOWN, NOT SUPPORT, or None (no such line)."""

    npu_id: int
    software: HdkVersion | None
    firmware: FirmwareVersion | None
    compatibility: str | None
    product_name: str | None = None


class DriverFacts(Noun):
    """`file` is driver/version.info; `running` what the loaded module reports (the right-hand Version of npu-smi).

    `tool` is the left-hand number: the build of npu-smi itself, new as soon as the package is installed.
    """

    file: HdkVersion | Unknown | None
    running: HdkVersion | Unknown | None
    tool: HdkVersion | Unknown | None
    package: PackageVersion | Unknown | None
    inner: str | Unknown | None
    accepts_cann: str | Unknown | None
    accepts_firmware: str | Unknown | None
    modules_loaded: tuple[str, ...] | Unknown
    install_path: str | Unknown | None
    built_for_kernel: bool | Unknown = Unknown(unknown="not read")


class FirmwareFacts(Noun):
    """`file` is firmware/version.info; `flash` the distinct versions read from the chips, lowest first.

    `pending` says that flashed firmware waits for a restart (`upgrade-tool --status`: waitting_restart).
    `doubt` is why a tool that should have told about the flash did not: a chip with other firmware may be hidden.
    """

    file: FirmwareVersion | Unknown | None
    flash: tuple[FirmwareVersion, ...] | Unknown
    pending: bool | Unknown
    package: PackageVersion | Unknown | None
    accepts_driver: str | Unknown | None
    doubt: Unknown | None = None


SUITE_PARTS = frozenset({"toolkit", "nnae", "nnrt"})
KERNEL_PARTS = frozenset({"kernels", "ops"})


class CannInstall(Noun):
    """One installed CANN part (`part`: toolkit, nnae, nnrt, kernels, ops, nnal); `chip` only for kernels and ops.

    `root` is the versioned directory (…/ascend-toolkit/7.0.0, …/cann-8.5.0), `uninstaller` the script that removes
    the part, `hccl_test` whether the toolkit's `tools/hccl_test` sources are there (None where nobody looked).
    """

    part: str
    version: CannVersion
    root: str
    inner: str | None = None
    accepts_driver: str | None = None
    arch: str | None = None
    chip: str | None = None
    hccl_test: bool | None = None
    uninstaller: str | None = None


class PythonEnv(Noun):
    """A Python environment with a framework in it: `torch_npu` and `mindspore` are None when not installed there."""

    path: str
    python: FrameworkVersion | None
    torch: FrameworkVersion | None
    torch_npu: FrameworkVersion | None
    mindspore: FrameworkVersion | None
    unread: tuple[str, ...] = ()


class Holder(Noun):
    """A process with an NPU device node open; `state` as in `machine.Process`, "" when it was not read."""

    pid: int
    uid: int
    user: str
    command: str
    devices: tuple[str, ...]
    container: str | None = None
    unit: str | None = None
    state: str = ""


class Service(Noun):
    """A systemd unit that is known to use the cards (it holds a device, or its name is one the field uses)."""

    unit: str
    active: bool
    enabled: bool
    held: bool = False


class Container(Noun):
    """A container of the host's runtime; `restart` is its restart policy, `devices` the NPU nodes it was given.

    A `privileged` one sees every device of the host.
    """

    id: str
    name: str
    running: bool
    restart: str
    devices: tuple[str, ...]
    held: bool = False
    privileged: bool = False

    @property
    def comes_back(self) -> bool:
        """Its runtime starts it again, also after a reboot."""
        return self.restart not in {"", "no"}


class KeptFile(Noun):
    """A file that must survive: content hash, octal mode, numeric owner."""

    path: str
    sha256: str
    mode: str
    owner: str


class EnvFile(Noun):
    """A shell profile, environment file or systemd unit that sets variables the stack reads, with its last values.

    `replaced` are earlier values of the same file that a later line drops without a word: not where it only puts
    something in front, and not where only some runs of the file reach the line.
    """

    path: str
    variables: dict[str, str]
    sources: tuple[str, ...] = ()
    sha256: str = ""
    replaced: dict[str, tuple[str, ...]] = {}


class Leftover(Noun):
    """Something a removed or failed install left behind; `kind` is a key of knowledge's leftover table."""

    kind: str
    path: str
    detail: str = ""


class InstallLog(Noun):
    """`/var/log/ascend_seclog/ascend_install.log`: when it was last written and how the last run in it ended.

    `hdk_at` is when a driver or firmware package last wrote to it: CANN packages write there too, and need no reboot.
    """

    modified_at: float
    last_line: str
    unfinished: bool
    hdk_at: float | None = None


class HostRecord(Noun):
    """What ascend-provision itself keeps on the host (/var/lib/ascend-provision)."""

    lease_run: str | None = None
    lease_holder: str | None = None
    lease_token: int | None = None
    lease_expires_at: float | None = None
    run: str | None = None
    plan: str | None = None
    step: str | None = None
    step_state: str | None = None
    step_boot_id: str | None = None
    staged: tuple[str, ...] = ()
    backups: tuple[str, ...] = ()
    holding: bool = False
    held_units: tuple[str, ...] = ()
    held_containers: tuple[str, ...] = ()


class HostFacts(Noun):
    """Everything known about one host.

    `chips_seen` are the chips of an npu-smi table that is not whole, where `chips` is unknown: there may be more.
    `super_pod` is what the inventory says (variable `ascend_provision_super_pod`), not the host.
    `path_states` are the stack's directories and libraries, `loader_cache` the driver's libraries in `ldconfig -p`.
    `mpi` is the path of mpirun, `mpi_home` the directory with its `include/mpi.h` (None: nothing can be built), and
    `mpi_name` what it calls itself. `secure_boot` is None on a host without EFI; `in_container` the runtime's name.
    `root`: the probe ran as root. `occupants` is None where the driver keeps no such list, `processes` are zombies and
    those that npu-smi names, `compiler` the version of the installed gcc.
    """

    host: str
    hostname: str | Unknown
    arch: str | Unknown
    os: OsFacts
    kernel: KernelFacts
    boot: BootFacts
    # left to right: an Unknown read back from JSON is a dict of strings too
    pythons: Annotated[Unknown | dict[str, str], Field(union_mode="left_to_right")]
    disks: tuple[Disk, ...] | Unknown
    users: tuple[User, ...] | Unknown
    tools: dict[str, bool] | Unknown
    pci: tuple[PciNpu, ...] | Unknown
    chips: tuple[Chip, ...] | Unknown
    card_processes: tuple[CardProcess, ...] | Unknown
    boards: tuple[Board, ...] | Unknown
    driver: DriverFacts
    firmware: FirmwareFacts
    cann: tuple[CannInstall, ...] | Unknown
    environments: tuple[PythonEnv, ...] | Unknown
    mpi: str | Unknown | None
    holders: tuple[Holder, ...] | Unknown
    services: tuple[Service, ...] | Unknown
    containers: tuple[Container, ...] | Unknown
    network: tuple[NpuNetwork, ...] | Unknown
    kept_files: tuple[KeptFile, ...] | Unknown
    env_files: tuple[EnvFile, ...] | Unknown
    leftovers: tuple[Leftover, ...] | Unknown
    install_log: InstallLog | Unknown | None
    record: HostRecord | Unknown
    mpi_home: str | Unknown | None = Unknown(unknown="not read")
    mpi_name: str | Unknown | None = Unknown(unknown="not read")
    secure_boot: bool | Unknown | None = Unknown(unknown="not read")
    in_container: str | Unknown | None = Unknown(unknown="not read")
    groups: tuple[Group, ...] | Unknown = Unknown(unknown="not read")
    root: bool | Unknown = Unknown(unknown="not read")
    device_nodes: tuple[DeviceNode, ...] | Unknown = Unknown(unknown="not read")
    occupants: tuple[Occupant, ...] | Unknown | None = Unknown(unknown="not read")
    processes: tuple[Process, ...] | Unknown = Unknown(unknown="not read")
    listeners: tuple[Listener, ...] | Unknown = Unknown(unknown="not read")
    ephemeral_ports: tuple[int, int] | Unknown = Unknown(unknown="not read")
    reserved_ports: tuple[tuple[int, int], ...] | Unknown = Unknown(unknown="not read")
    mounts: tuple[Mount, ...] | Unknown = Unknown(unknown="not read")
    dkms: DkmsTree | Unknown | None = Unknown(unknown="not read")
    compiler: str | Unknown | None = Unknown(unknown="not read")
    install_record: InstallRecord | Unknown | None = Unknown(unknown="not read")
    module_policy: ModulePolicy | Unknown = Unknown(unknown="not read")
    rank_tables: tuple[RankTable, ...] | Unknown = Unknown(unknown="not read")
    live_env: tuple[LiveEnv, ...] | Unknown = Unknown(unknown="not read")
    python_packages: tuple[PythonPackages, ...] | Unknown = Unknown(unknown="not read")
    super_pod: str = ""
    container_setups: tuple[ContainerSetup, ...] | Unknown = Unknown(unknown="not read")
    path_states: tuple[PathState, ...] | Unknown = Unknown(unknown="not read")
    loader_cache: tuple[str, ...] | Unknown | None = Unknown(unknown="not read")
    interfaces: tuple[str, ...] | Unknown = Unknown(unknown="not read")
    chips_seen: tuple[Chip, ...] = ()
    install_runs: tuple[InstallRun, ...] | Unknown = Unknown(unknown="not read")
    cann_parts: tuple[CannPart, ...] | Unknown = Unknown(unknown="not read")
    hardware: HardwareRecord | Unknown = Unknown(unknown="not read")
    unread: tuple[str, ...] = ()
    hung: tuple[str, ...] = ()
