"""The NPUs' own network: `/etc/hccn.conf` and what `hccn_tool -i N -ip -g` and `-link -g` say.

Per device: address_N, netmask_N, netdetect_N, gateway_N, send_arp_status_N, tls_enable_N, on A3 also arp_N.
Sources: docs/formats.md#hccn.
"""

from __future__ import annotations

import ipaddress
import re

from ascend_provision.evidence.reading import Reading, absent, lines, pairs, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import NpuNetwork
from ascend_provision.stack.model import Unknown

_KEY = re.compile(r"(address|netmask|netdetect|gateway|send_arp_status|tls_enable|arp|IPv6\w*|\w+)_(\d{1,3})")
_NO_ADDRESS = re.compile(r"no ip was preset|Get ipconf failed", re.IGNORECASE)
_LINK = re.compile(r"link status:\s*(UP|DOWN)", re.IGNORECASE)

Conf = dict[int, dict[str, str]]


def parse_conf(evidence: Evidence) -> Reading[Conf | Unknown]:
    """Device -> key -> value; {} when the file is not there."""
    if absent(evidence):
        return Reading({})
    if (why := silence(evidence)) is not None:
        return Reading(why)
    devices: Conf = {}
    unread: list[str] = []
    for line in lines(evidence.text):
        key, equals, value = line.partition("=")
        if equals and (match := _KEY.fullmatch(key.strip())):
            devices.setdefault(int(match[2]), {})[match[1]] = value.strip()
        elif not line.startswith("#"):
            unread.append(line)
    if unread and not devices:
        return Reading(Unknown(unknown="/etc/hccn.conf: no device in it"), unread=tuple(unread))
    return Reading(devices, unread=tuple(unread))


def parse_ip(evidence: Evidence) -> Reading[tuple[str | Unknown | None, str | Unknown | None]]:
    """Live address and netmask; None when the device says that it has none."""
    if _NO_ADDRESS.search(evidence.text) and evidence.status is not None:
        return Reading((None, None))
    if (why := silence(evidence)) is not None:
        return Reading((why, why))
    values = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines(evidence.text))}
    address, netmask = (_address(values.get(key), f"{evidence.name}: no {key}") for key in ("ipaddr", "netmask"))
    unread = tuple(line for line in lines(evidence.text) if line.partition(":")[0].strip() not in {"ipaddr", "netmask"})
    return Reading((address, netmask), unread=unread)


def parse_link(evidence: Evidence) -> Reading[bool | Unknown]:
    """Is the link up?"""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    for line in lines(evidence.text):
        if match := _LINK.fullmatch(line.strip()):
            return Reading(match[1].upper() == "UP")
    return Reading(Unknown(unknown=f"{evidence.name}: no link status"), unread=tuple(lines(evidence.text)))


def network(
    conf: Conf | Unknown, live: dict[int, tuple[Evidence, Evidence]], tool: Evidence
) -> Reading[tuple[NpuNetwork, ...] | Unknown]:
    """Every device of the file or of the host; unknown when neither could be read."""
    if isinstance(conf, Unknown) and not live:
        return Reading(conf)
    if conf == {} and not live and not absent(tool) and (why := silence(tool)) is not None:
        return Reading(why)
    unread: list[str] = []
    found = []
    for device in sorted({*([] if isinstance(conf, Unknown) else conf), *live}):
        values = conf if isinstance(conf, Unknown) else conf.get(device, {})
        address: str | Unknown | None
        if device in live:
            ip, link = parse_ip(live[device][0]), parse_link(live[device][1])
            (address, netmask), link_up = ip.facts, link.facts
            unread += (*ip.unread, *link.unread)
        else:
            address = netmask = link_up = Unknown(unknown=f"/dev/davinci{device} is not there")
        found.append(
            NpuNetwork(
                device=device,
                conf_address=values if isinstance(values, Unknown) else values.get("address"),
                conf_netmask=values if isinstance(values, Unknown) else values.get("netmask"),
                live_address=address,
                live_netmask=netmask,
                link_up=link_up,
            )
        )
    return Reading(tuple(found), unread=tuple(unread))


def addresses(evidence: Evidence) -> set[str]:
    """The NPU addresses of hccn.conf."""
    return (
        {value for key, value in pairs(evidence.text).items() if key.startswith("address_")} if evidence.ok else set()
    )


def _address(text: str | None, missing: str) -> str | Unknown:
    try:
        return str(ipaddress.ip_address(text or ""))
    except ValueError:
        return Unknown(unknown=missing if text is None else f"{text[:80]!r} is no address")
