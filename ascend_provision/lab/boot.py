"""Start a host: fork the process that becomes PID 1 of new namespaces.

A short-lived helper unshares the PID and time namespaces and forks; its child is PID 1 in there and, once the helper
has ended, the daemon's own child (the daemon adopts orphans). Coming back with setns(2) instead would need rights over
the outer namespaces, which a rootless lab has not.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path

from ascend_provision.lab import cgroups, light, links, syscalls
from ascend_provision.lab.rootfs import BootPlan, enter_root
from ascend_provision.lab.syscalls import NEWCGROUP, NEWIPC, NEWNET, NEWNS, NEWPID, NEWTIME, NEWUTS

_SYSTEMD = ("/sbin/init",)
_ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "container": "ascend-lab",
    "TERM": "linux",
    "HOME": "/",
}
_FAILED = 99


@dataclass(frozen=True)
class _Pipe:
    read: int
    write: int

    @classmethod
    def open(cls) -> _Pipe:
        return cls(*os.pipe())


def start(plan: BootPlan, *, cut: bool) -> int:
    """Boot the host and return the process id of its PID 1. OSError or RuntimeError if that fails."""
    links.remove_cable(plan.spec)
    ready, plugged, number = _Pipe.open(), _Pipe.open(), _Pipe.open()
    daemon = os.pidfd_open(os.getpid())
    helper = os.fork()
    if helper == 0:
        _help(plan, daemon, ready, plugged, number)
    os.close(daemon)
    for end in (number.write, ready.write, plugged.read):
        os.close(end)
    try:
        pid = int(os.read(number.read, 32) or 0)
        os.waitpid(helper, 0)
        if not pid:
            raise RuntimeError("no PID 1 could be started")
        try:
            if os.read(ready.read, 1):
                links.plug(plan.spec, pid, cut=cut)
                os.write(plugged.write, b"x")
        except RuntimeError:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            raise
        return pid
    finally:
        for end in (number.read, ready.read, plugged.write):
            os.close(end)


def _help(plan: BootPlan, daemon: int, ready: _Pipe, plugged: _Pipe, number: _Pipe) -> None:
    try:
        _unshare_pid_and_clock()
        pid = os.fork()
        if pid == 0:
            for end in (ready.read, plugged.write, number.read, number.write):
                os.close(end)
            _become_init(plan, daemon, ready.write, plugged.read)
        os.write(number.write, str(pid).encode())
    except BaseException:  # a forked process must end here, whatever happened
        traceback.print_exc()
    os._exit(0)


def _unshare_pid_and_clock() -> None:
    """A host's uptime starts at its boot: CLOCK_MONOTONIC and CLOCK_BOOTTIME begin anew."""
    offsets = Path("/proc/self/timens_offsets")
    if not offsets.exists():  # kernel without time namespaces: uptime is then the machine's
        syscalls.unshare(NEWPID)
        return
    syscalls.unshare(NEWPID | NEWTIME)
    since_boot = {
        "monotonic": -int(time.clock_gettime(time.CLOCK_MONOTONIC)) + 1,
        "boottime": -int(time.clock_gettime(time.CLOCK_BOOTTIME)) + 1,
    }
    offsets.write_text("".join(f"{clock} {seconds} 0\n" for clock, seconds in since_boot.items()))


def _become_init(plan: BootPlan, daemon: int, ready: int, plugged: int) -> None:
    """Runs as PID 1 until it has become init. Never returns."""
    try:
        os.setsid()
        _forget_signal_handlers()
        if plan.cgroup:
            cgroups.join(plan.cgroup)
        syscalls.unshare(NEWNS | NEWUTS | NEWIPC | NEWNET | NEWCGROUP)
        os.write(ready, b"x")
        os.close(ready)
        if os.read(plugged, 1) != b"x":
            os._exit(_FAILED)
        # only now: the helper's end would have counted as the parent's
        syscalls.die_with_parent(signal.SIGKILL)
        if select.select([daemon], [], [], 0)[0]:  # it ended before we could ask to be told
            os._exit(_FAILED)
        links.configure_inside(plan.spec)
        terminal = os.open(plan.console, os.O_RDWR | os.O_NOCTTY)
        nothing = os.open("/dev/null", os.O_RDONLY)
        enter_root(plan)
        syscalls.drop_dangerous_capabilities()
        os.dup2(nothing, 0)
        os.dup2(terminal, 1)
        os.dup2(terminal, 2)
        os.closerange(3, 4096)
        command = _SYSTEMD if plan.spec.init == "systemd" else light.INIT
        os.execve(command[0], command, _ENVIRONMENT)  # noqa: S606 - becomes PID 1, no shell
    except BaseException:  # see _help
        sys.stderr.write(f"{plan.spec.name}: could not boot\n")
        traceback.print_exc()
    os._exit(_FAILED)


def _forget_signal_handlers() -> None:
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
