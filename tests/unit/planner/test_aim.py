"""What `--to` means on a host: versions as named with what must follow them, or the least change worked out."""

from __future__ import annotations

import pytest

from ascend_provision.knowledge.matrix import published
from ascend_provision.knowledge.wishes import parse
from ascend_provision.planner import plan as planner
from ascend_provision.planner.aim import Aim, take
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.packages import Package
from ascend_provision.stack.plan import HostPlan, Strategy
from ascend_provision.stack.versions import CannVersion
from tests.unit.factories import a1_host, a2_host, changed, environment
from tests.unit.planner.store import STORE
from tests.unit.planner.walk import walk


def aim(facts: HostFacts, wish: str, store: tuple[Package, ...] = STORE) -> Aim:
    return take(facts, parse(wish), store, published(), "910")


def planned(facts: HostFacts, wish: str) -> HostPlan:
    return planner.plan_host(facts, parse(wish), STORE, verb="upgrade", strategy=Strategy.CLEAN)


def test_a_torch_npu_is_had_by_the_least_change_among_the_packages_at_hand() -> None:
    found = aim(a1_host(), "torch_npu=2.6.0")

    assert (str(found.target.driver), str(found.target.firmware), str(found.target.cann)) == (
        "24.1.0",
        "7.5.0.2.220",
        "8.0.0",
    )
    assert any(note.startswith("CANN 6.0.1 -> 8.0.0: torch_npu 2.6.0 is published for") for note in found.notes)


def test_what_belongs_to_the_users_is_named_as_their_own_next_step() -> None:
    found = aim(a1_host(), "torch_npu=2.6.0")

    (mine,) = [note for note in found.notes if note.startswith("yours to do afterwards in ")]
    assert "torch_npu 1.8.1 -> 2.6.0" in mine
    assert "torch 1.8.1 -> 2.6.0" in mine


def test_a_host_that_has_it_already_has_nothing_to_do() -> None:
    env = environment("/opt/llm", torch="2.4.0", torch_npu="2.4.0.post2")
    plan = planned(a1_host(level="hdk24", environments=(env,)), "torch_npu=2.4.0.post2")

    assert (plan.decision, plan.mismatches) == ("nothing", ())


def test_what_the_store_lacks_is_said_with_why_it_is_needed() -> None:
    (reason,) = aim(a1_host(), "torch_npu=2.6.0", STORE[:6]).refused

    assert "needs HDK 24.1.0, firmware 7.5.0.2.220, CANN 8.0.0" in reason.why
    assert "torch_npu 2.6.0 is published for CANN 8.2.RC1, not for 6.0.1" in reason.why
    assert reason.lift == "put the packages of HDK 24.1.0, firmware 7.5.0.2.220, CANN 8.0.0 into the store"


def test_what_nobody_publishes_is_refused_and_never_chosen() -> None:
    (reason,) = aim(a1_host(), "torch_npu=2.6.0.post9").refused

    assert "nobody publishes together" in reason.why
    assert "torch_npu" in reason.why
    assert "--matrix" in reason.lift


def test_a_contradiction_is_refused_with_the_row_that_makes_it() -> None:
    (reason,) = aim(a1_host(), "mindspore=2.7.1,cann=8.2.RC1").refused

    assert "MindSpore 2.7.1 is published for CANN 8.3.RC1, not for 8.2.RC1" in reason.why


def test_a_feature_brings_the_hdk_that_has_it() -> None:
    host = a1_host(environments=(environment("/opt/llm", torch="2.1.0", torch_npu="2.1.0"),))
    found = aim(host, "expandable_segments")

    assert (str(found.target.driver), str(found.target.cann)) == ("23.0.3", "7.0.0")
    assert any("expandable_segments needs HDK >=23.0.0" in note for note in found.notes)


def with_cann(facts: HostFacts, version: str) -> HostFacts:
    assert not isinstance(facts.cann, Unknown)
    moved = {"version": CannVersion(version), "inner": None, "accepts_driver": None}
    return changed(facts, cann=tuple(part.model_copy(update=moved) for part in facts.cann))


def test_a_cann_that_stays_and_is_printed_as_not_usable_is_a_mismatch() -> None:
    found = take(with_cann(a2_host(), "9.1.0"), parse("hdk=25.0.rc1.1"), STORE, published(), "910b")
    (said,) = found.mismatches

    assert found.cann_stays
    assert said.startswith("CANN 9.1.0 stays and is not published with HDK 25.0.rc1.1")
    assert "must follow" in said
    assert any("smoke test is left out" in note for note in found.notes)


def test_of_a_cann_that_no_row_has_with_the_new_hdk_the_smoke_test_is_the_judge() -> None:
    host = a1_host()
    plan = planned(host, "hdk=23.0.3")
    steps, end = walk(plan, host)

    assert not any("CANN" in said for said in plan.mismatches)
    assert any("CANN 7.0.0 must follow: `--to hdk=23.0.3,cann=7.0.0`" in note for note in plan.notes)
    assert any("the HCCL smoke test tells" in note for note in plan.notes)
    assert any("torch_npu 1.8.1 -> 1.11.0.post8" in note for note in plan.notes)
    assert "hccl-smoke" in steps
    assert not isinstance(end.cann, Unknown)
    assert [str(item.version) for item in end.cann] == ["6.0.1", "6.0.1"]


def test_a_cann_that_the_new_hdk_is_published_with_may_stay() -> None:
    found = aim(a1_host(level="hdk23"), "hdk=23.0.0")

    assert found.mismatches == ()
    assert not found.cann_stays


@pytest.mark.parametrize("wish", ["hdk23", "hdk=23.0.3,cann=7.0.0"])
def test_versions_that_are_named_are_taken_as_they_are(wish: str) -> None:
    found = aim(a1_host(), wish, ())

    assert (str(found.target.driver), str(found.target.cann), found.mismatches) == ("23.0.3", "7.0.0", ())
