"""Stack layers: what really running a stack's installers leaves on a host, kept once and put under every host of it.

A scratch host of stack `bare` runs the recipe's script (the simulated `.run` installers, in the published order), is
rebooted when the script asks for that with exit status 2, is powered off, and what it has written becomes an overlay
layer. So an installed host differs from a freshly installed one in nothing but its identity.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import subprocess
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from ascend_provision.lab import cache, fleet, identity, inside, protocol, readiness
from ascend_provision.lab.cache import Say
from ascend_provision.lab.dressing import BARE, Dresser, Order, with_stack
from ascend_provision.lab.errors import INTERNAL, LabError
from ascend_provision.lab.places import FleetPlace, fleet_names, fleet_place
from ascend_provision.lab.running import require_daemon, sweep, upper_of
from ascend_provision.lab.spec import HostStatus

_FORMAT = b"1"
_SOURCES = ("ascend", "packages", "layers.py", "rootfs.py")
_SCRATCH = "layer-"
_WORK = "var/tmp/ascend-lab-stack"
_BOOT_LIMIT_S = 120.0
_OFF_LIMIT_S = 30.0
_MOST_REBOOTS = 4
_DONE, _REBOOT = 0, 2

# What a boot writes on its own, and the scratch files; relative to the host's root
LEFT_OUT = (
    *identity.PATHS,
    _WORK,
    "tmp",
    "var/tmp",
    "var/cache",
    "var/lib/systemd",
    "var/log/wtmp",
    "var/log/btmp",
    "var/log/lastlog",
    "var/log/journal",
    "var/lib/dbus/machine-id",
    "root/.bash_history",
)


def ensure(order: Order, base: Path, dresser: Dresser, say: Say) -> Path:
    """The layer for the order's profile and stack over the image `base`, built if it is not there yet."""
    label = f"{order.profile}.{order.stack}"

    def build(target: Path) -> None:
        say(f"building stack layer {order.profile}/{order.stack} (once)…")
        began = time.monotonic()
        _build(order, base, dresser, target)
        say(f"stack layer {order.profile}/{order.stack} built in {time.monotonic() - began:.0f} s")

    return cache.built("layers", label, _name(order, base, label), build, say)


def _name(order: Order, base: Path, label: str) -> str:
    """Another name whenever anything that shapes the layer changes: image, packages, tools, this code."""
    parts = [_FORMAT, base.name.encode(), order.profile.encode(), order.stack.encode(), platform.machine().encode()]
    package = Path(str(resources.files("ascend_provision.lab")))
    for source in _SOURCES:
        path = package / source
        parts.extend(cache.tree_parts(path) if path.is_dir() else [path.read_bytes()])
    return cache.content_name(label, parts)


def _build(order: Order, base: Path, dresser: Dresser, target: Path) -> None:
    from ascend_provision.lab.packages import recipe  # noqa: PLC0415

    packages, script = recipe.install_script(order.profile, order.stack, platform.machine())
    _sweep_interrupted()
    place = fleet_place(f"{_SCRATCH}{os.getpid()}")
    scratch = with_stack(Order(nodes=1, profile=order.profile, stack=order.stack, prefix="scratch"), BARE)
    try:
        hosts = fleet.bring_up(place, scratch, dresser, lambda _text: None, owner=os.getpid(), limit_s=_BOOT_LIMIT_S)
        name = hosts[0].name
        _copy_in(place, name, packages, script)
        _install(place, name, order)
        _switch_off(place, name)
        _keep(upper_of(place, require_daemon(place), name), base, target)
    finally:
        fleet.take_down(place)


def _sweep_interrupted() -> None:
    """Files of scratch fleets whose builder was killed; the fleets themselves ended with it."""
    for name in fleet_names():
        left = fleet_place(name)
        if name.startswith(_SCRATCH) and not Path(f"/proc/{name.removeprefix(_SCRATCH)}").exists():
            sweep(left)


def _copy_in(place: FleetPlace, name: str, packages: Path, script: str) -> None:
    work = inside.root_of(fleet.host_named(place, name)) / _WORK
    shutil.copytree(packages, work / "packages")
    (work / "install.sh").write_text(script)


def _install(place: FleetPlace, name: str, order: Order) -> None:
    for _attempt in range(_MOST_REBOOTS):
        ran = inside.capture(fleet.host_named(place, name), ["sh", f"/{_WORK}/install.sh", f"/{_WORK}/packages"])
        if ran.returncode == _DONE:
            return
        if ran.returncode != _REBOOT:
            raise _failed(order, f"exit status {ran.returncode}", ran)
        _reboot(place, name)
    raise _failed(order, f"it asked for more than {_MOST_REBOOTS} reboots", ran)


def _failed(order: Order, why: str, ran: subprocess.CompletedProcess[str]) -> LabError:
    tail = "\n".join((ran.stdout + ran.stderr).splitlines()[-25:])
    return LabError(
        code="lab-layer",
        what=f"stack layer {order.profile}/{order.stack} could not be built: {why}\n{tail}",
        next="this is a defect of the lab's packages or tools; the last lines of the installers are above",
        exit=INTERNAL,
    )


def _reboot(place: FleetPlace, name: str) -> None:
    host = fleet.host_named(place, name)
    inside.capture(host, ["systemctl", "reboot"])
    _until(place, name, lambda now: now.boots > host.boots)
    readiness.wait(place, require_daemon(place), [name], _BOOT_LIMIT_S)


def _switch_off(place: FleetPlace, name: str) -> None:
    inside.capture(fleet.host_named(place, name), ["systemctl", "poweroff"])
    with contextlib.suppress(LabError):  # a shutdown that hangs is no reason to give up: all is in the overlay
        _until(place, name, lambda now: now.state == "off")
    protocol.ask(place, "off", host=name)


def _until(place: FleetPlace, name: str, reached: Callable[[HostStatus], bool]) -> None:
    end = time.monotonic() + _OFF_LIMIT_S
    while not reached(fleet.host_named(place, name)):
        if time.monotonic() > end:
            raise LabError(code="lab-not-ready", what=f"{name} did not go down in {_OFF_LIMIT_S:g} s", exit=INTERNAL)
        time.sleep(0.05)


def _keep(upper: Path, base: Path, target: Path) -> None:
    """Copy with owners, hard links, whiteouts and attributes; then take away what is not the stack's."""
    subprocess.run(["cp", "-a", f"{upper}/.", str(target)], check=True)
    for relative in LEFT_OUT:
        path = target / relative
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif os.path.lexists(path):
            path.unlink()
    for home in ("root", "home/ops", "home", "var/lib", "var/log", "var", "etc/ssh"):
        with contextlib.suppress(OSError):  # not empty: then it is the stack's
            (target / home).rmdir()
    shutil.copystat(base, target)
