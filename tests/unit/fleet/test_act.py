"""One step over some hosts: each is reported once, as soon as it is through, whatever becomes of the others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ascend_provision.fleet import act as acting
from ascend_provision.fleet.act import RETRY_SECONDS, StepDone, act
from ascend_provision.fleet.events import TaskEnded
from ascend_provision.fleet.gather import Gathered
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.fleet.runner import HostPlay, PlayRequest
from ascend_provision.fleet.runs import Run
from ascend_provision.stack.errors import ProvisionError
from ascend_provision.stack.plan import Ending
from tests.unit.factories import a1_host

LEASE = {"run": "r", "token": 1}


def probed(host: str) -> TaskEnded:
    return TaskEnded(host=host, task="Look at the host", status="ok", result={"probe": {"complete": True}})


def installed(host: str, rc: int, *log: str) -> TaskEnded:
    result: dict[str, Any] = {"guarded": "driver-install", "rc": rc, "log": list(log), "seconds": 7}
    return TaskEnded(host=host, task="install", status="ok" if rc in {0, 2} else "failed", message="rc", result=result)


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Plays the given task results, in order, instead of Ansible; a probe leaves facts."""

    def arrange(*tasks: TaskEnded, again: dict[str, bool] | None = None, raises: Exception | None = None) -> list[str]:
        asked: list[str] = []

        def run(request: PlayRequest, _inventory: Any, _directory: Any, *, on_task: Any) -> dict[str, HostPlay]:
            if raises:
                raise raises
            for task in tasks:
                on_task(task)
            return {
                host: HostPlay(host=host, tasks=tuple(task for task in tasks if task.host == host))
                for host in request.hosts
            }

        def gather(inventory: Inventory, **_more: Any) -> Gathered:
            asked.extend(inventory.hosts)
            back = [host for host in inventory.hosts if (again or {}).get(host, False)]
            return Gathered(facts={host: a1_host(host) for host in back}, unreachable={})

        def collect(plays: dict[str, HostPlay], _evidence: Path) -> Gathered:
            return Gathered(facts={host: a1_host(host) for host in plays}, unreachable={})

        monkeypatch.setattr(acting, "play", run)
        monkeypatch.setattr(acting, "gather", gather)
        monkeypatch.setattr(acting, "collect", collect)
        return asked

    return arrange


def acted(tmp_path: Path, *hosts: str) -> tuple[dict[str, StepDone], list[float]]:
    told: list[StepDone] = []
    waited: list[float] = []
    act(
        "driver-install",
        {host: {"hdk_component": "driver"} for host in hosts},
        dict.fromkeys(hosts, LEASE),
        Inventory(sources=(), hosts=hosts),
        Run("r", tmp_path),
        1,
        told.append,
        waited.append,
    )
    assert sorted(done.host for done in told) == sorted(hosts)
    return {done.host: done for done in told}, waited


def test_a_host_whose_installer_and_probe_are_through_is_done_with_facts(play: Any, tmp_path: Path) -> None:
    line = "[INFO]Driver package installed successfully! The new version takes effect immediately."
    play(installed("a1-01", 0, line), probed("a1-01"))

    done = acted(tmp_path, "a1-01")[0]["a1-01"]

    assert (done.end.ending, done.end.acted) == (Ending.DONE, 7)
    assert done.facts is not None


def test_a_failed_installer_is_asked_for_facts_once(play: Any, tmp_path: Path) -> None:
    asked = play(installed("a1-01", 1, "[Driver] [2026-01-31 01:02:03] [ERROR]Dkms install failed"))

    done = acted(tmp_path, "a1-01")[0]["a1-01"]

    assert done.end.ending is Ending.FAILED
    assert "Dkms install failed" in done.end.detail
    assert asked == ["a1-01"]


def test_a_lost_host_is_waited_for_and_its_end_is_nobodys_knowledge(play: Any, tmp_path: Path) -> None:
    lost = TaskEnded(host="a1-01", task="install", status="unreachable", message="ssh: timed out")
    asked = play(lost, installed("a1-02", 2), probed("a1-02"))

    done, waited = acted(tmp_path, "a1-01", "a1-02")

    assert done["a1-01"].end.ending is None
    assert done["a1-01"].facts is None
    assert len(asked) == 1 + len(RETRY_SECONDS)
    assert waited == [0, *RETRY_SECONDS]


def test_a_lost_host_that_comes_back_brings_its_facts(play: Any, tmp_path: Path) -> None:
    lost = TaskEnded(host="a1-01", task="install", status="unreachable", message="ssh: timed out")
    play(lost, again={"a1-01": True})

    done = acted(tmp_path, "a1-01")[0]["a1-01"]

    assert (done.end.ending, done.facts is not None) == (None, True)


def test_an_ansible_that_cannot_run_fails_every_host_by_name(play: Any, tmp_path: Path) -> None:
    play(raises=ProvisionError("Ansible ran no task", code="ansible-failed", why="ERROR! no such plugin"))

    done, _ = acted(tmp_path, "a1-01", "a1-02")

    assert {found.end.ending for found in done.values()} == {Ending.FAILED}
    assert "no such plugin" in done["a1-01"].end.detail
