"""Leases that stay alive while their run does."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from ascend_provision.fleet.heartbeat import beating


def test_what_is_held_now_is_renewed_again_and_again_and_a_failure_does_not_end_it() -> None:
    held = {"a": 1}
    beats: list[Mapping[str, int]] = []
    thrice = threading.Event()

    def renew(tokens: Mapping[str, int]) -> None:
        beats.append(tokens)
        held["b"] = 2
        if len(beats) == 3:
            thrice.set()
        raise ConnectionError("the network is away")

    with beating(lambda: held, renew, 0.01):
        assert thrice.wait(10)

    assert beats[:2] == [{"a": 1}, {"a": 1, "b": 2}]


def test_it_ends_with_the_block_and_asks_nobody_when_nothing_is_held() -> None:
    beats: list[Mapping[str, int]] = []

    with beating(dict, beats.append, 0.001):
        threading.Event().wait(0.05)

    assert beats == []
    assert "lease-heartbeat" not in {thread.name for thread in threading.enumerate()}
