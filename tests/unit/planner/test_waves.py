"""Waves: who goes first, how they grow, and what halts them. Whole runs are played with hosts that only end."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.planner.waves import Growth, HostNow, Policy, Share, Wave, cut, decide, share
from ascend_provision.planner.window import parse
from ascend_provision.stack.errors import UsageError

SATURDAY_0100_SHANGHAI = 1795798800.0


def fleet(number: int, domain: str = "") -> dict[str, str]:
    return {f"{domain or 'n'}{index:03}": domain for index in range(number)}


def sizes(waves: tuple[Wave, ...]) -> list[int]:
    return [len(wave.hosts) for wave in waves]


def test_one_canary_then_twice_as_many_up_to_half_of_the_fleet() -> None:
    waves = cut(fleet(20), Policy())

    assert sizes(waves) == [1, 2, 4, 8, 5]
    assert [wave.canary for wave in waves] == [True, False, False, False, False]


@pytest.mark.parametrize(
    ("growth", "expected"),
    [(Growth.FIXED, [2, 6, 6, 6]), (Growth.LINEAR, [2, 4, 6, 6, 2]), (Growth.EXPONENTIAL, [2, 4, 6, 6, 2])],
)
def test_how_waves_grow_after_a_canary_of_two(growth: Growth, expected: list[int]) -> None:
    policy = Policy(canary=2, growth=growth, ceiling=Share(number=6))

    assert sizes(cut(fleet(20), policy)) == expected


def test_without_a_canary_waves_begin_with_one_host_unless_they_are_fixed() -> None:
    assert sizes(cut(fleet(7), Policy(canary=0))) == [1, 2, 4]
    assert sizes(cut(fleet(4), Policy(canary=0, growth=Growth.FIXED))) == [2, 2]


def test_a_wave_stays_in_one_rack_and_the_canary_is_of_the_first() -> None:
    racks = fleet(3, "rack-b") | fleet(5, "rack-a")

    waves = cut(racks, Policy(growth=Growth.FIXED, ceiling=Share(number=4)))

    assert [(wave.domain, len(wave.hosts)) for wave in waves] == [("rack-a", 1), ("rack-a", 4), ("rack-b", 3)]


@pytest.mark.parametrize("text", ["0", "0%", "101%", "-1", "half", "5 %", ""])
def test_what_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        share(text)


def test_a_share_of_percent_is_rounded_up() -> None:
    assert share("25%").of(5) == 2
    assert share("1%").of(3) == 1
    assert share("7").of(3) == 7


def now(states: dict[str, str], **of_each: float) -> dict[str, HostNow]:
    return {host: HostNow.model_validate({"state": state, **of_each}) for host, state in states.items()}


WAVES = (
    Wave(number=1, hosts=("a",), canary=True),
    Wave(number=2, hosts=("b", "c")),
    Wave(number=3, hosts=("d", "e", "f", "g")),
)
ALL = dict.fromkeys("abcdefg", "waiting")


def test_nothing_else_starts_while_the_canary_works() -> None:
    assert decide(WAVES, Policy(), now(ALL), 0).start == ("a",)
    assert decide(WAVES, Policy(), now(ALL | {"a": "working"}), 0) == decide((), Policy(), {}, 0)


def test_a_failed_canary_halts_and_names_it() -> None:
    assert "a failed as canary" in decide(WAVES, Policy(max_fail=9), now(ALL | {"a": "bad"}), 0).halt


def test_one_failure_after_the_canary_is_tolerated_and_a_second_is_not() -> None:
    one = ALL | {"a": "good", "b": "bad", "c": "good"}

    assert decide(WAVES, Policy(), now(one), 0).start == ("d", "e", "f", "g")
    assert "b, c failed, --max-fail tolerates 1" in decide(WAVES, Policy(), now(one | {"c": "bad"}), 0).halt


def test_a_refused_canary_was_not_tried_so_the_next_wave_may_start() -> None:
    assert decide(WAVES, Policy(), now(ALL | {"a": "gone"}), 0).start == ("b", "c")


def test_when_nobody_is_left_to_be_spared_nothing_halts() -> None:
    assert decide(WAVES, Policy(), now(dict.fromkeys(ALL, "bad")), 0).halt == ""


def test_hosts_out_of_service_are_bounded_failed_ones_included() -> None:
    policy = Policy(max_unavailable=Share(number=2))
    after_one = ALL | {"a": "good", "b": "bad", "c": "good"}

    assert decide(WAVES, policy, now(after_one), 0).start == ("d",)
    assert decide(WAVES, policy, now(after_one | {"d": "working"}), 0).start == ()
    stuck = decide(WAVES, policy.model_copy(update={"max_fail": 5}), now(after_one | {"d": "bad"}), 0)
    assert "2 hosts are out of service, --max-unavailable allows 2" in stuck.halt


def test_a_wave_bakes_is_looked_at_and_only_then_the_next_starts() -> None:
    policy = Policy(bake=600)
    hosts = now(ALL) | {"a": HostNow(state="good", ended_at=1000)}

    assert decide(WAVES, policy, hosts, 1100).wait == 500
    assert decide(WAVES, policy, hosts, 1600).look == ("a",)
    looked = hosts | {"a": HostNow(state="good", ended_at=1000, looked=True)}
    assert decide(WAVES, policy, looked, 1600).start == ("b", "c")


def test_no_host_is_started_that_cannot_finish_in_the_window() -> None:
    policy = Policy(window=parse("Sat 01:00-05:00 Asia/Shanghai"))
    hosts = now(ALL, expected=7200)

    assert decide(WAVES, policy, hosts, SATURDAY_0100_SHANGHAI).start == ("a",)
    late = decide(WAVES, policy, hosts, SATURDAY_0100_SHANGHAI + 2 * 3600 + 1)
    assert "expected to take 120 min, the window closes Sat 2026-11-28 05:00 CST" in late.halt
    early = decide(WAVES, policy, hosts, SATURDAY_0100_SHANGHAI - 60)
    assert "is closed; it opens Sat 2026-11-28 01:00 CST" in early.halt


POLICIES = st.builds(
    Policy,
    canary=st.integers(0, 3),
    growth=st.sampled_from(Growth),
    ceiling=st.builds(Share, number=st.integers(1, 100), percent=st.booleans()),
    max_unavailable=st.none() | st.builds(Share, number=st.integers(1, 100), percent=st.booleans()),
    max_fail=st.integers(0, 4),
    bake=st.sampled_from([0.0, 60.0]),
)


@given(POLICIES, st.lists(st.sampled_from(["", "rack1", "rack2"]), min_size=1, max_size=40), st.randoms())
def test_whatever_happens_the_run_ends_and_keeps_its_promises(
    policy: Policy, racks: list[str], chance: random.Random
) -> None:
    hosts = {f"h{number:02}": rack for number, rack in enumerate(racks)}
    waves = cut(hosts, policy)
    assert sorted(host for wave in waves for host in wave.hosts) == sorted(hosts)
    assert all(len({hosts[host] for host in wave.hosts}) == 1 for wave in waves)
    states = {host: HostNow(state="waiting") for host in hosts}
    canaries = {host for wave in waves if wave.canary for host in wave.hosts}
    clock = 1000.0
    for _ in range(20 * len(hosts)):
        said = decide(waves, policy, states, clock)
        working = [host for host, state in states.items() if state.state == "working"]
        bad = [host for host, state in states.items() if state.state == "bad"]
        if said.start:
            assert not [host for host in bad if host in canaries], "a start after a failed canary"
            assert len([host for host in bad if host not in canaries]) <= policy.max_fail
            assert canaries >= set(said.start) or all(states[host].state in {"good", "gone"} for host in canaries)
            assert len(working) + len(said.start) <= max(policy.canary, policy.ceiling.of(len(hosts)))
            if policy.max_unavailable:
                assert len(working) + len(bad) + len(said.start) <= policy.max_unavailable.of(len(hosts))
            states |= {host: HostNow(state="working") for host in said.start}
        elif said.look:
            states |= {host: states[host].model_copy(update={"looked": True}) for host in said.look}
        elif said.wait is not None:
            clock += said.wait
        elif working:
            host = chance.choice(working)
            ending = chance.choice(["good", "good", "good", "bad", "gone"])
            clock += 10
            states[host] = HostNow(state=ending, ended_at=clock)
        else:
            waiting = [host for host, state in states.items() if state.state == "waiting"]
            assert bool(said.halt) == bool(waiting), "it ended with hosts that nobody halted"
            return
    raise AssertionError("the run never ended")
