"""Where the lab keeps its files: one directory a running fleet, one cache of images and layers."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from ascend_provision.lab.errors import LabError

NAME_VARIABLE = "ASCEND_LAB_NAME"
CACHE_VARIABLE = "ASCEND_LAB_CACHE"
RUN_VARIABLE = "ASCEND_LAB_RUN"
ROOTLESS_VARIABLE = "ASCEND_LAB_ROOTLESS"

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")


def rootless() -> bool:
    """Whether this process is root only of its own user namespace."""
    return ROOTLESS_VARIABLE in os.environ


def cache_directory() -> Path:
    """Images and stack layers; several GB at most."""
    if given := os.environ.get(CACHE_VARIABLE):
        return Path(given).absolute()
    if os.geteuid() == 0 and not rootless():
        return Path("/var/cache/ascend-lab")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ascend-lab"


def run_directory() -> Path:
    """Parent of the running fleets' directories. Kept short: a Unix socket's path has at most 107 characters."""
    if given := os.environ.get(RUN_VARIABLE):
        return Path(given).absolute()
    return Path("/run/ascend-lab") if os.geteuid() == 0 else Path(f"/tmp/ascend-lab-{os.getuid()}")


@dataclass(frozen=True)
class FleetPlace:
    """The files of one running fleet."""

    name: str
    dir: Path

    @property
    def lock(self) -> Path:
        """Held (flock) by the daemon as long as it lives."""
        return self.dir / "lock"

    @property
    def pid_file(self) -> Path:
        """The daemon's process id."""
        return self.dir / "pid"

    @property
    def socket(self) -> Path:
        """Where the daemon takes orders."""
        return self.dir / "control"

    @property
    def log(self) -> Path:
        """What the daemon has to say."""
        return self.dir / "log"

    @property
    def key(self) -> Path:
        """Private SSH key that every host of the fleet accepts for root and ops."""
        return self.dir / "id_ed25519"

    @property
    def known_hosts(self) -> Path:
        """The hosts' real keys."""
        return self.dir / "known_hosts"

    @property
    def ssh_config(self) -> Path:
        """For `ssh -F`: works from the machine's own network and from the fleet's."""
        return self.dir / "ssh_config"

    @property
    def inventory(self) -> Path:
        """Ansible inventory of the fleet."""
        return self.dir / "inventory.yml"

    @property
    def control_sockets(self) -> Path:
        """Where Ansible keeps its shared SSH connections to this fleet (fleets share addresses)."""
        return self.dir / "cp"

    @property
    def store(self) -> Path:
        """Upper directories of the hosts; visible only through the daemon's root."""
        return self.dir / "store"

    @property
    def mounts(self) -> Path:
        """Scratch mount points of the daemon; visible only through the daemon's root."""
        return self.dir / "mnt"

    def console(self, host: str) -> Path:
        """What the host printed on its console, all boots."""
        return self.dir / "console" / host


def fleet_place(name: str | None = None) -> FleetPlace:
    """The place of the fleet `name`, by default $ASCEND_LAB_NAME or `default`. LabError for an unfit name."""
    chosen = name or os.environ.get(NAME_VARIABLE) or "default"
    if not _NAME.fullmatch(chosen):
        raise LabError(
            code="lab-fleet-name",
            what=f"{chosen!r} is no name for a fleet",
            next="use up to 31 small letters, digits and dashes, e.g. `--name rack7`",
        )
    return FleetPlace(chosen, run_directory() / chosen)


def fleet_names() -> list[str]:
    """Fleets that have a directory, running or left over."""
    parent = run_directory()
    return sorted(p.name for p in parent.iterdir() if (p / "lock").exists()) if parent.is_dir() else []
