"""Failure domains of hosts, as the inventory has them: a host variable, or the subgroups of a group."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ascend_provision.fleet.inventory import Inventory, quiet_environment
from ascend_provision.stack.errors import UsageError

_TIMEOUT_SECONDS = 120


def of(inventory: Inventory, name: str) -> dict[str, str]:
    """Host -> domain. Raises UsageError when a host has none: nobody said with whom it fails."""
    found = _read(inventory)
    variables = found.get("_meta", {}).get("hostvars", {})
    groups = _subgroups(found, name)
    domains = {host: str(variables.get(host, {}).get(name) or groups.get(host) or "") for host in inventory.hosts}
    without = [host for host, domain in domains.items() if not domain]
    if without:
        raise UsageError(
            f"{', '.join(without[:5])}{' and more' if len(without) > 5 else ''}: no failure domain `{name}`",
            code="domain-missing",
            why=f"`{name}` is neither a variable of the host nor a group with a subgroup that has the host",
            next_action="`ansible-inventory --list` shows variables and groups",
        )
    return domains


def _subgroups(found: Mapping[str, Any], name: str) -> dict[str, str]:
    """Host -> the child of group `name` that has it, at any depth."""
    domains: dict[str, str] = {}
    for child in found.get(name, {}).get("children", []):
        pending, seen = [child], set()
        while pending:
            group = pending.pop()
            if group in seen:
                continue
            seen.add(group)
            pending += found.get(group, {}).get("children", [])
            domains.update(dict.fromkeys(found.get(group, {}).get("hosts", []), child))
    return domains


def _read(inventory: Inventory) -> dict[str, Any]:
    argv = [str(Path(sys.executable).parent / "ansible-inventory"), "--list"]
    for source in inventory.sources:
        argv += ["-i", source]
    try:
        done = subprocess.run(
            argv, capture_output=True, text=True, timeout=_TIMEOUT_SECONDS, check=True, env=quiet_environment()
        )
        found = json.loads(done.stdout)
    except (subprocess.SubprocessError, ValueError) as error:
        raise UsageError(
            "the inventory's groups and variables could not be read",
            code="inventory-unreadable",
            why=str(error)[:500],
            next_action="try `ansible-inventory --list` on it",
        ) from error
    return found if isinstance(found, dict) else {}
