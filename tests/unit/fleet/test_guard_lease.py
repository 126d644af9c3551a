"""The lease on a host: one run may change it, its token fences off every other process."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ascend_provision.fleet import guard
from tests.unit.fleet.guard_host import Host, eventually, running_in


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    yield from running_in(tmp_path)


def test_tokens_only_ever_grow(host: Host) -> None:
    tokens = [host.take("r1").number("token")]
    host.ask("release", "r1", "1")
    tokens += [host.take("r2").number("token"), host.take("r2").number("token")]
    (host.root / "lease").unlink()
    tokens.append(host.take("r3").number("token"))

    assert tokens == [1, 2, 3, 4]


def test_a_lease_of_another_run_is_refused_by_name(host: Host) -> None:
    host.take("r1")
    refused = host.take("r2")

    assert refused.word == "leased"
    assert (refused.fields["run"], refused.fields["holder"]) == ("r1", "someone@laptop")
    assert abs(int(refused.fields["expires_at"]) - time.time() - 60) < 20


def test_the_lease_of_a_run_known_to_be_dead_gives_way_and_its_token_is_refused(host: Host, tmp_path: Path) -> None:
    host.take("r1")

    assert host.take("r2", over="r0").word == "leased"
    assert host.take("r2", over="r1").number("token") == 2
    assert host.run("x", "touch", str(tmp_path / "changed")).word == "lost"
    assert not (tmp_path / "changed").exists()


def test_a_command_of_a_dead_run_that_still_runs_does_not_give_way(host: Host) -> None:
    host.take("r1")
    host.run("x", "sleep", "30", detach="1")
    refused = host.take("r2", over="r1")

    assert (refused.word, refused.fields["busy"]) == ("leased", "x")


def test_of_two_takers_at_once_one_wins(host: Host) -> None:
    takers = [host.start("take", f"r{number}", "x", "60") for number in range(6)]
    answers = [guard.read(taker.communicate(timeout=60)[0].decode()) for taker in takers]

    assert sorted(answer.word for answer in answers if answer) == ["leased"] * 5 + ["taken"]


def test_an_expired_lease_can_be_taken(host: Host) -> None:
    host.take("r1", ttl=-1)

    assert host.take("r2").word == "taken"


def test_a_run_that_lost_its_lease_changes_nothing(host: Host, tmp_path: Path) -> None:
    host.take("r1", ttl=-1)
    host.take("r2")
    refused = host.run("driver-install", "touch", str(tmp_path / "changed"))

    assert refused.word == "lost"
    assert refused.fields["run"] == "r2"
    assert not (tmp_path / "changed").exists()


@pytest.mark.parametrize("token", [1, 3, 22])
def test_any_token_but_the_last_is_refused(host: Host, tmp_path: Path, token: int) -> None:
    host.take("r1")
    host.take("r1")

    assert host.run("x", "touch", str(tmp_path / "changed"), token=token).word == "lost"
    assert host.run("x", "true", token=2).word == "ran"
    assert not (tmp_path / "changed").exists()


def test_an_expired_lease_runs_nothing_until_it_is_renewed(host: Host) -> None:
    host.take("r1", ttl=-1)

    assert host.run("x", "true").word == "lost"
    assert host.ask("renew", "r1", "1", "60").word == "renewed"
    assert host.run("x", "true").word == "ran"


def test_a_lease_taken_by_another_cannot_be_renewed_or_released(host: Host) -> None:
    host.take("r1", ttl=-1)
    host.take("r2")

    assert host.ask("renew", "r1", "1", "60").word == "lost"
    assert host.ask("release", "r1", "1").word == "lost"
    assert host.ask("check", "r2", "2").word == "held"


def test_a_lease_lives_as_long_as_a_command_of_its_run(host: Host) -> None:
    host.take("r1")
    working = host.start("run", "--run", "r1", "--token", "1", "--name", "driver-install", "--", "sleep", "2")
    eventually(host.steps / "driver-install.pid")
    host.expire()
    refused = host.take("r2")
    working.communicate(timeout=30)

    assert refused.word == "leased"
    assert refused.fields["busy"] == "driver-install"


def test_after_a_command_its_run_has_five_minutes_to_come_back(host: Host) -> None:
    host.take("r1", ttl=30)
    host.run("driver-install", "true")

    assert int(host.ask("check", "r1", "1").fields["expires_at"]) > time.time() + 240


def test_release_twice_is_release_once(host: Host) -> None:
    host.take("r1")

    assert host.ask("release", "r1", "1").word == "released"
    assert host.ask("release", "r1", "1").word == "released-before"
    assert host.take("r2").word == "taken"


def test_a_broken_lease_frees_the_host_and_its_token_is_worth_nothing(host: Host, tmp_path: Path) -> None:
    host.take("r1")
    broken = host.ask("break", "r1")

    assert (broken.word, broken.fields["run"], broken.fields["holder"]) == ("broken", "r1", "someone@laptop")
    assert host.run("x", "touch", str(tmp_path / "changed")).word == "lost"
    assert host.ask("renew", "r1", "1", "60").word == "lost"
    assert host.take("r2").number("token") == 3
    assert not (tmp_path / "changed").exists()


def test_a_lease_is_not_broken_while_a_step_of_its_run_is_running(host: Host) -> None:
    host.take("r1")
    host.run("x", "sleep", "30", detach="1")
    refused = host.ask("break")

    assert (refused.word, refused.fields["busy"], refused.fields["run"]) == ("busy", "x", "r1")
    assert guard.explain(refused, "lease (broken)", "h").startswith(
        "x of run r1 is still running on h: its lease stays"
    )


def test_only_the_named_runs_lease_is_broken_and_a_free_host_says_so(host: Host) -> None:
    assert host.ask("break").word == "free"
    host.take("r1")

    assert host.ask("break", "r0").word == "lost"
    assert host.run("x", "true").word == "ran"
