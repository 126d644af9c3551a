"""How people and Ansible reach the hosts: known_hosts, ssh_config and an inventory, written after every change."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import yaml

from ascend_provision.lab import connect, identity
from ascend_provision.lab.places import FleetPlace
from ascend_provision.lab.spec import HostStatus

_SYSTEM_PYTHON = "/usr/bin/python3"


def write(place: FleetPlace, daemon: int, hosts: list[HostStatus], uppers: dict[str, Path]) -> None:
    """Write all three files."""
    rows = [f"{host.ip},{host.name} {identity.public_key(uppers[host.name])}\n" for host in hosts]
    place.known_hosts.write_text("".join(rows))
    place.ssh_config.write_text(ssh_config(place, daemon, hosts))
    place.inventory.write_text(inventory(place, hosts))
    place.control_sockets.mkdir(mode=0o700, exist_ok=True)


def ssh_config(place: FleetPlace, daemon: int, hosts: list[HostStatus]) -> str:
    """For `ssh -F`, by host name or address, from inside and from outside the fleet's network."""
    aliases = "".join(f"Host {host.name}\n  HostName {host.ip}\n" for host in hosts)
    network = Path(f"/proc/{daemon}/ns/net").readlink()
    return f"""{aliases}Host *
  User root
  IdentityFile {place.key}
  IdentitiesOnly yes
  UserKnownHostsFile {place.known_hosts}
  GlobalKnownHostsFile none
  StrictHostKeyChecking yes
  ConnectTimeout 5
  ServerAliveInterval 5
  ServerAliveCountMax 3
# from outside the fleet's network a small program connects in there and hands the socket to ssh
Match exec "test $(readlink /proc/self/ns/net) != '{network}'"
  ProxyCommand {sys.executable} -I -S {Path(connect.__file__).resolve()} {daemon} {network} %h %p
  ProxyUseFdpass yes
"""


def inventory(place: FleetPlace, hosts: list[HostStatus]) -> str:
    """YAML inventory: all hosts in `lab`, and in a group named after their profile."""
    groups: dict[str, Any] = {}
    for host in hosts:
        group = groups.setdefault(host.profile.replace("-", "_"), {"hosts": {}})
        group["hosts"][host.name] = {"ansible_host": host.ip, **_python(host)}
    shared = {
        "ansible_user": "root",
        "ansible_ssh_private_key_file": str(place.key),
        "ansible_ssh_common_args": f"-F {place.ssh_config}",
        # two fleets may use the same addresses: never share an open connection between them
        "ansible_control_path_dir": str(place.control_sockets),
    }
    return yaml.safe_dump({"all": {"children": {"lab": {"vars": shared, "children": groups}}}}, sort_keys=False)


def _python(host: HostStatus) -> dict[str, str]:
    return {"ansible_python_interpreter": _SYSTEM_PYTHON} if host.python == "system" else {}
