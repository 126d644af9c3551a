"""The fleet's network: one bridge in the daemon's own network namespace, one cable a host, no way out.

No address of a host ever exists in the machine's own network, so a packet for a dead host cannot leave the machine.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from ascend_provision.lab.spec import GATEWAY, NETWORK, HostSpec

_BRIDGE, _BRIDGE_MAC = "br0", "02:fe:0a:4d:00:01"


def ip(*commands: str) -> None:
    """Run `ip` commands in this network namespace; RuntimeError with what `ip` said."""
    ran = subprocess.run(
        ["ip", "-batch", "-"], input="\n".join(commands) + "\n", text=True, capture_output=True, check=False
    )
    if ran.returncode:
        raise RuntimeError(f"ip: {ran.stderr.strip()} (commands: {'; '.join(commands)})")


def lay_bridge() -> None:
    """Set up the controller's side.

    Hosts have a default route (roles read ansible_default_ipv4); what they send out is answered "unreachable" at once.
    """
    ip(
        "link set lo up",
        # a fixed address: else the bridge takes that of a new cable, and forgets its neighbours
        f"link add {_BRIDGE} address {_BRIDGE_MAC} type bridge forward_delay 0",
        f"addr add {GATEWAY}/{NETWORK.prefixlen} dev {_BRIDGE}",
        f"link set {_BRIDGE} up",
        "route add unreachable default",
    )
    Path("/proc/sys/net/ipv4/ip_forward").write_text("1")


def remove_cable(spec: HostSpec) -> None:
    """A dead host's namespace is freed some time later; until then its cable would keep its name."""
    subprocess.run(["ip", "link", "del", spec.link], stderr=subprocess.DEVNULL, check=False)


def plug(spec: HostSpec, pid: int, *, cut: bool) -> None:
    """Lay the cable straight into the network namespace of the host's PID 1.

    The controller never asks for the address of a neighbour: a dead host is silent (timed out), as one behind a router
    is, not "no route to host".
    """
    ip(
        f"neigh replace {spec.ip} lladdr {spec.mac} dev {_BRIDGE} nud permanent",
        f"link add {spec.link} type veth peer name eth0 address {spec.mac} netns {pid}",
        f"link set {spec.link} master {_BRIDGE}",
        *([] if cut else [f"link set {spec.link} up"]),
    )


def switch(spec: HostSpec, *, up: bool) -> None:
    """Cut or heal the cable at the switch's end."""
    ip(f"link set {spec.link} {'up' if up else 'down'}")


def configure_inside(spec: HostSpec) -> None:
    """The host's own side, run in its network namespace."""
    ip(
        "link set lo up",
        f"addr add {spec.ip}/{NETWORK.prefixlen} dev eth0",
        "link set eth0 up",
        f"route add default via {GATEWAY}",
    )
