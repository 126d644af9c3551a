"""Makes an Ascend server of a plain Debian host: writes into its upper directory what the simulated hardware needs.

The stack's software itself (driver, firmware, CANN) is not written here: it comes from the stack layer, which the
packages' own installers made. `dress` only says what the hardware holds (chips, firmware in the flash, NPU network)
and adds what a server in use has: tools, boot unit, kernels, services, containers, Python environments.
"""

from __future__ import annotations

import platform
import shutil
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Literal

from ascend_provision.lab.ascend import hardware, kernels, network, profiles, pythons, stacks, units, workload
from ascend_provision.lab.ascend.files import write_command
from ascend_provision.lab.ascend.sysfs import sysfs

__all__ = ["DeviceNode", "DressOptions", "Dressing", "dress", "sysfs"]

LAB = "opt/ascend-lab"
PythonKind = Literal["system", "none", "3.6"]

# Host commands that a lab host answers itself. Debian links kmod's tools into both directories.
_KMOD_PATHS = {
    "lsmod": ("usr/bin", "usr/sbin"),
    "modprobe": ("usr/sbin",),
    "insmod": ("usr/sbin",),
    "rmmod": ("usr/sbin",),
    "modinfo": ("usr/sbin",),
    "depmod": ("usr/sbin",),
}
_COMMAND_PATHS = {
    "dmesg": "usr/bin",
    "uname": "usr/bin",
    "dkms": "usr/sbin",
}


@dataclass(frozen=True, kw_only=True)
class DeviceNode:
    """A character device that waits under /dev/.lab until the driver is loaded."""

    name: str
    mode: int = 0o600


@dataclass(frozen=True, kw_only=True)
class DressOptions:
    """What a host has beside its stack.

    `python`: the image's own, none at all, or a 3.6 that runs nothing (what an old host looks like to a module).
    """

    python: PythonKind = "system"
    mpi: bool = True
    services: bool = True
    containers: bool = True
    npu_ips: bool = True
    frameworks: bool = True
    chip_name: str | None = None


@dataclass(frozen=True, kw_only=True)
class Dressing:
    """What the launcher must give the host at every boot."""

    device_nodes: tuple[DeviceNode, ...]
    uname: str


def dress(
    root: Path, *, profile: str, stack: str, host: str, index: int, options: DressOptions | None = None
) -> Dressing:
    """Write the host's Ascend side below `root`. LabError for a profile or stack that was never published."""
    options = options or DressOptions()
    product = profiles.get(profile)
    worn = stacks.get(profile, stack)
    arch = platform.machine()
    _install_tools(root)
    hardware.write_state(root, product, worn, host=host, index=index, arch=arch, chip_name=options.chip_name)
    kernels.write_kernels(root, product, arch)
    units.write_hardware_unit(root)
    pythons.wear_python(root, options.python)
    if not options.mpi:
        pythons.hide(root, ("mpirun", "mpiexec", "mpicc", "mpiexec.hydra", "mpirun.mpich", "mpiexec.mpich"))
    if worn.software is not None:
        if options.npu_ips:
            network.write_hccn_conf(root, product, worn.software, index)
        if options.services:
            workload.write_exporter(root)
        if options.containers:
            workload.write_docker(root, host=host)
        if options.frameworks:
            pythons.write_environments(root, worn.software)
    names = [f"davinci{chip}" for chip in range(product.chips)]
    nodes = tuple(DeviceNode(name=name) for name in (*names, "davinci_manager", "devmm_svm", "hisi_hdc"))
    return Dressing(device_nodes=nodes, uname=product.host_kernel.fact(arch).value)


def _install_tools(root: Path) -> None:
    """Copy the tools and put the wrapped host commands in place."""
    source = resources.files("ascend_provision.lab.ascend") / "tools"
    with resources.as_file(source) as tools:
        for part in ("bin", "lib", "jobs"):
            target = root / LAB / part
            target.mkdir(parents=True, exist_ok=True)
            for file in sorted((tools / part).iterdir()):
                shutil.copyfile(file, target / file.name)
                (target / file.name).chmod(0o644 if part == "lib" else 0o755)
    for directory in ("faults", "hw/hccn"):
        (root / LAB / directory).mkdir(parents=True, exist_ok=True)
    for name, directories in _KMOD_PATHS.items():
        for directory in directories:
            write_command(root / directory / name, f"kmod {name}")
    for name, directory in _COMMAND_PATHS.items():
        write_command(root / directory / name, name)
