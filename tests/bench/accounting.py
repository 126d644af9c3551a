"""What a command cost this machine: CPU of all its processes, also of those that outlive it, memory, bytes sent."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

_SAMPLE_S = 0.5


@dataclass(frozen=True)
class Cost:
    """`cpu` and `wall` in seconds; `memory` and `python` (without ssh) in bytes, shared pages counted once; `sent` and
    `received` in bytes of the network given."""

    status: int
    cpu: float
    wall: float
    memory: int
    python: int
    sent: int
    received: int


class Group:
    """A control group of its own for one command, so that ssh's masters count, which leave their parents.

    Where none can be made `counted` is False and CPU is that of waited-for children only, without the masters.
    """

    def __init__(self, name: str) -> None:
        self.path = _cgroup2() / f"check-scale-{os.getpid()}-{name}" if _cgroup2() else None
        self.counted = False
        if self.path is not None:
            with contextlib.suppress(OSError):
                self.path.mkdir()
                self.counted = (self.path / "cpu.stat").exists() and os.access(self.path / "cgroup.procs", os.W_OK)
        self._before = _children_cpu()

    def argv(self, command: list[str]) -> list[str]:
        """The command so that it puts itself into the group before it begins."""
        if self.path is None or not self.counted:
            return command
        return ["/bin/sh", "-c", 'echo 0 > "$0" && exec "$@"', str(self.path / "cgroup.procs"), *command]

    @property
    def cpu(self) -> float:
        if self.path is None or not self.counted:
            return _children_cpu() - self._before
        fields = dict(line.split() for line in (self.path / "cpu.stat").read_text(encoding="ascii").splitlines())
        return int(fields["usage_usec"]) / 1e6

    @property
    def pids(self) -> list[int]:
        if self.path is None or not self.counted:
            return []
        return [int(pid) for pid in (self.path / "cgroup.procs").read_text(encoding="ascii").split()]

    def remove(self) -> None:
        """End what the command left (ssh's masters) and take the group away."""
        for _ in range(100):
            for pid in self.pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGTERM)
            with contextlib.suppress(OSError):
                if self.path is not None and self.counted:
                    self.path.rmdir()
                return
            time.sleep(0.05)


def measure(argv: list[str], name: str, *, env: dict[str, str], log: Path, interface: str, limit_s: float) -> Cost:
    """Run a command to its end and say what it cost. Its output goes to `log`."""
    group = Group(name)
    memory = _Memory(group)
    before, began = _traffic(interface), time.monotonic()
    with log.open("wb") as output:
        started = subprocess.Popen(group.argv(argv), env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        with memory:
            status = started.wait(limit_s)
    wall, cpu, after = time.monotonic() - began, group.cpu, _traffic(interface)
    group.remove()
    received, sent = (now - then for now, then in zip(after, before, strict=True))
    return Cost(status, cpu, wall, memory.all, memory.python, sent, received)


class _Memory:
    """The most that the group's processes held together, looked at twice a second from outside the group."""

    def __init__(self, group: Group) -> None:
        self._group, self._ended = group, threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)
        self.all = self.python = 0

    def __enter__(self) -> None:
        self._watch.start()

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._watch.join()

    def _look(self) -> None:
        while not self._ended.wait(_SAMPLE_S):
            sizes = [_proportional(pid) for pid in self._group.pids]
            self.all = max(self.all, sum(size for size, _ in sizes))
            self.python = max(self.python, sum(size for size, program in sizes if program != "ssh"))


def _proportional(pid: int) -> tuple[int, str]:
    """Bytes of a process, each shared page divided by those who share it; and the name of its program."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
        program = Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
    except OSError:
        return 0, ""
    return next((int(line.split()[1]) * 1024 for line in rollup.splitlines() if line.startswith("Pss:")), 0), program


def _traffic(interface: str) -> tuple[int, int]:
    """Bytes received and sent on an interface of this network namespace."""
    for line in Path("/proc/net/dev").read_text(encoding="ascii").splitlines():
        name, _, numbers = line.partition(":")
        if name.strip() == interface:
            fields = numbers.split()
            return int(fields[0]), int(fields[8])
    return 0, 0


def _cgroup2() -> Path | None:
    """Where this machine shows the cgroup v2 tree; our own group in it when it is the only one."""
    for line in Path("/proc/mounts").read_text(encoding="utf-8").splitlines():
        fields = line.split()
        if fields[2] == "cgroup2":
            own = [
                row[3:] for row in Path("/proc/self/cgroup").read_text("utf-8").splitlines() if row.startswith("0::")
            ]
            return Path(fields[1]) / (own[0].lstrip("/") if own else "")
    return None


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
