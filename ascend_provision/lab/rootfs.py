"""The mounts of one boot of a host, made by its future PID 1 in its own namespaces.

Real: the overlay root, /proc, /dev/pts, cgroups, network sysctls, uptime. Worn: boot id and all other sysctls (an
overlay on a copy of /proc/sys, so a write stays in the host and is lost at reboot), /sys (simulated PCI functions over
the real one), and the NPU device nodes, which wait under /dev/.lab until the simulated driver is loaded.
"""

from __future__ import annotations

import os
import stat
import uuid
from dataclasses import dataclass
from pathlib import Path

from ascend_provision.lab import syscalls
from ascend_provision.lab.places import rootless
from ascend_provision.lab.spec import HostSpec
from ascend_provision.lab.syscalls import NODEV, NOEXEC, NOSUID, RDONLY

# what a kernel always has: name, mode, major, minor
_DEVICES = (
    ("null", 0o666, 1, 3),
    ("zero", 0o666, 1, 5),
    ("full", 0o666, 1, 7),
    ("random", 0o666, 1, 8),
    ("urandom", 0o666, 1, 9),
    ("tty", 0o666, 5, 0),
)
_DEVICE_LINKS = (
    ("ptmx", "pts/ptmx"),
    ("fd", "/proc/self/fd"),
    ("stdin", "/proc/self/fd/0"),
    ("stdout", "/proc/self/fd/1"),
    ("stderr", "/proc/self/fd/2"),
)
_NULL_DEVICE = (1, 3)
_MACHINE_FILES = ("sysrq-trigger", "kcore", "kmsg")  # these would reach the machine's kernel
# A host's upper directory must make sense by itself: it can become a layer, and digests are taken of it.
_OVERLAY_OPTIONS = "index=off,xino=off,metacopy=off,redirect_dir=off"
_OVERLAY_OPTIONS_ROOTLESS = "index=off,xino=off,userxattr"  # implies the other two, and refuses their names


@dataclass(frozen=True, kw_only=True)
class BootPlan:
    """What PID 1 needs to know to build its root file system."""

    spec: HostSpec
    store: Path  # holds `u` (upper) and `w` (work) of the host
    scratch: Path  # an empty directory to mount on; only this mount namespace sees what is there
    sysctls: Path  # copy of /proc/sys
    console: Path
    cgroup: Path | None
    cold: bool


def enter_root(plan: BootPlan) -> None:
    """Build the host's root file system and make it the root of this mount namespace."""
    root = _mount_overlay(plan)
    boot = plan.scratch / "boot"
    boot.mkdir(exist_ok=True)
    syscalls.mount("boot", boot, "tmpfs", 0, "mode=755")
    _mount_proc(plan, root, boot)
    _mount_sys(plan, root)
    _make_devices(plan, root / "dev")
    syscalls.mount("run", root / "run", "tmpfs", NOSUID | NODEV, "mode=755,size=256m")
    _write(root / "run/ascend-lab/.boot", "", 0o644)
    if plan.cold:
        _write(root / "run/ascend-lab/cold", "", 0o644)
    syscalls.set_hostname(_host_name(root, plan.spec.name))
    os.chdir(root)
    syscalls.pivot_root_here()


def _host_name(root: Path, given: str) -> str:
    """What /etc/hostname says: someone may have renamed the host in an earlier boot."""
    try:
        return (root / "etc/hostname").read_text().strip() or given
    except (OSError, UnicodeDecodeError):
        return given


def _mount_overlay(plan: BootPlan) -> Path:
    root = plan.scratch / "root"
    root.mkdir(exist_ok=True)
    lowers = ":".join(plan.spec.lowers)
    options = _OVERLAY_OPTIONS_ROOTLESS if rootless() else _OVERLAY_OPTIONS
    layers = f"lowerdir={lowers},upperdir={plan.store}/u,workdir={plan.store}/w,{options}"
    syscalls.mount("lab", root, "overlay", NODEV, layers)
    return root


def _mount_proc(plan: BootPlan, root: Path, boot: Path) -> None:
    proc = root / "proc"
    syscalls.mount("proc", proc, "proc", NOSUID | NODEV | NOEXEC)
    _write(boot / "sysctl/kernel/random/boot_id", f"{uuid.uuid4()}\n", 0o444)
    _write(boot / "sysctl/kernel/hostname", f"{_host_name(root, plan.spec.name)}\n", 0o644)
    work = boot / "sysctl-work"
    work.mkdir()
    layers = f"lowerdir={plan.sysctls},upperdir={boot}/sysctl,workdir={work}"
    syscalls.mount("sysctl", proc / "sys", "overlay", NOSUID | NODEV | NOEXEC, layers)
    # the network's own are real and belong to the host; a copy of `uuid` would give the same one for ever
    for real in ("net", "kernel/random/uuid", "kernel/random/entropy_avail"):
        syscalls.bind(Path("/proc/sys") / real, proc / "sys" / real)
    _write(boot / "empty", "", 0o400)
    for name in _MACHINE_FILES:
        if (proc / name).exists():
            syscalls.bind(boot / "empty", proc / name)


def _mount_sys(plan: BootPlan, root: Path) -> None:
    flags = NOSUID | NODEV | NOEXEC | RDONLY
    syscalls.mount("sysfs", root / "sys", "sysfs", flags)
    if plan.spec.sysfs:
        syscalls.mount("sys", root / "sys", "overlay", flags, f"lowerdir={plan.spec.sysfs}:{root}/sys")
    if plan.cgroup:
        syscalls.mount("cgroup2", root / "sys/fs/cgroup", "cgroup2", NOSUID | NODEV | NOEXEC)


def _make_devices(plan: BootPlan, dev: Path) -> None:
    syscalls.mount("dev", dev, "tmpfs", NOSUID, "mode=755,size=64m")
    mask = os.umask(0)
    for name, mode, major, minor in _DEVICES:
        _node(dev / name, mode, (major, minor), Path("/dev") / name)
    hidden = dev / ".lab"
    hidden.mkdir(mode=0o700)
    for device in plan.spec.devices:
        _node(hidden / device.name, device.mode, _NULL_DEVICE, None)
    os.umask(mask)
    for name in ("pts", "shm"):
        (dev / name).mkdir()
    syscalls.mount("devpts", dev / "pts", "devpts", NOSUID | NOEXEC, "newinstance,ptmxmode=0666,mode=620,gid=5")
    syscalls.mount("shm", dev / "shm", "tmpfs", NOSUID | NODEV, "mode=1777,size=512m")
    for name, target in _DEVICE_LINKS:
        (dev / name).symlink_to(target)
    _write(dev / "console", "", 0o600)
    syscalls.bind(plan.console, dev / "console")


def _node(path: Path, mode: int, number: tuple[int, int], real: Path | None) -> None:
    """A character device; rootless, where nobody may make one, the machine's own or a plain file."""
    try:
        os.mknod(path, mode | stat.S_IFCHR, os.makedev(*number))
    except PermissionError:
        _write(path, "", mode)
        if real:
            syscalls.bind(real, path)


def _write(path: Path, text: str, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
