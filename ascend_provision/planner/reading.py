"""What the planner reads of a host: versions in words, and the digest of exactly those facts."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from ascend_provision.knowledge import prerequisites
from ascend_provision.stack.facts import KERNEL_PARTS, SUITE_PARTS, CannInstall, Holder, HostFacts
from ascend_provision.stack.model import Unknown

_VIRTUAL = "/dev/vdavinci"


def say(value: object) -> str:
    """A fact in words: its value, `none` or `unknown`."""
    if isinstance(value, Unknown):
        return "unknown"
    if value is None or value == ():
        return "none"
    if isinstance(value, tuple):
        return ",".join(str(item) for item in value)
    return str(value)


def versions(facts: HostFacts) -> dict[str, str]:
    """The stack of a host as the reports show it: component -> version."""
    shown = {"driver": say(facts.driver.running if facts.driver.file is not None else None)}
    if not isinstance(facts.driver.file, Unknown) and say(facts.driver.file) != shown["driver"]:
        shown["driver"] = f"{shown['driver']} (file {say(facts.driver.file)})"
    shown["firmware"] = say(facts.firmware.flash)
    if not isinstance(facts.cann, Unknown):
        for part in ("toolkit", "kernels", "nnal"):
            found = tuple(sorted({str(item.version) for item in facts.cann if _part(item) == part}))
            if found or part != "nnal":
                shown[part] = ",".join(found) or "none"
    else:
        shown["toolkit"] = "unknown"
    return shown


def _part(install: CannInstall) -> str:
    if install.part in KERNEL_PARTS:
        return "kernels"
    return "toolkit" if install.part in SUITE_PARTS else install.part


def is_service(holder: Holder, facts: HostFacts) -> bool:
    """A holder that its supervisor would bring back: a unit's process, or one of a container with a restart policy.

    Everything else with a card open is somebody's job, and nobody's to stop.
    """
    if holder.container is not None:
        return not isinstance(facts.containers, Unknown) and any(
            box.id.startswith(holder.container[:12]) and box.comes_back for box in facts.containers
        )
    return holder.unit is not None and holder.unit.endswith(".service")


def jobs(facts: HostFacts) -> tuple[Holder, ...] | Unknown:
    """The processes that hold a card and are nobody's to stop."""
    if isinstance(facts.holders, Unknown):
        return facts.holders
    return tuple(holder for holder in facts.holders if not is_service(holder, facts))


def virtual_npus(facts: HostFacts) -> tuple[str, ...]:
    """The numbers of the virtual NPUs that the cards are split into."""
    nodes = () if isinstance(facts.device_nodes, Unknown) else facts.device_nodes
    return tuple(node.path.removeprefix(_VIRTUAL) for node in nodes if node.path.startswith(_VIRTUAL))


def unfinished(facts: HostFacts) -> bool:
    """An earlier run was cut or failed on the way: it did not come to its release, so nothing was proved."""
    if isinstance(facts.record, Unknown):
        return False
    return facts.record.holding or facts.record.step not in {None, "release"}


def digest(facts: HostFacts) -> str:
    """sha256 over the facts a plan rests on. Moving figures (free space, memory, temperature) are not among them."""
    holders: Any = facts.holders
    if not isinstance(holders, Unknown):
        holders = sorted({(item.user, item.command, item.container or "", item.unit or "") for item in holders})
    chips: Any = facts.chips
    if not isinstance(chips, Unknown):
        chips = [(chip.npu_id, chip.chip_id, chip.name) for chip in chips]
    read = {
        "arch": facts.arch,
        "chips": chips,
        "kernel": facts.kernel,
        "hardware": facts.hardware,
        "os": facts.os,
        "pci": facts.pci,
        "driver": facts.driver,
        "firmware": facts.firmware,
        "cann": facts.cann,
        "environments": facts.environments,
        "users": facts.users,
        "groups": facts.groups,
        "pythons": facts.pythons,
        "mounts": facts.mounts if isinstance(facts.mounts, Unknown) else prerequisites.unusable(facts.mounts),
        "virtual": virtual_npus(facts),
        "tools": facts.tools,
        "services": facts.services,
        "containers": facts.containers,
        "holders": holders,
        "leftovers": facts.leftovers,
        "mpi": (facts.mpi, facts.mpi_home),
        "kept_files": facts.kept_files,
        "unfinished": unfinished(facts),
    }
    return "sha256:" + hashlib.sha256(canonical(read).encode()).hexdigest()


def canonical(value: object) -> str:
    """JSON with sorted keys and no spare space: equal values give equal bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_plain)


def _plain(value: object) -> object:
    dump = getattr(value, "model_dump", None)
    return dump(mode="json") if dump else str(value)
