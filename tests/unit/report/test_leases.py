"""Leases as an operator reads them."""

from __future__ import annotations

from ascend_provision.report.leases import broken, render, rows
from ascend_provision.stack.facts import HostRecord
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.runs import LeaseEnd
from tests.unit.factories import a1_host, changed

HELD = HostRecord(
    lease_run="20261130-0100-upgrade-1f3a",
    lease_holder="bob@ops2:77",
    lease_token=4,
    lease_expires_at=2000.0,
    step="driver-install",
    step_state="started",
)


def test_who_holds_a_host_until_when_and_what_it_does_there() -> None:
    found = rows({"a1-1": changed(a1_host("a1-1"), record=HELD), "a1-2": a1_host("a1-2")}, {"a1-3": "timed out"})

    lines = render(found, 1700.0).splitlines()

    assert lines[1].startswith("a1-1  20261130-0100-upgrade-1f3a  bob@ops2:77  in 5 min 00 s")
    assert lines[1].endswith("driver-install started")
    assert lines[2].split() == ["a1-2", "none"]
    assert lines[3].split() == ["a1-3", "unknown", "timed", "out"]


def test_a_lapsed_lease_is_said_to_be_lapsed() -> None:
    assert "lapsed" in render(rows({"a": changed(a1_host("a"), record=HELD)}, {}), 2001.0)


def test_a_record_that_could_not_be_read_is_unknown_and_not_free() -> None:
    found = rows({"a": changed(a1_host("a"), record=Unknown(unknown="cut"))}, {})

    assert found == [{"host": "a", "unknown": "cut"}]


def test_what_became_of_each_lease_is_told_by_host() -> None:
    text = broken(
        {
            "a": LeaseEnd(broken=True, run="r1", holder="bob@ops2:77"),
            "b": LeaseEnd(free=True),
            "c": LeaseEnd(problem="driver-install is still running"),
        }
    )

    assert text.splitlines() == [
        "a: the lease of run r1 (bob@ops2:77) has ended",
        "b: there was no lease",
        "c: not broken: driver-install is still running",
    ]
