"""The process that owns a running fleet: `python -m ascend_provision.lab.daemon NAME`.

It holds the controller's network namespace, a private mount namespace with the hosts' upper directories (tmpfs), and
is the parent of every host's PID 1. When it ends, by whatever signal, the kernel takes all of that away. Only plain
files in the fleet's directory and empty cgroups can remain; the next `lab up` sweeps them.

Started by `fleet.py`, which passes the write end of a pipe as argument 2 and reads "ok" from it. One thread, one loop.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import json
import os
import selectors
import signal
import socket
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from ascend_provision.lab import cache, cgroups, console, isolation, links, protocol, syscalls, sysctls
from ascend_provision.lab.errors import LabError
from ascend_provision.lab.places import FleetPlace, fleet_place
from ascend_provision.lab.power import Host, status_rows
from ascend_provision.lab.spec import DeviceNode, HostSpec

_BACKLOG = 64


class Daemon:
    """Hosts by name, and the orders that can be given."""

    def __init__(self, place: FleetPlace) -> None:
        self.place = place
        self.hosts: dict[str, Host] = {}
        self.held: dict[str, int] = {}
        self.selector = selectors.DefaultSelector()
        self.cgroup: Path | None = None
        self.stopping = False
        self.owner: int | None = None

    def set_up(self) -> None:
        """Namespaces, network, cgroup, and the things all hosts are built from."""
        syscalls.adopt_orphans()
        isolation.leave_the_machine(self.place.dir / "root")
        syscalls.mount("lab", self.place.store, "tmpfs", 0, "mode=755,size=1m")
        syscalls.mount("lab", self.place.mounts, "tmpfs", 0, "mode=755")
        (self.place.mounts / "boot").mkdir()
        (self.place.mounts / "sysfs").mkdir()
        console.mount_terminals(self.place.mounts / "terminals")
        sysctls.copy_to(self.place.mounts / "sysctls")
        links.lay_bridge()
        group = cgroups.fleet_cgroup(self.place.name, self.place.mounts / "cgroup")
        if group:
            cgroups.remove(group)
            self.cgroup = group if cgroups.make(group) else None

    # orders: one method each, named op_NAME, arguments from the client

    def op_status(self) -> Any:
        return status_rows(self.hosts)

    def op_add(self, specs: list[dict[str, Any]]) -> Any:
        """Make empty disks for new hosts; the client fills them and then powers the hosts on."""
        for raw in specs:
            spec = HostSpec.from_json(raw)
            if spec.name in self.hosts:
                raise LabError(code="lab-host-exists", what=f"the fleet already has a host {spec.name}")
            if spec.init == "systemd" and not self.cgroup:
                raise LabError(
                    code="lab-no-cgroup",
                    what="systemd hosts need a cgroup of their own, and this process may not make one",
                    next="systemd-run --user --scope -p Delegate=yes ascend-provision lab up …   (or use --init light)",
                )
            for lower in spec.lowers:
                if lower not in self.held:
                    self.held[lower] = cache.hold(Path(lower))
            host = Host(spec, self.place, self.cgroup, self.selector)
            host.store.mkdir()
            syscalls.mount("lab", host.store, "tmpfs", 0, f"mode=755,size={spec.disk_mb}m,nr_inodes=0")
            for part in ("u", "w"):
                (host.store / part).mkdir(mode=0o755)
            self.hosts[spec.name] = host

    def op_devices(self, host: str, devices: list[dict[str, Any]]) -> Any:
        """The device nodes a new host gets at every boot."""
        found = self._host(host)
        found.spec = dataclasses.replace(found.spec, devices=tuple(DeviceNode(**device) for device in devices))

    def op_forget(self, hosts: list[str]) -> Any:
        """Take back hosts that were added and could not be filled."""
        for name in hosts:
            host = self.hosts.pop(name, None)
            if host:
                host.kill()
                syscalls.detach(host.store)
                host.store.rmdir()

    def op_on(self, host: str) -> Any:
        self._host(host).power_on(cold=True)

    def op_off(self, host: str) -> Any:
        self._host(host).power_off()

    def op_reset(self, host: str) -> Any:
        """The reset button: no shutdown, and no cold start either."""
        found = self._host(host)
        found.power_off()
        found.power_on(cold=False)

    def op_cut(self, host: str, cut: bool) -> Any:
        self._host(host).set_cut(cut)

    def op_own(self, pid: int) -> Any:
        """End the fleet when this process ends."""
        try:
            handle = os.pidfd_open(pid)
        except OSError as problem:
            raise LabError(code="lab-owner", what=f"--owner {pid}: {os.strerror(problem.errno or 0)}") from problem
        if self.owner is not None:
            self.selector.unregister(self.owner)
            os.close(self.owner)
        self.owner = handle
        self.selector.register(handle, selectors.EVENT_READ, self._owner_ended)

    def op_down(self) -> Any:
        for host in self.hosts.values():
            host.kill()
        if self.cgroup:
            cgroups.remove(self.cgroup)
        self._stop()

    def _host(self, name: str) -> Host:
        if name in self.hosts:
            return self.hosts[name]
        raise LabError(
            code="lab-unknown-host",
            what=f"the fleet `{self.place.name}` has no host {name!r}",
            next=f"use one of: {', '.join(self.hosts) or 'none yet'}",
        )

    # the loop

    def serve(self, ready: int) -> None:
        """Take orders until told to stop, the owner ends or a signal comes."""
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(self.place.socket))
            server.listen(_BACKLOG)
            self.selector.register(server, selectors.EVENT_READ, lambda: self._take_order(server))
            self._wake_on_signals()
            os.write(ready, b"ok")
            os.close(ready)
            while not self.stopping:
                for key, _events in self.selector.select():
                    if key.fileobj in self.selector.get_map():  # an earlier event of this round may have closed it
                        key.data()
                self._reap()
            self.op_down()

    def _stop(self, *_: object) -> None:
        self.stopping = True

    def _wake_on_signals(self) -> None:
        read, write = os.pipe()
        os.set_blocking(read, False)
        os.set_blocking(write, False)
        signal.set_wakeup_fd(write)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)

        def drain() -> None:
            with contextlib.suppress(BlockingIOError):
                os.read(read, 4096)

        self.selector.register(read, selectors.EVENT_READ, drain)

    def _owner_ended(self) -> None:
        log(f"the owner ended, so does fleet {self.place.name}")
        self._stop()

    def _take_order(self, server: socket.socket) -> None:
        connection, _address = server.accept()
        with connection, connection.makefile("rw") as stream:
            try:
                order = json.loads(stream.readline())
                method = getattr(self, f"op_{order.pop('op')}")
                answer = protocol.encode_answer(method(**order))
            except Exception as problem:  # no order may end the fleet; the client is told
                if not isinstance(problem, LabError):
                    traceback.print_exc()
                answer = protocol.encode_problem(problem)
            with contextlib.suppress(OSError):  # the client may have gone
                stream.write(answer)
                stream.flush()

    def _reap(self) -> None:
        for host in self.hosts.values():
            if host.pid is None:
                continue
            pid, status = os.waitpid(host.pid, os.WNOHANG)
            if pid:
                log(f"{host.spec.name}: PID 1 ended, wait status {status}")
                try:
                    host.ended(status)
                except (OSError, RuntimeError):
                    traceback.print_exc()


def log(text: str) -> None:
    """One line with the time of day into the fleet's log (stderr)."""
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stderr.flush()


def main() -> None:
    """Lock the fleet's place, set up, say "ok", serve."""
    place, ready = fleet_place(sys.argv[1]), int(sys.argv[2])
    lock = os.open(place.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    place.pid_file.write_text(f"{os.getpid()}\n")
    daemon = Daemon(place)
    daemon.set_up()
    daemon.serve(ready)


if __name__ == "__main__":
    main()
