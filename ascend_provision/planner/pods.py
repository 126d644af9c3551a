"""A super-pod is one domain: its hosts talk over one fabric, so all of them must end on one driver version."""

from __future__ import annotations

from collections.abc import Sequence

from ascend_provision.stack.plan import HostPlan


def kept_together(hosts: Sequence[HostPlan]) -> tuple[HostPlan, ...]:
    """The plans, with every change refused in a super-pod whose planned hosts would end on different drivers."""
    ends: dict[str, dict[str, list[str]]] = {}
    for host in hosts:
        if host.super_pod:
            driver = (host.after or host.before).get("driver", "unknown")
            ends.setdefault(host.super_pod, {}).setdefault(driver, []).append(host.host)
    return tuple(
        _refused(host, ends[host.super_pod])
        if host.decision == "change" and len(ends.get(host.super_pod, {})) > 1
        else host
        for host in hosts
    )


def _refused(host: HostPlan, ends: dict[str, list[str]]) -> HostPlan:
    said = "; ".join(f"{driver}: {', '.join(names)}" for driver, names in sorted(ends.items()))
    return HostPlan(
        host=host.host,
        decision="refused",
        digest=host.digest,
        strategy=host.strategy,
        before=host.before,
        target=host.target,
        super_pod=host.super_pod,
        reasons=(f"hosts of super-pod {host.super_pod} would end on different drivers ({said})",),
        lifts=("lift what keeps the others back, or plan the super-pod without them only once they are out of it",),
    )
