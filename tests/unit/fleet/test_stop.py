"""Two ways to stop a run, tried on hosts of paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.fleet.stop import Stop
from ascend_provision.stack.plan import StepName
from ascend_provision.stack.runs import HostOutcome
from tests.unit.fleet.paper import PaperFleet, outcomes, paper_fleet, upgraded

__all__ = ["paper_fleet"]


class StopsAt:
    """Presses Ctrl-C so many times when the first host is at that step."""

    def __init__(self, paper: PaperFleet, stop: Stop, step: StepName, times: int) -> None:
        self.paper, self.stop, self.step, self.times = paper, stop, step, times
        self.one = paper._one

    def __call__(self, host: str, name: StepName) -> object:
        if name == self.step:
            self.stop.set()
            if self.times == 2:
                self.stop.now.set()
        return self.one(host, name)


@pytest.mark.parametrize(("times", "outcome"), [(1, HostOutcome.DONE), (2, HostOutcome.FAILED)], ids=["once", "twice"])
def test_once_finishes_the_hosts_in_hand_twice_ends_them_after_their_step(
    times: int, outcome: HostOutcome, paper: PaperFleet, tmp_path: Path
) -> None:
    stop = Stop()
    paper._one = StopsAt(paper, stop, "driver-install", times)

    result = upgraded(paper, tmp_path, stop)

    assert result.interrupted
    assert set(outcomes(result).values()) == {outcome}
    if times == 2:
        assert {(host.step, host.reason) for host in result.hosts} == {
            ("driver-install", "stopped by hand after this step")
        }
        assert all(f"--resume {result.run}" in host.next_action for host in result.hosts)
        assert paper.acted[-1][1] == "driver-install"
