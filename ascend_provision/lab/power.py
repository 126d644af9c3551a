"""The life of one host inside the daemon: on, off, reset, and what follows when its PID 1 has ended."""

from __future__ import annotations

import os
import selectors
import signal
from pathlib import Path

from ascend_provision.lab import boot, cgroups, links, protocol
from ascend_provision.lab.console import Console
from ascend_provision.lab.places import FleetPlace
from ascend_provision.lab.rootfs import BootPlan
from ascend_provision.lab.spec import HostSpec, HostStatus, State

# reboot(2) inside a PID namespace ends its PID 1 with one of these
_REBOOT, _HALT = signal.SIGHUP, signal.SIGINT
_NEVER_RETURNS = "opt/ascend-lab/faults/reboot-never-returns"


class Host:
    """A host and, while it is on, its PID 1, console and cgroup."""

    def __init__(
        self, spec: HostSpec, place: FleetPlace, fleet_cgroup: Path | None, selector: selectors.BaseSelector
    ) -> None:
        self.spec = spec
        self.selector = selector
        self.place = place
        self.fleet_cgroup = fleet_cgroup
        self.store = place.store / spec.name
        self.state: State = "new"
        self.pid: int | None = None
        self.console: Console | None = None
        self.cgroup: Path | None = None
        self.boots = 0
        self.cut = False

    @property
    def upper(self) -> Path:
        """What the host has written, all boots."""
        return self.store / "u"

    def power_on(self, *, cold: bool) -> None:
        """Boot; `cold` means power was off before, which some firmware needs to take effect."""
        if self.pid:
            return
        if self.fleet_cgroup:
            self.cgroup = self.fleet_cgroup / f"{self.spec.name}.{self.boots}"
        self.console = Console(self.place.mounts / "terminals", self.place.console(self.spec.name))
        self.selector.register(self.console.master, selectors.EVENT_READ, self.console.drain)
        plan = BootPlan(
            spec=self.spec,
            store=self.store,
            scratch=self.place.mounts / "boot",
            sysctls=self.place.mounts / "sysctls",
            console=self.console.path,
            cgroup=self.cgroup,
            cold=cold,
        )
        try:
            self.pid = boot.start(plan, cut=self.cut)
        except (OSError, RuntimeError):
            self.state = "crashed"
            self._clear()
            raise
        self.state = "on"
        self.boots += 1

    def power_off(self) -> None:
        """As if the plug were pulled: the cable goes first, else dying sockets would say goodbye."""
        if self.pid is None:
            if self.state == "lost":
                self.state = "off"
            return
        links.switch(self.spec, up=False)
        self.state = "off"
        self.kill()

    def kill(self) -> None:
        """End PID 1, and with it every process of the host, and wait for that."""
        if self.pid is not None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self._clear()

    def set_cut(self, cut: bool) -> None:
        """Cut or heal the network cable; stays as it is over reboots."""
        self.cut = cut
        if self.pid:
            links.switch(self.spec, up=not cut)

    def ended(self, status: int) -> None:
        """PID 1 has ended by itself with this wait status: reboot, halt or crash."""
        self._clear()
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
        if number == _REBOOT and self.state == "on":
            if (self.upper / _NEVER_RETURNS).exists():
                self.state = "lost"
            else:
                self.power_on(cold=False)
        else:
            self.state = "off" if number in (_HALT, signal.SIGKILL) else "crashed"

    def status(self) -> HostStatus:
        """For the client."""
        return HostStatus(
            name=self.spec.name,
            index=self.spec.index,
            ip=self.spec.ip,
            profile=self.spec.profile,
            stack=self.spec.stack,
            python=self.spec.python,
            state=self.state,
            pid=self.pid,
            boots=self.boots,
            cut=self.cut,
        )

    def _clear(self) -> None:
        self.pid = None
        if self.console:
            self.selector.unregister(self.console.master)
            self.console.close()
            self.console = None
        if self.cgroup:
            cgroups.remove(self.cgroup)
            self.cgroup = None


def status_rows(hosts: dict[str, Host]) -> list[dict[str, object]]:
    """All hosts for the wire."""
    return [protocol.status_row(host.status()) for host in hosts.values()]
