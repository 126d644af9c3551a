"""Bring a fleet up, add hosts to it, take it down."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import ascend_provision
from ascend_provision.lab import access, identity, image, layers, light, machine, protocol, readiness, running, turns
from ascend_provision.lab.cache import Say
from ascend_provision.lab.dressing import BARE, Dresser, Order
from ascend_provision.lab.errors import INTERNAL, USAGE, LabError
from ascend_provision.lab.places import FleetPlace
from ascend_provision.lab.running import require_daemon, running_daemon, through, upper_of
from ascend_provision.lab.spec import NETWORK, DeviceNode, HostSpec, HostStatus

_MOST_HOSTS = NETWORK.num_addresses - 512
_DOWN_LIMIT_S = 10.0
_PREFIX = re.compile(r"[a-z]([a-z0-9-]{0,40}[a-z0-9])?")


def bring_up(
    place: FleetPlace, order: Order, dresser: Dresser, say: Say, *, owner: int | None = None, limit_s: float = 120.0
) -> list[HostStatus]:
    """Start the fleet if it does not run, add the ordered hosts, boot them, wait until they are ready.

    A fleet that this call started is taken down again if its hosts could not be made. Returns the new hosts.
    """
    if order.nodes < 1:
        raise LabError(
            code="lab-nodes", what=f"--nodes {order.nodes}: a fleet has at least one host", next="lab up --nodes 2"
        )
    if order.prefix is not None and not _PREFIX.fullmatch(order.prefix):
        raise LabError(
            code="lab-prefix",
            what=f"--prefix {order.prefix!r} cannot begin a host name",
            next="use small letters, digits and dashes, e.g. `--prefix rack7-node`",
        )
    machine.require_kernel()
    machine.require_programs(machine.RUN_PROGRAMS)
    dresser.check(order)
    lowers = [str(image.ensure(say))]
    if order.stack != BARE:
        lowers.insert(0, str(layers.ensure(order, Path(lowers[0]), dresser, say)))
    with turns.taken(place):
        started = running_daemon(place) is None
        if started:
            _start_daemon(place)
        try:
            if owner is not None:
                protocol.ask(place, "own", pid=owner)
            return _add(place, order, dresser, lowers, limit_s)
        except BaseException:
            if started and not _worth_a_look(sys.exc_info()[1]):
                take_down(place)
            raise


def _worth_a_look(problem: BaseException | None) -> bool:
    """A host that did not boot is left as it is, for the reader of its console."""
    return isinstance(problem, LabError) and problem.code in readiness.CODES


def take_down(place: FleetPlace) -> bool:
    """End the fleet and remove what is left of it. False if it did not run."""
    daemon = running_daemon(place)
    if daemon is None:
        running.sweep(place)
        turns.forget(place)
        return False
    running.end_shared_connections(place)
    protocol.ask(place, "down")
    end = time.monotonic() + _DOWN_LIMIT_S
    while running_daemon(place) is not None:
        if time.monotonic() > end:
            raise LabError(
                code="lab-daemon-stuck",
                what=f"the daemon of fleet `{place.name}` (pid {daemon}) does not end",
                next=f"kill -9 {daemon}   (nothing of the fleet survives it)",
                exit=INTERNAL,
            )
        time.sleep(0.02)
    running.sweep(place)
    turns.forget(place)
    return True


def hosts_named(place: FleetPlace, names: list[str]) -> list[HostStatus]:
    """The named hosts; LabError for a name the fleet does not know."""
    require_daemon(place)
    known = {host.name: host for host in protocol.status(place)}
    for name in names:
        if name not in known:
            raise LabError(
                code="lab-unknown-host",
                what=f"the fleet `{place.name}` has no host {name!r}",
                next=f"use one of: {', '.join(known) or 'none yet'}",
                exit=USAGE,
            )
    return [known[name] for name in names]


def host_named(place: FleetPlace, name: str) -> HostStatus:
    """One host; LabError for a name the fleet does not know."""
    return hosts_named(place, [name])[0]


def _start_daemon(place: FleetPlace) -> None:
    running.sweep(place)
    for directory in (place.dir, place.dir / "console", place.store, place.mounts):
        directory.mkdir(mode=0o700, exist_ok=True)
    machine.widen_limits()
    identity.make_fleet_key(place)
    read, write = os.pipe()
    package_parent = str(Path(ascend_provision.__file__).resolve().parent.parent)
    search = os.pathsep.join(filter(None, (package_parent, os.environ.get("PYTHONPATH"))))
    with place.log.open("ab") as log:
        subprocess.Popen(
            [sys.executable, "-m", "ascend_provision.lab.daemon", place.name, str(write)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env={**os.environ, "PYTHONPATH": search},
            pass_fds=(write,),
            start_new_session=True,
        )
    os.close(write)
    with os.fdopen(read) as answer:
        if answer.read(2) != "ok":
            raise LabError(
                code="lab-daemon-start",
                what=f"the daemon of fleet `{place.name}` did not start:\n{place.log.read_text()[-2000:].strip()}",
                next="the lab needs root with CAP_SYS_ADMIN, or user namespaces; see docs/lab.md",
            )


def _add(place: FleetPlace, order: Order, dresser: Dresser, lowers: list[str], limit_s: float) -> list[HostStatus]:
    daemon = require_daemon(place)
    _forget_unfinished(place)
    old = protocol.status(place)
    if len(old) + order.nodes > _MOST_HOSTS:
        raise LabError(code="lab-nodes", what=f"a fleet has at most {_MOST_HOSTS} hosts")
    specs = _specs(order, dresser, old, lowers, str(_sysfs(place, daemon, order, dresser)))
    protocol.ask(place, "add", specs=[spec.to_json() for spec in specs])
    names = [spec.name for spec in specs]
    try:
        for spec in specs:
            upper = upper_of(place, daemon, spec.name)
            identity.write(upper, Path(lowers[-1]), place, spec.name)
            if order.init == "light":
                light.write(upper)
            devices = dresser.dress(upper, order, spec.name, spec.index)
            protocol.ask(place, "devices", host=spec.name, devices=[_wire(device) for device in devices])
        hosts = protocol.status(place)
        addresses = {host.name: host.ip for host in hosts}
        for name in names:
            identity.write_hosts(upper_of(place, daemon, name), addresses)
    except BaseException:
        protocol.ask(place, "forget", hosts=names)
        raise
    _write_access(place, daemon, hosts)
    readiness.boot_all(place, daemon, names, limit_s)
    return hosts_named(place, names)


def _forget_unfinished(place: FleetPlace) -> None:
    """Hosts that an `up` which was killed half-way has made and never booted."""
    protocol.ask(place, "forget", hosts=[host.name for host in protocol.status(place) if host.state == "new"])


def _write_access(place: FleetPlace, daemon: int, hosts: list[HostStatus]) -> None:
    """Bring ssh_config, known_hosts and the inventory up to date."""
    access.write(place, daemon, hosts, {host.name: upper_of(place, daemon, host.name) for host in hosts})


def _sysfs(place: FleetPlace, daemon: int, order: Order, dresser: Dresser) -> Path:
    """One directory a profile, shared by its hosts."""
    directory = place.mounts / "sysfs" / order.profile
    seen = through(daemon, directory)
    if not seen.exists():
        seen.mkdir()
        dresser.sysfs(seen, order.profile)
    return directory


def _specs(order: Order, dresser: Dresser, old: list[HostStatus], lowers: list[str], sysfs: str) -> list[HostSpec]:
    prefix = order.prefix or dresser.prefix(order.profile)
    taken = {host.name for host in old}
    numbers = (number for number in range(1, len(old) + order.nodes + 1) if f"{prefix}-{number}" not in taken)
    first = max((host.index for host in old), default=0) + 1
    return [
        HostSpec(
            name=f"{prefix}-{next(numbers)}",
            index=first + offset,
            profile=order.profile,
            stack=order.stack,
            python=str(order.options.get("python", "system")),
            init=order.init,
            lowers=tuple(lowers),
            devices=(),
            sysfs=sysfs,
            disk_mb=order.disk_mb,
        )
        for offset in range(order.nodes)
    ]


def _wire(device: DeviceNode) -> dict[str, object]:
    return {"name": device.name, "mode": device.mode}
