"""Two `lab up` of one fleet go one after the other."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from ascend_provision.lab import turns
from ascend_provision.lab.places import FleetPlace


def test_the_second_waits_for_the_first(tmp_path: Path) -> None:
    place, order = FleetPlace("x", tmp_path / "x"), []

    def second() -> None:
        with turns.taken(place):
            order.append("second")

    with turns.taken(place):
        thread = threading.Thread(target=second)
        thread.start()
        time.sleep(0.1)
        order.append("first")
    thread.join()

    assert order == ["first", "second"]


def test_a_fleet_that_is_down_leaves_no_lock_file(tmp_path: Path) -> None:
    place = FleetPlace("x", tmp_path / "x")
    with turns.taken(place):
        pass

    turns.forget(place)

    assert list(tmp_path.iterdir()) == []


def test_a_lock_that_someone_holds_stays(tmp_path: Path) -> None:
    place = FleetPlace("x", tmp_path / "x")

    with turns.taken(place):
        turns.forget(place)
        assert [path.name for path in tmp_path.iterdir()] == [".x.up"]


def test_one_who_waited_while_the_file_was_removed_locks_the_new_one(tmp_path: Path) -> None:
    place, held = FleetPlace("x", tmp_path / "x"), []

    def waiter() -> None:
        with turns.taken(place):
            held.append((tmp_path / ".x.up").exists())

    with turns.taken(place):
        thread = threading.Thread(target=waiter)
        thread.start()
        time.sleep(0.1)
        (tmp_path / ".x.up").unlink()
    thread.join()

    assert held == [True]
