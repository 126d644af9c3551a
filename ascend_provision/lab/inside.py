"""Run a command inside a host without SSH (as its root), and reach its files."""

from __future__ import annotations

import contextlib
import os
import subprocess
from pathlib import Path

from ascend_provision.lab.errors import LabError
from ascend_provision.lab.spec import HostStatus

_ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "USER": "root",
    "LOGNAME": "root",
    "LANG": "C.UTF-8",
}
# mount, uts, ipc, net, pid, cgroup, time namespaces, and the root and working directory of PID 1
_NAMESPACES = ["-m", "-u", "-i", "-n", "-p", "-C", "-T", "-r", "-w"]
_CGROUP = "lab-exec"


def root_of(host: HostStatus) -> Path:
    """The host's root directory as seen from here; LabError if the host is not on."""
    return Path(f"/proc/{_pid(host)}/root")


def capture(host: HostStatus, command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run `command` in the host and return what it printed."""
    return subprocess.run(
        _nsenter(host, command),
        env=_ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def replace_by_command(host: HostStatus, command: list[str]) -> None:
    """Become `command` in the host, in a cgroup of the host's own where we may enter one."""
    argv = _nsenter(host, command)
    group = root_of(host) / "sys/fs/cgroup" / _CGROUP
    with contextlib.suppress(OSError):  # a light host without cgroups, or a rootless lab entered from another session
        group.mkdir(exist_ok=True)
        (group / "cgroup.procs").write_text("0")
    os.execvpe(argv[0], argv, {**_ENVIRONMENT, "TERM": os.environ.get("TERM", "dumb")})  # noqa: S606 - argv, no shell


def _nsenter(host: HostStatus, command: list[str]) -> list[str]:
    return ["nsenter", "-t", str(_pid(host)), *_NAMESPACES, "--", *command]


def _pid(host: HostStatus) -> int:
    if host.pid is None:
        raise LabError(
            code="lab-host-off",
            what=f"{host.name} is {host.state}",
            next=f"ascend-provision lab power on {host.name}",
        )
    return host.pid
