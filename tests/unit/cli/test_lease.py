"""`lease`: looking is free, breaking wants a yes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.cli import lease as module
from ascend_provision.stack.runs import LeaseEnd
from tests.unit.cli.fleets import typed


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[tuple[str, ...], str]]:
    """What hosts were asked to break: one has a lease, one is at work."""
    calls: list[tuple[tuple[str, ...], str]] = []
    monkeypatch.setenv("ASCEND_PROVISION_STATE", str(tmp_path))

    def break_(hosts: tuple[str, ...], *_args: object, of_run: str = "") -> dict[str, LeaseEnd]:
        calls.append((tuple(hosts), of_run))
        busy = LeaseEnd(problem="driver-install of run r1 is still running")
        return {host: busy if host == "busy" else LeaseEnd(broken=True, run="r1", holder="bob") for host in hosts}

    monkeypatch.setattr(module.lease, "break_", break_)
    return calls


def test_nothing_is_broken_without_a_yes(asked: list[object], capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("lease break --hosts a -i a,") == 4
    assert asked == []
    assert "--yes" in capsys.readouterr().err


def test_a_lease_ends_and_a_host_at_work_keeps_its_own(asked: list[object], capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("lease break --hosts a -i a,busy, --run r1 --yes") == 0
    assert typed("lease break --hosts all -i a,busy, --yes") == 9

    assert asked == [(("a",), "r1"), (("a", "busy"), "")]
    assert "busy: not broken: driver-install of run r1 is still running" in capsys.readouterr().out
