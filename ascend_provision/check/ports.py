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
    foreign = _foreign(facts, ports)
    yield _taken(facts, ports, foreign)
    yield _ephemeral(facts, ports, foreign)


def _ports(facts: HostFacts) -> range | Unknown:
    """Those of the newest CANN on the host, from the base port that a shell file of the host sets."""
    row = hccl_ports.of(max(suite.version for suite in suites(facts)))
    if isinstance(facts.env_files, Unknown):
        return facts.env_files
    bases = [file.variables[row.variable] for file in facts.env_files if row.variable in file.variables]
    ports = hccl_ports.taken(row, bases[-1] if bases else None)
    return Unknown(unknown=f"{row.variable}={bases[-1]} names no port") if ports is None else ports


def _there(facts: HostFacts, ports: range) -> tuple[Listener, ...] | Unknown:
    if isinstance(facts.listeners, Unknown):
        return facts.listeners
    return tuple(one for one in facts.listeners if one.port in ports)


def _foreign(facts: HostFacts, ports: range) -> tuple[Listener, ...] | Unknown:
    """Who listens on one of the ports and has no card open."""
    there = _there(facts, ports)
    if isinstance(there, Unknown) or not there:
        return there
    if isinstance(facts.holders, Unknown):
        return facts.holders
    on_cards = {holder.pid for holder in facts.holders}
    return tuple(one for one in there if one.process is None or one.process.pid not in on_cards)


def _taken(facts: HostFacts, ports: range, foreign: tuple[Listener, ...] | Unknown) -> Finding:
    key, host, expected = "ports.hccl", facts.host, f"{ports[0]}-{ports[-1]} free"
    if isinstance(foreign, Unknown):
        return finding.unknown(key, host, foreign, expected=expected)
    if foreign:
        return finding.warn(key, host, several([_who(one) for one in foreign], 4, "; "), expected=expected)
    there = _there(facts, ports)
    if there and not isinstance(there, Unknown):
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


def _ephemeral(facts: HostFacts, ports: range, foreign: tuple[Listener, ...] | Unknown) -> Finding:
    """The kernel's default reserves nothing, on every host: that alone says nothing of this one.

    Wrong is a reservation that leaves some of the ports out (sixteen were enough up to CANN 8.1), and a stranger on one
    of them. HCCL of another job takes the first port, so where that one is free the stranger is no job.
    """
    key, host = "ports.reserved", facts.host
    if isinstance(facts.ephemeral_ports, Unknown):
        return finding.unknown(key, host, facts.ephemeral_ports)
    if isinstance(facts.reserved_ports, Unknown):
        return finding.unknown(key, host, facts.reserved_ports)
    first, last = facts.ephemeral_ports
    reserved = {port for low, high in facts.reserved_ports for port in range(low, high + 1)}
    drawn = [port for port in ports if first <= port <= last]
    left = [port for port in drawn if port not in reserved]
    expected = f"net.ipv4.ip_local_reserved_ports={ports[0]}-{ports[-1]}"
    if not left:
        return finding.ok(key, host, f"no connection is given one of {ports[0]}-{ports[-1]}", expected=expected)
    observed = f"{len(left)} of {ports[0]}-{ports[-1]} are in ip_local_port_range {first}-{last} and not reserved"
    if len(left) < len(drawn):
        return finding.warn(key, host, observed, expected=expected)
    if isinstance(foreign, Unknown):
        return finding.unknown(key, host, foreign, expected=expected)
    taken = {one.port for one in foreign}
    if taken and ports[0] not in taken:
        return finding.warn(key, host, observed, expected=expected)
    return finding.skip(key, host, f"none of {ports[0]}-{ports[-1]} is reserved, as the kernel comes, and none is lost")
