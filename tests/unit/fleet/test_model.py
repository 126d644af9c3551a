"""Whole runs under whatever happens: steps fail, contact is lost, the controller dies, and it is resumed.

The real planner, waves, executor and journal; hosts are of paper. What must hold is read from the journal, which is
what a person would read afterwards.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_provision.fleet.endings import StepEnd
from ascend_provision.fleet.journal import Journal, read
from ascend_provision.fleet.runs import Order
from ascend_provision.planner import waves
from ascend_provision.planner.waves import Growth, OnFail, Policy, Share
from ascend_provision.stack.plan import Ending, StepName
from ascend_provision.stack.runs import BAD, HostOutcome, JournalRecord, RunResult
from tests.unit.fleet.paper import PaperFleet, clean, patched, upgraded
from tests.unit.fleet.test_resume import Killed, resumed

STEPS: tuple[StepName, ...] = ("stage", "backup", "hdk-uninstall", "driver-install", "firmware-install", "cann-install")
FAILED = StepEnd(ending=Ending.FAILED, detail="broken on purpose")
LOST = StepEnd(ending=None, detail="ssh: timed out")

POLICIES = st.builds(
    Policy,
    canary=st.integers(0, 2),
    growth=st.sampled_from(Growth),
    ceiling=st.builds(Share, number=st.integers(1, 4)),
    max_unavailable=st.none() | st.builds(Share, number=st.integers(1, 3)),
    max_fail=st.integers(0, 2),
    on_fail=st.sampled_from(OnFail),
)
HOSTS = st.integers(1, 5).map(lambda number: [f"a1-{index:02}" for index in range(1, number + 1)])


class Dies:
    """A journal that takes so many records and then the controller is gone."""

    def __init__(self, records: int | None) -> None:
        self.left = records

    @contextmanager
    def in_place(self) -> Iterator[None]:
        real = Journal.write

        def write(journal: Journal, record: JournalRecord) -> None:
            if self.left is not None:
                self.left -= 1
                if self.left < 0:
                    raise Killed
            real(journal, record)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Journal, "write", write)
            yield


def carried(fleet: PaperFleet, place: Path, policy: Policy, deaths: list[int]) -> RunResult:
    """The run to its end, resumed after every death of its controller."""
    begun = False
    for records in [*deaths, None]:
        with Dies(records).in_place():
            try:
                if begun:
                    return resumed(fleet, place, "last")
                return upgraded(fleet, place, order=Order(policy=policy), checked=False)
            except Killed:
                begun = any((path / "plan.json").exists() for path in (place / "runs").iterdir())
    raise AssertionError("the run never ended")


def journal(place: Path) -> list[JournalRecord]:
    return [record for path in sorted((place / "runs").glob("*/journal.jsonl")) for record in read(path)]


def in_hand(records: list[JournalRecord]) -> Iterator[tuple[JournalRecord, set[str], set[str]]]:
    """Each record with the hosts that are being changed and those that have ended badly, both before it."""
    working: set[str] = set()
    bad: set[str] = set()
    for record in records:
        yield record, set(working), set(bad)
        if record.event == "step-started":
            working.add(record.host)
            bad.discard(record.host)
        elif record.event == "host-ended":
            working.discard(record.host)
            if HostOutcome(record.detail.partition(":")[0]) in BAD:
                bad.add(record.host)


@settings(max_examples=30, deadline=None)
@given(
    HOSTS,
    POLICIES,
    st.dictionaries(st.tuples(st.integers(0, 4), st.sampled_from(STEPS)), st.sampled_from([FAILED, LOST]), max_size=3),
    st.lists(st.integers(1, 60), max_size=2),
)
def test_whatever_happens_every_host_ends_in_a_named_state_and_promises_are_kept(
    hosts: list[str], policy: Policy, faults: Mapping[tuple[int, StepName], StepEnd], deaths: list[int]
) -> None:
    with tempfile.TemporaryDirectory() as scratch, pytest.MonkeyPatch.context() as patch:
        place = Path(scratch)
        fleet = PaperFleet({host: clean(host) for host in hosts})
        patched(fleet, patch)
        fleet.broken_once |= {(hosts[index % len(hosts)], step): end for (index, step), end in faults.items()}

        result = carried(fleet, place, policy, deaths)

        assert {host.host for host in result.hosts} == set(hosts)
        records = journal(place)
        cut = waves.cut(dict.fromkeys(hosts, ""), policy)
        canaries = {host for wave in cut if wave.canary for host in wave.hosts}
        most = max(policy.canary, policy.ceiling.of(len(hosts)))
        good: set[str] = set()
        begun: set[str] = set()
        for record, working, bad in in_hand(records):
            if record.event == "host-ended" and record.detail.partition(":")[0] == "done":
                good.add(record.host)
            assert record.event != "step-started" or record.host not in good, "a host that was done is done again"
            if record.event != "step-started" or record.host in begun:
                continue  # a host that was begun is out of service already: going on with it costs no other
            begun.add(record.host)
            assert len(working | {record.host}) <= most, "more hosts in hand than the widest wave"
            if record.host not in canaries:
                assert canaries <= good, "a host before its canary"
            if policy.max_unavailable:
                assert len(working | bad | {record.host}) <= policy.max_unavailable.of(len(hosts))
        for host in result.hosts:
            if host.outcome is HostOutcome.ROLLED_BACK:
                assert host.after["driver"] == "22.0.4"
            elif host.outcome is HostOutcome.DONE:
                assert host.after["driver"] == "23.0.3"
                assert fleet.acted.count((host.host, "release")) >= 1
            else:
                assert host.outcome in {HostOutcome.FAILED, HostOutcome.NOT_STARTED, HostOutcome.QUARANTINED}, host
                assert host.reason
        if any(host.outcome is HostOutcome.NOT_STARTED for host in result.hosts):
            assert result.halted
            assert result.resume
