"""The role variables of a step on one host: from its plan, and for a few from what the host looks like now."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ascend_provision.planner import places
from ascend_provision.planner.next_step import removable, smoke_arguments
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.plan import HostPlan, Step

SMOKE_SIZES = tuple(8192 * 2**power for power in range(8))
"""Message sizes of the smoke test in bytes, 8 KiB to 1 MiB: correctness, not bandwidth."""
SMOKE_LIMIT = 300


def for_host(step: Step, plan: HostPlan, facts: HostFacts, *, run: str, packages: Path) -> dict[str, Any] | None:
    """Everything the role needs; None when the step cannot be run on this host (no MPI for the smoke test)."""
    own: dict[str, Any] = dict(step.arguments)
    if step.name == "stage":
        own["stage_packages"] = [
            {"src": str(packages / package.file), "file": package.file, "sha256": package.sha256}
            for package in step.packages
        ]
    elif step.name in {"backup", "restore"}:
        own = {"backup_run": run, **own}
    elif step.name.startswith("reboot"):
        own["reboot_expected_boot_id"] = facts.boot.boot_id if isinstance(facts.boot.boot_id, str) else ""
        own["reboot_expected_kernel"] = plan.kernel
        own["reboot_step"] = step.name
    elif step.name == "cleanup":
        own["cleanup_items"] = list(removable(facts))
        own["cleanup_archive"] = f"{places.STATE}/archive/{run}"
    elif step.name == "hccl-smoke":
        found = smoke_arguments(plan, facts)
        if found is None:
            return None
        sizes = {"min": SMOKE_SIZES[0], "max": SMOKE_SIZES[-1], "factor": 2}
        own |= {**found, "hccl_smoke_sizes": sizes, "hccl_smoke_timeout": SMOKE_LIMIT}
    elif step.name == "release":
        services = () if isinstance(facts.services, Unknown) else facts.services
        containers = () if isinstance(facts.containers, Unknown) else facts.containers
        own["release_units"] = [service.unit for service in services if service.held]
        own["release_containers"] = [box.id for box in containers if box.held]
    return own
