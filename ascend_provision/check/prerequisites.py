"""What an installer would miss on this host. Said before anybody starts one; nothing here is broken today."""

from __future__ import annotations

from collections.abc import Iterator

from ascend_provision.check import finding
from ascend_provision.check.reading import no_driver, several
from ascend_provision.knowledge import prerequisites
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown


def judge(facts: HostFacts) -> Iterator[Finding]:
    """Root, tools, kernel headers, Python, space and where it lies, the system's name, and the driver's account."""
    yield _root(facts)
    yield _tools(facts)
    yield _headers(facts)
    yield _python(facts)
    yield _space(facts)
    yield _mounts(facts)
    yield _system(facts)
    yield _account(facts)


def _root(facts: HostFacts) -> Finding:
    key, host = "prerequisites.root", facts.host
    if isinstance(facts.root, Unknown):
        return finding.unknown(key, host, facts.root)
    if facts.root:
        return finding.ok(key, host, "the host was read as root")
    return finding.warn(key, host, "the host was read by a user who is not root", expected="root, or become")


def _os_id(facts: HostFacts) -> str:
    return facts.os.id if isinstance(facts.os.id, str) else ""


def _tools(facts: HostFacts) -> Finding:
    key, host = "prerequisites.tools", facts.host
    if isinstance(facts.tools, Unknown):
        return finding.unknown(key, host, facts.tools)
    wanted = prerequisites.tools()
    unasked = [tool for tool in wanted if tool not in facts.tools]
    missing = [tool for tool in wanted if facts.tools.get(tool) is False]
    if missing:
        packages = " ".join(prerequisites.packages(missing, _os_id(facts)))
        return finding.warn(key, host, f"missing: {', '.join(missing)}", expected=packages)
    if unasked:
        return finding.unknown(key, host, f"not looked for: {', '.join(unasked)}")
    return finding.ok(key, host, ", ".join(wanted))


def _headers(facts: HostFacts) -> Finding:
    key, host, running, headers = "prerequisites.headers", facts.host, facts.kernel.running, facts.kernel.headers
    if isinstance(headers, Unknown):
        return finding.unknown(key, host, headers)
    if isinstance(running, Unknown):
        return finding.unknown(key, host, running)
    if headers:
        return finding.ok(key, host, f"/lib/modules/{running}/build")
    expected = prerequisites.headers_package(running, _os_id(facts))
    others = () if isinstance(facts.kernel.headers_of, Unknown) else facts.kernel.headers_of
    evidence = f"headers are there for {several(list(others))}" if others else ""
    return finding.warn(key, host, f"no /lib/modules/{running}/build", expected=expected, evidence=evidence)


def _python(facts: HostFacts) -> Finding:
    key, host = "prerequisites.python", facts.host
    expected = f"Python {prerequisites.oldest_python()} or later"
    if isinstance(facts.pythons, Unknown):
        return finding.unknown(key, host, facts.pythons, expected=expected)
    if usable := prerequisites.usable_python(facts.pythons):
        return finding.ok(key, host, usable, expected=expected)
    listed = ", ".join(f"{path} {version}" for path, version in sorted(facts.pythons.items())) or "no Python at all"
    return finding.warn(key, host, listed, expected=expected)


def _space(facts: HostFacts) -> Finding:
    key, host = "prerequisites.space", facts.host
    if isinstance(facts.disks, Unknown):
        return finding.unknown(key, host, facts.disks)
    free = {disk.path: disk.free_mb for disk in facts.disks}
    unread = [row.path for row in prerequisites.space() if row.path not in free]
    short = [row for row in prerequisites.space() if free.get(row.path, row.free_mb) < row.free_mb]
    if short:
        observed = ", ".join(f"{row.path} {free[row.path]} MB free" for row in short)
        expected = ", ".join(f"{row.path} {row.free_mb} MB ({row.what})" for row in short)
        return finding.warn(key, host, observed, expected=expected)
    if unread:
        return finding.unknown(key, host, f"free space of {', '.join(unread)} was not read")
    return finding.ok(key, host, ", ".join(f"{row.path} {free[row.path]} MB free" for row in prerequisites.space()))


def _mounts(facts: HostFacts) -> Finding:
    """Packages unpack and run below /tmp; they install below /usr/local, and keep modules and logs in /var."""
    key, host = "prerequisites.mounts", facts.host
    if isinstance(facts.mounts, Unknown):
        return finding.unknown(key, host, facts.mounts)
    wrong = list(prerequisites.unusable(facts.mounts))
    if wrong:
        return finding.warn(key, host, several(wrong, 4, "; "), expected="writable, and programs may run there")
    return finding.ok(
        key, host, f"{', '.join(ground.path for ground in prerequisites.grounds())} take what they are for"
    )


def _system(facts: HostFacts) -> Finding:
    key, host, there = "prerequisites.os-release", facts.host, facts.os.os_release_there
    if isinstance(there, Unknown):
        return finding.unknown(key, host, there)
    if there:
        return finding.ok(key, host, facts.os.pretty_name if isinstance(facts.os.pretty_name, str) else "it is there")
    dangling = "a link to nothing" if facts.os.os_release_is_link is True else "missing"
    return finding.warn(key, host, f"/etc/os-release is {dangling}", expected="/etc/os-release of the system")


def _account(facts: HostFacts) -> Finding:
    key, host, wanted = "prerequisites.account", facts.host, prerequisites.account()
    if isinstance(facts.users, Unknown):
        return finding.unknown(key, host, facts.users)
    expected = f"{wanted.name} ({wanted.uid}:{wanted.gid})"
    found = next((user for user in facts.users if user.name == wanted.name), None)
    if found:
        return finding.ok(key, host, f"{found.name} ({found.uid}:{found.gid})")
    if no_driver(facts) or isinstance(facts.driver.file, Unknown):
        return finding.warn(key, host, f"no user {wanted.name}", expected=expected)
    return finding.fail(key, host, f"a driver is installed, but no user {wanted.name}", expected=expected)
