"""Ctrl-C once and twice."""

from __future__ import annotations

import os
import signal

from ascend_provision.cli.interrupt import FIRST, SECOND, Interrupt


def test_the_first_starts_no_more_the_second_stops_after_the_current_steps() -> None:
    said: list[str] = []
    before = signal.getsignal(signal.SIGINT)

    with Interrupt(said.append) as stop:
        assert (stop.is_set(), stop.now.is_set()) == (False, False)
        os.kill(os.getpid(), signal.SIGINT)
        assert (stop.is_set(), stop.now.is_set()) == (True, False)
        os.kill(os.getpid(), signal.SIGTERM)
        assert (stop.is_set(), stop.now.is_set()) == (True, True)
        os.kill(os.getpid(), signal.SIGINT)

    assert said == [FIRST, SECOND]
    assert signal.getsignal(signal.SIGINT) is before
