"""Are the TCP ports free that HCCL takes on the host, and does the kernel leave them alone?"""

from __future__ import annotations

from collections.abc import Iterator

from ascend_provision.check import finding
from ascend_provision.check.reading import several, suites
from ascend_provision.knowledge import hccl_ports
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.machine import Listener
from ascend_provision.stack.model import Unknown


def judge(facts: HostFacts) -> Iterator[Finding]:
    """Who listens there now, and whether an outgoing connection may take one of them by chance."""
    if isinstance(facts.cann, Unknown):
        yield finding.unknown("ports.hccl", facts.host, facts.cann)
        return
    if not suites(facts):
        yield finding.skip("ports.hccl", facts.host, "no CANN is installed")
        return
    ports = _ports(facts)
    if isinstance(ports, Unknown):
        yield finding.unknown("ports.hccl", facts.host, ports)
        return
    yield _taken(facts, ports)
    yield _ephemeral(facts, ports)


def _ports(facts: HostFacts) -> range | Unknown:
    """Those of the newest CANN on the host, from the base port that a shell file of the host sets."""
    row = hccl_ports.of(max(suite.version for suite in suites(facts)))
    if isinstance(facts.env_files, Unknown):
        return facts.env_files
    bases = [file.variables[row.variable] for file in facts.env_files if row.variable in file.variables]
    ports = hccl_ports.taken(row, bases[-1] if bases else None)
    return Unknown(unknown=f"{row.variable}={bases[-1]} names no port") if ports is None else ports


def _taken(facts: HostFacts, ports: range) -> Finding:
    key, host, expected = "ports.hccl", facts.host, f"{ports[0]}-{ports[-1]} free"
    if isinstance(facts.listeners, Unknown):
        return finding.unknown(key, host, facts.listeners, expected=expected)
    there = [one for one in facts.listeners if one.port in ports]
    if there and isinstance(facts.holders, Unknown):
        return finding.unknown(key, host, facts.holders, expected=expected)
    on_cards = set() if isinstance(facts.holders, Unknown) else {holder.pid for holder in facts.holders}
    foreign = [one for one in there if one.process is None or one.process.pid not in on_cards]
    if foreign:
        return finding.warn(key, host, several([_who(one) for one in foreign], 4, "; "), expected=expected)
    if there:
        return finding.ok(key, host, f"{len(there)} of {ports[0]}-{ports[-1]} taken by the job on the cards")
    return finding.ok(key, host, expected)


def _who(listener: Listener) -> str:
    """`60000 by pid 4242 python in container fae80a4b`."""
    process = listener.process
    if process is None:
        return f"{listener.port} by uid {listener.uid}"
    box = f" in container {process.container[:12]}" if process.container else ""
    unit = f" of {process.unit}" if process.unit else ""
    return f"{listener.port} by pid {process.pid} {process.name}{unit}{box}"


def _ephemeral(facts: HostFacts, ports: range) -> Finding:
    key, host = "ports.reserved", facts.host
    if isinstance(facts.ephemeral_ports, Unknown):
        return finding.unknown(key, host, facts.ephemeral_ports)
    if isinstance(facts.reserved_ports, Unknown):
        return finding.unknown(key, host, facts.reserved_ports)
    first, last = facts.ephemeral_ports
    reserved = [range(low, high + 1) for low, high in facts.reserved_ports]
    open_ones = [port for port in ports if first <= port <= last and not any(port in part for part in reserved)]
    expected = f"net.ipv4.ip_local_reserved_ports={ports[0]}-{ports[-1]}"
    if open_ones:
        observed = (
            f"{len(open_ones)} of {ports[0]}-{ports[-1]} are in ip_local_port_range {first}-{last} and not reserved"
        )
        return finding.warn(key, host, observed, expected=expected)
    return finding.ok(key, host, f"no connection is given one of {ports[0]}-{ports[-1]}", expected=expected)
