"""The NPUs' own network, and the rank tables that name it."""

from __future__ import annotations

from ascend_provision.stack.model import Noun, Unknown

_NOT_READ = Unknown(unknown="not read")


class NpuNetwork(Noun):
    """One device's network: from /etc/hccn.conf (`conf_*`) and live from hccn_tool.

    `health` is the word of `-net_health`, `live_netdetect` the address it asks (None: none is set), `tls` the switch of
    `-tls` (None: this card has no such switch).
    """

    device: int
    conf_address: str | Unknown | None
    live_address: str | Unknown | None
    link_up: bool | Unknown | None
    conf_netmask: str | Unknown | None = None
    live_netmask: str | Unknown | None = None
    conf_gateway: str | Unknown | None = None
    conf_netdetect: str | Unknown | None = None
    live_netdetect: str | Unknown | None = _NOT_READ
    health: str | Unknown | None = _NOT_READ
    tls: bool | Unknown | None = _NOT_READ


class RankDevice(Noun):
    """A rank: texts as the file has them, None where it does not say."""

    device_id: str | None = None
    rank_id: str | None = None
    device_ip: str | None = None
    super_device_id: str | None = None


class RankServer(Noun):
    server_id: str | None
    devices: tuple[RankDevice, ...]


class RankTable(Noun):
    """A rank table on the host. `problem` says why it could not be read as one, and then there is nothing else.

    `count` is what the file itself says (`server_count`, from form 2.0 on `rank_count`), None where it does not.
    """

    path: str
    version: str | None = None
    status: str | None = None
    count: str | None = None
    servers: tuple[RankServer, ...] = ()
    problem: str = ""
