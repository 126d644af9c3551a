"""The NPUs' own network: `/etc/hccn.conf` and what `hccn_tool -i N … -g` says (`Live` lists the questions).

Per device: address_N, netmask_N, netdetect_N, gateway_N, send_arp_status_N, tls_enable_N, on A3 also arp_N.
Sources: docs/formats.md#hccn.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, fields

from ascend_provision.evidence.reading import Reading, absent, lines, pairs, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.network import NpuNetwork

_KEY = re.compile(r"(address|netmask|netdetect|gateway|send_arp_status|tls_enable|arp|IPv6\w*|\w+)_(\d{1,3})")
_OTHER_KEY = re.compile(r"[A-Za-z]\w{0,40}=[ -~]*")
"""A line of the file's form about something that is no device's, or that a newer tool writes."""
_DEVICE_KEY = re.compile(r"(?:address|netmask|netdetect|gateway|send_arp_status|tls_enable|arp)_|\w+_\d{1,3}=")
_NO_ADDRESS = re.compile(r"no ip was preset|Get ipconf failed", re.IGNORECASE)
_LINK = re.compile(r"link status:\s*(UP|DOWN)", re.IGNORECASE)
_HEALTH = re.compile(r"net health status:\s*(\S.*)", re.IGNORECASE)
_NETDETECT = re.compile(r"netdetect address:\s*(\S*)", re.IGNORECASE)
_TLS = re.compile(r"\btls switch\[([01])\]", re.IGNORECASE)
_NO_CERTIFICATE = re.compile(r"\bno\b.*\bcert|\bcert\w*\b.*\bnot (?:found|exist)", re.IGNORECASE)
_UNSET = frozenset({"", "0.0.0.0"})  # noqa: S104 - what the tool prints for no address

Conf = dict[int, dict[str, str]]


@dataclass(frozen=True)
class Live:
    """What hccn_tool said about one device, a field a question: `-ip`, `-link`, `-net_health`, `-netdetect`, `-tls`."""

    ip: Evidence
    link: Evidence
    health: Evidence
    netdetect: Evidence
    tls: Evidence


TOPICS = tuple(field.name for field in fields(Live))
"""The probe's sections are `hccn_tool.TOPIC.DEVICE`."""


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
        if equals and (match := _KEY.fullmatch(key.strip())) and _is_value(match[1], value.strip()):
            devices.setdefault(int(match[2]), {})[match[1]] = value.strip()
        elif not line.startswith("#"):
            unread.append(line)
    if unread and not devices:
        return Reading(Unknown(unknown="/etc/hccn.conf: no device in it"), unread=tuple(unread))
    if strange := [line for line in unread if not _of_another_key(line.strip())]:
        return Reading(Unknown(unknown=f"/etc/hccn.conf: not understood: {strange[0][:120]}"), unread=tuple(unread))
    return Reading(devices, unread=tuple(unread))


def _of_another_key(line: str) -> bool:
    """The file's form, about something that is no device's; a device's key with a value that is none is not that."""
    return _OTHER_KEY.fullmatch(line) is not None and _DEVICE_KEY.match(line) is None


def _is_value(key: str, value: str) -> bool:
    """Addresses must be some; every other value is the tool's own matter."""
    if not value.isprintable() or "\ufffd" in value:
        return False
    if key not in {"address", "netmask", "gateway", "netdetect"} or not value:
        return True
    return not isinstance(_address(value, ""), Unknown)


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


def parse_health(evidence: Evidence) -> Reading[str | Unknown]:
    """The state in the tool's own word: Success, Init (nothing to detect is set), Fault, Unreachable …"""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    for line in lines(evidence.text):
        if match := _HEALTH.fullmatch(line.strip()):
            return Reading(match[1][:40])
    return Reading(Unknown(unknown=f"{evidence.name}: no net health status"), unread=tuple(lines(evidence.text)))


def parse_netdetect(evidence: Evidence) -> Reading[str | Unknown | None]:
    """The address that net health asks; None when none is set (empty, or 0.0.0.0)."""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    for line in lines(evidence.text):
        if match := _NETDETECT.fullmatch(line.strip()):
            return Reading(None if match[1] in _UNSET else _address(match[1], f"{evidence.name}: no address"))
    return Reading(Unknown(unknown=f"{evidence.name}: no netdetect address"), unread=tuple(lines(evidence.text)))


def parse_tls(evidence: Evidence) -> Reading[bool | Unknown]:
    """Is TLS on? A device that has no certificate at all runs without."""
    if (match := _TLS.search(evidence.text)) and evidence.ok:
        return Reading(match[1] == "1")
    if evidence.status is not None and not evidence.truncated and _NO_CERTIFICATE.search(evidence.text):
        return Reading(False)
    if (why := silence(evidence)) is not None:
        return Reading(why)
    return Reading(Unknown(unknown=f"{evidence.name}: no tls switch"), unread=tuple(lines(evidence.text)))


def network(conf: Conf | Unknown, live: dict[int, Live], tool: Evidence) -> Reading[tuple[NpuNetwork, ...] | Unknown]:
    """Every device of the file or of the host; unknown when neither could be read."""
    if isinstance(conf, Unknown) and not live:
        return Reading(conf)
    if conf == {} and not live and not absent(tool) and (why := silence(tool)) is not None:
        return Reading(why)
    unread: list[str] = []
    found = []
    for device in sorted({*([] if isinstance(conf, Unknown) else conf), *live}):
        nic = _in_file(device, conf, tool)
        if device in live:
            nic = _on_card(nic, live[device], unread)
        found.append(nic)
    return Reading(tuple(found), unread=tuple(unread))


def _in_file(device: int, conf: Conf | Unknown, tool: Evidence) -> NpuNetwork:
    """The file's side of a device; the live side says that the device is not there, or that nobody asked."""
    asked = absent(tool) or silence(tool) is None
    gone = Unknown(unknown=f"/dev/davinci{device} is not there" if asked else f"hccn_tool -i {device}: {tool.note}")
    values = {} if isinstance(conf, Unknown) else conf.get(device, {})
    address: str | Unknown | None = values.get("address")
    if isinstance(conf, Unknown):
        address = conf
    elif address is None and "IPv6address" in values:
        address = Unknown(unknown=f"device {device} has an IPv6 address only, which is not compared")
    return NpuNetwork(
        device=device,
        conf_address=address,
        conf_netmask=conf if isinstance(conf, Unknown) else values.get("netmask"),
        conf_gateway=conf if isinstance(conf, Unknown) else values.get("gateway"),
        conf_netdetect=conf if isinstance(conf, Unknown) else values.get("netdetect"),
        live_address=gone,
        live_netmask=gone,
        live_netdetect=gone,
        link_up=gone,
        health=gone,
        tls=gone,
    )


def _on_card(nic: NpuNetwork, live: Live, unread: list[str]) -> NpuNetwork:
    """The same device with what its card says."""
    ip, link, health = parse_ip(live.ip), parse_link(live.link), parse_health(live.health)
    netdetect, tls = parse_netdetect(live.netdetect), parse_tls(live.tls)
    for reading in (ip, link, health, netdetect, tls):
        unread += reading.unread
    address, netmask = ip.facts
    return nic.model_copy(
        update={
            "live_address": address,
            "live_netmask": netmask,
            "link_up": link.facts,
            "health": health.facts,
            "live_netdetect": netdetect.facts,
            "tls": tls.facts,
        }
    )


def device_of(section: str) -> int | None:
    """The device number of a section of the probe; None for a section about something else."""
    tool, _, rest = section.partition(".")
    topic, _, number = rest.partition(".")
    there = tool == "hccn_tool" and topic in TOPICS and number.isascii() and number.isdigit() and len(number) < 4
    return int(number) if there else None


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
