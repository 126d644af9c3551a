"""Taking the leases of a fleet: what a dead run of this controller left is taken over, everything else is respected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ascend_provision.fleet import lease
from ascend_provision.fleet.events import TaskEnded
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.fleet.runner import HostPlay, PlayRequest
from ascend_provision.fleet.runs import Run, RunStore

INVENTORY = Inventory(sources=("h,",), hosts=("h",))


class Guard:
    """A host whose lease another run holds: it yields to `over` alone, as the guard does."""

    def __init__(self, holder: str, busy: str = "") -> None:
        self.holder, self.busy = holder, busy
        self.asked: list[str] = []

    def play(self, request: PlayRequest, *_: Any) -> dict[str, HostPlay]:
        over = str(request.host_vars["h"].get("provision_lease_over", ""))
        self.asked.append(over)
        if over and over == self.holder and not self.busy:
            result: dict[str, Any] = {"lease": {"token": 7}}
        else:
            by = {"run": self.holder, "holder": "li@ops:1", "expires_at": "1796072202", "busy": self.busy}
            result = {"leased_by": by, "msg": "leased"}
        status: Any = "ok" if "lease" in result else "failed"
        return {"h": HostPlay(host="h", tasks=(TaskEnded(host="h", task="t", status=status, result=result),))}


def taken(monkeypatch: pytest.MonkeyPatch, guard: Guard, run: Run) -> lease.Taken:
    monkeypatch.setattr(lease, "play", guard.play)
    return lease.take(["h"], INVENTORY, run, ttl=900)["h"]


def dead(store: RunStore) -> str:
    run = store.new("upgrade")
    run.close()
    return run.id


def test_the_lease_of_a_dead_run_of_this_controller_is_taken_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store = RunStore(tmp_path)
    guard = Guard(dead(store))

    assert taken(monkeypatch, guard, store.new("upgrade")).token == 7
    assert guard.asked == ["", guard.holder]


def test_a_dead_runs_step_that_still_runs_is_waited_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    guard = Guard(dead(store), busy="driver-install")
    refused = taken(monkeypatch, guard, store.new("upgrade"))

    assert (refused.token, refused.elsewhere) == (0, True)
    assert "run the same upgrade again" in refused.next_action
    assert guard.asked == [""]


def test_the_lease_of_a_living_run_is_respected(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    living = store.new("upgrade")
    guard = Guard(living.id)
    refused = taken(monkeypatch, guard, store.new("upgrade"))

    assert (refused.token, refused.elsewhere, guard.asked) == (0, True, [""])
    assert "2026-11-30" in refused.next_action


@pytest.mark.parametrize("name", ["20260101-000000-upgrade-0000", "../runs", "..", ".", "", "/etc"])
def test_a_run_unknown_here_is_never_taken_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    guard = Guard(name)

    assert not taken(monkeypatch, guard, RunStore(tmp_path).new("upgrade")).token
    assert guard.asked == [""]
