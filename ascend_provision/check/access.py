"""Why npu-smi would be refused: the driver's modules, its device nodes, and namespaces that keep a card to themselves.

The order in which to look: a reboot that is due, the modules, the nodes, then who else has the cards. Inside an
application container nothing of this says anything about the driver, so nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator

from ascend_provision.check import finding
from ascend_provision.check.reading import family, no_driver, reboot_pending, several
from ascend_provision.knowledge import container_needs, prerequisites
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding, Verdict
from ascend_provision.stack.machine import DeviceNode, Occupant
from ascend_provision.stack.model import Unknown

_APPLICATION_CONTAINERS = frozenset({"docker", "podman", "containerd", "cri-o", "crio"})


def judge(facts: HostFacts) -> Iterator[Finding]:
    """Modules, nodes and namespaces, each on its own: npu-smi may work and a user's job not."""
    yield _modules(facts)
    yield _nodes(facts)
    yield _namespaces(facts)


def container(facts: HostFacts) -> str:
    """The runtime when this is an application container ("" otherwise: a machine, or a container with its own init)."""
    name = facts.in_container
    return name if isinstance(name, str) and name in _APPLICATION_CONTAINERS else ""


def reasons(facts: HostFacts) -> list[str]:
    """Ids of the findings that explain a refusal on this host, the first to look at first."""
    found = ["pending.reboot"] if reboot_pending(facts) else []
    bad = {Verdict.FAIL, Verdict.WARN}
    return found + [item.id for item in judge(facts) if item.verdict in bad]


def _modules(facts: HostFacts) -> Finding:
    key, host, loaded = "access.modules", facts.host, facts.driver.modules_loaded
    if no_driver(facts):
        return finding.skip(key, host, "no driver is installed")
    if inside := container(facts):
        return finding.skip(key, host, f"inside a container ({inside}): the modules are the host's")
    if isinstance(loaded, Unknown):
        return finding.unknown(key, host, loaded)
    if loaded:
        return finding.ok(key, host, several(list(loaded), 3))
    if isinstance(facts.driver.file, Unknown):
        return finding.unknown(key, host, facts.driver.file)
    built = facts.driver.built_for_kernel
    evidence = "no module file is for the kernel that boots" if built is False else ""
    return finding.fail(
        key, host, "no module of the driver is in the kernel", expected="lsmod lists drv_…", evidence=evidence
    )


def _nodes(facts: HostFacts) -> Finding:
    key, host, nodes = "access.nodes", facts.host, facts.device_nodes
    if no_driver(facts):
        return finding.skip(key, host, "no driver is installed")
    if inside := container(facts):
        return finding.skip(key, host, f"inside a container ({inside}): it has the nodes it was given")
    if isinstance(nodes, Unknown):
        return finding.unknown(key, host, nodes)
    if facts.driver.modules_loaded == ():
        return finding.skip(key, host, "without the driver's modules there are none")
    if isinstance(facts.driver.file, Unknown) or isinstance(facts.driver.modules_loaded, Unknown):
        why = facts.driver.file if isinstance(facts.driver.file, Unknown) else facts.driver.modules_loaded
        return finding.unknown(key, host, why if isinstance(why, Unknown) else "not read")
    paths = {node.path for node in nodes}
    wanted = [row.node for row in container_needs.nodes(family(facts) or "")]
    missing = [path for path in wanted if path not in paths]
    cards = [node for node in nodes if node.path.removeprefix("/dev/davinci").isdigit()]
    broken = [f"{node.path} is no device ({node.mode})" for node in nodes if not node.is_device]
    if missing or not cards or broken:
        lost = [f"no {path}" for path in missing] + ([] if cards else ["no /dev/davinciN"]) + broken
        return finding.fail(key, host, several(lost), expected=", ".join((*wanted, "one a card")))
    return _owner(facts, nodes, len(cards))


def _owner(facts: HostFacts, nodes: tuple[DeviceNode, ...], cards: int) -> Finding:
    """Root opens them anyhow; everybody else needs to be in the driver's group, or `--install-for-all`."""
    key, host, name = "access.nodes", facts.host, prerequisites.account().name
    if isinstance(facts.users, Unknown):
        return finding.unknown(key, host, facts.users)
    account = next((user for user in facts.users if user.name == name), None)
    closed = [node for node in nodes if node.mode[7:9] != "rw"]
    foreign = [node for node in closed if account is not None and node.gid != account.gid]
    if account is not None and foreign:
        seen = sorted({f"{node.uid}:{node.gid} {node.mode}" for node in foreign})
        observed = f"{len(foreign)} nodes of {', '.join(seen)}, first {foreign[0].path}"
        return finding.warn(key, host, observed, expected=f"{account.uid}:{account.gid} ({name})")
    return finding.ok(key, host, f"{cards} cards and their common nodes, {nodes[0].mode}")


def _namespaces(facts: HostFacts) -> Finding:
    key, host, occupants = "access.namespaces", facts.host, facts.occupants
    if no_driver(facts):
        return finding.skip(key, host, "no driver is installed")
    if occupants is None:
        return finding.skip(key, host, "this driver keeps no list of namespaces")
    if isinstance(occupants, Unknown):
        return finding.unknown(key, host, occupants)
    foreign = [occupant for occupant in occupants if not occupant.own and occupant.root_tgid != 1]
    if foreign:
        return finding.warn(key, host, several([_who(one) for one in foreign], 4, "; "), expected="only the host's own")
    return finding.ok(key, host, "no other namespace was given a card")


def _who(occupant: Occupant) -> str:
    """`pid 4242 python in container fae80a4b8ca4 has davinci3`."""
    process = occupant.process
    name = f" {process.name}" if process else " (gone)"
    box = f" in container {process.container[:12]}" if process and process.container else ""
    unit = f" of {process.unit}" if process and process.unit else ""
    cards = several([f"davinci{number}" for number in occupant.devices]) or "no card"
    return f"pid {occupant.root_tgid}{name}{unit}{box} has {cards}"
