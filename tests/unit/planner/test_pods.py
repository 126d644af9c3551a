"""A super-pod ends on one driver, or none of its hosts is changed."""

from __future__ import annotations

from ascend_provision.planner.pods import kept_together
from ascend_provision.stack.plan import HostPlan


def host(name: str, decision: str, driver: str, pod: str = "sp1") -> HostPlan:
    before = {"driver": "24.1.0"}
    after = {"driver": driver} if decision == "change" else {}
    return HostPlan.model_validate(
        {"host": name, "decision": decision, "digest": "d", "before": before, "after": after, "super_pod": pod}
    )


def decisions(*hosts: HostPlan) -> list[str]:
    return [plan.decision for plan in kept_together(hosts)]


def test_a_pod_that_ends_on_one_driver_is_changed() -> None:
    assert decisions(host("a", "change", "25.0.3"), host("b", "change", "25.0.3")) == ["change", "change"]


def test_one_refused_host_keeps_its_whole_pod_where_it_is_and_is_named() -> None:
    plans = kept_together(
        [host("a", "change", "25.0.3"), host("b", "refused", ""), host("c", "change", "25.0.3", "sp2")]
    )

    assert [plan.decision for plan in plans] == ["refused", "refused", "change"]
    assert plans[0].reasons == ("hosts of super-pod sp1 would end on different drivers (24.1.0: b; 25.0.3: a)",)


def test_hosts_of_no_pod_have_nothing_to_do_with_each_other() -> None:
    assert decisions(host("a", "change", "25.0.3", ""), host("b", "refused", "", "")) == ["change", "refused"]
