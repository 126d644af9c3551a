"""The NPUs' own network: does what runs agree with /etc/hccn.conf, and do the cards call it healthy?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ascend_provision.check import finding, hccn_conf
from ascend_provision.check.reading import no_driver, product, several
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.network import NpuNetwork

_GOOD, _UNSET = "Success", "Init"
_BAD = frozenset(
    {"Socket fail", "Receive timeout", "Unreachable", "Time exceeded", "Fault", "Thread error", "Detect ip set"}
)
"""The states the tool can print besides the two above; another word is not judged."""


def judge(facts: HostFacts) -> Iterator[Finding]:
    """Nothing for products without a NIC of their own, nothing live without a driver."""
    found = product(facts)
    if found is not None and found.nic == "none":
        yield finding.skip("hccn.conf-live", facts.host, f"{found.title} has no network port of its own")
        return
    if isinstance(facts.network, Unknown):
        yield finding.unknown("hccn.conf-live", facts.host, facts.network)
        return
    if not facts.network:
        yield finding.skip("hccn.conf-live", facts.host, "no NPU network is configured and none could be asked")
        return
    if no_driver(facts):
        yield finding.skip("hccn.conf-live", facts.host, "no driver is installed to ask the NPUs")
    else:
        yield _conf_live(facts.host, facts.network)
        yield _link(facts.host, facts.network)
        if any(nic.live_address is not None or nic.conf_address is not None for nic in facts.network):
            yield _health(facts.host, facts.network)
        yield _tls(facts.host, facts.network)
    yield from hccn_conf.judge(facts.host, facts.network, found.nic if found else None)


def _conf_live(host: str, network: tuple[NpuNetwork, ...]) -> Finding:
    key = "hccn.conf-live"
    wrong: list[str] = []
    blind: list[NpuNetwork] = []
    lines: list[str] = []
    for nic in network:
        conf, live = nic.conf_address, nic.live_address
        if isinstance(conf, Unknown) or isinstance(live, Unknown):
            blind.append(nic)
        elif conf != live:
            wrong.append(f"device {nic.device} has {live or 'no address'}, file says {conf or 'nothing'}")
            lines.append(f"address_{nic.device}={conf or ''}; hccn_tool -i {nic.device} -ip -g: ipaddr:{live or ''}")
        elif _both(nic.conf_netmask, nic.live_netmask) and nic.conf_netmask != nic.live_netmask:
            wrong.append(f"device {nic.device} has netmask {nic.live_netmask}, file says {nic.conf_netmask}")
            lines.append(
                f"netmask_{nic.device}={nic.conf_netmask}; hccn_tool -i {nic.device} -ip -g: {nic.live_netmask}"
            )
    if wrong:
        return finding.fail(key, host, several(wrong, 4), expected="the addresses of /etc/hccn.conf", evidence=lines[0])
    if blind:
        reason = _first_unknown(blind[0])
        devices = ", ".join(str(nic.device) for nic in blind)
        return finding.unknown(key, host, Unknown(unknown=f"devices {devices}: {reason.unknown}", settle=reason.settle))
    return finding.ok(key, host, f"{len(network)} NPUs as in the file")


def _both(left: str | Unknown | None, right: str | Unknown | None) -> bool:
    return isinstance(left, str) and isinstance(right, str)


def _first_unknown(nic: NpuNetwork) -> Unknown:
    return next(value for value in (nic.conf_address, nic.live_address) if isinstance(value, Unknown))


def _link(host: str, network: tuple[NpuNetwork, ...]) -> Finding:
    key = "hccn.link"
    down = [str(nic.device) for nic in network if nic.link_up is False]
    blind = [nic.link_up for nic in network if isinstance(nic.link_up, Unknown)]
    if down:
        return finding.warn(key, host, f"link down on devices {', '.join(down)}", expected="UP on all devices")
    if blind:
        return finding.unknown(key, host, blind[0])
    up = sum(nic.link_up is True for nic in network)
    return finding.ok(key, host, f"{up} links up") if up else finding.skip(key, host, "hccn_tool reports no links")


def _health(host: str, network: Sequence[NpuNetwork]) -> Finding:
    """A card without an address has nothing to be healthy, and one without a link is told by the rule about links."""
    key = "hccn.health"
    addressed = [nic for nic in network if nic.live_address is not None or nic.conf_address is not None]
    asked = [nic for nic in addressed if nic.link_up is not False]
    words = {nic.device: nic.health for nic in asked if isinstance(nic.health, str)}
    bad = [
        f"device {nic.device} {nic.health}{_detecting(nic)}"
        for nic in asked
        if isinstance(nic.health, str) and nic.health in _BAD | {_UNSET}
    ]
    if bad:
        first = next(nic for nic in asked if nic.health in _BAD | {_UNSET})
        evidence = f"hccn_tool -i {first.device} -net_health -g: net health status: {first.health}"
        return finding.warn(
            key, host, several(bad, 4), expected=f"{_GOOD} on every device with a link", evidence=evidence
        )
    if blind := [nic.health for nic in asked if isinstance(nic.health, Unknown)]:
        return finding.unknown(key, host, blind[0])
    if strange := [f"device {device} {word}" for device, word in words.items() if word != _GOOD]:
        return finding.unknown(key, host, f"states nobody listed: {several(strange, 4)}")
    return (
        finding.ok(key, host, f"{_GOOD} on {len(words)} devices") if words else finding.skip(key, host, "no link is up")
    )


def _detecting(nic: NpuNetwork) -> str:
    if nic.live_netdetect is None:
        return " (no address to detect)"
    return f" (detecting {nic.live_netdetect})" if isinstance(nic.live_netdetect, str) else ""


def _tls(host: str, network: Sequence[NpuNetwork]) -> Finding:
    """On for all cards or off for all."""
    key, expected = "hccn.tls", "the same on every device of every host"
    on = [str(nic.device) for nic in network if nic.tls is True]
    off = [str(nic.device) for nic in network if nic.tls is False]
    if on and off:
        rest, odd, word = (off, on, "on") if len(on) < len(off) else (on, off, "off")
        observed = f"TLS is {word} for devices {', '.join(odd)}, not for {several(rest, 8)}"
        evidence = f"hccn_tool -i {odd[0]} -tls -g: tls switch[{int(word == 'on')}]"
        return finding.fail(key, host, observed, expected=expected, evidence=evidence)
    if blind := [nic.tls for nic in network if isinstance(nic.tls, Unknown)]:
        return finding.unknown(key, host, blind[0], expected=expected)
    if not on and not off:
        return finding.skip(key, host, "these NPUs have no TLS switch")
    return finding.ok(key, host, f"{'on' if on else 'off'} for {len(on or off)} devices", expected=expected)
