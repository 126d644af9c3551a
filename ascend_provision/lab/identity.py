"""What makes a host itself: name, machine id, SSH host key, who may log in. Written into its upper directory."""

from __future__ import annotations

import os
import subprocess
import uuid
from pathlib import Path

from ascend_provision.lab.places import FleetPlace

# never part of a stack layer; relative to the host's root
PATHS = (
    "etc/hostname",
    "etc/hosts",
    "etc/machine-id",
    "etc/resolv.conf",
    "etc/ssh/ssh_host_ed25519_key",
    "etc/ssh/ssh_host_ed25519_key.pub",
    "root/.ssh",
    "home/ops/.ssh",
)
_OPS = "home/ops"


def make_fleet_key(place: FleetPlace) -> None:
    """The key pair that opens every host of the fleet."""
    _make_key(place.key, f"lab-{place.name}")


def write(upper: Path, image: Path, place: FleetPlace, name: str) -> None:
    """Everything but /etc/hosts, which lists the whole fleet.

    Plain files in the upper directory, no bind mounts: tools replace them by rename.
    """
    _put(upper / "etc/hostname", f"{name}\n")
    _put(upper / "etc/machine-id", f"{uuid.uuid4().hex}\n", 0o444)
    _put(upper / "etc/resolv.conf", "")
    host_key = upper / "etc/ssh/ssh_host_ed25519_key"
    host_key.parent.mkdir(parents=True, exist_ok=True)
    _make_key(host_key, name)
    allowed = place.key.with_suffix(".pub").read_text()
    ops = (image / _OPS).stat()
    for home, owner in (("root", (0, 0)), (_OPS, (ops.st_uid, ops.st_gid))):
        directory = upper / home / ".ssh"
        _put(directory / "authorized_keys", allowed, 0o600)
        (upper / home).chmod(0o700)
        directory.chmod(0o700)
        for path in (upper / home, directory, directory / "authorized_keys"):
            os.chown(path, *owner)


def write_hosts(upper: Path, addresses: dict[str, str]) -> None:
    """/etc/hosts with every host of the fleet. Only for a host that is off."""
    rows = "".join(f"{ip} {name}\n" for name, ip in addresses.items())
    _put(upper / "etc/hosts", f"127.0.0.1 localhost\n{rows}")


def public_key(upper: Path) -> str:
    """The host key's type and value, as known_hosts wants it."""
    return " ".join((upper / "etc/ssh/ssh_host_ed25519_key.pub").read_text().split()[:2])


def _make_key(path: Path, comment: str) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", str(path)], check=True)


def _put(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
