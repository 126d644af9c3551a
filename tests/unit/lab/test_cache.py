"""Directories that are built once, named by their content, and kept while a fleet uses them."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from pathlib import Path

import pytest

from ascend_provision.lab import cache
from ascend_provision.lab.errors import LabError


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASCEND_LAB_CACHE", str(tmp_path / "cache"))


def silent(_text: str) -> None:
    """Says nothing."""


def write_marker(directory: Path) -> None:
    (directory / "marker").write_text("built")


def fail_half_way(directory: Path) -> None:
    (directory / "half").write_text("x")
    raise RuntimeError("disk full")


def test_another_content_is_another_name() -> None:
    assert cache.content_name("img", [b"a", b"b"]) == cache.content_name("img", [b"a", b"b"])
    assert cache.content_name("img", [b"ab"]) != cache.content_name("img", [b"a", b"b"])


def test_byte_code_does_not_shape_a_name(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text("x")
    before = list(cache.tree_parts(tmp_path))
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_text("y")

    assert list(cache.tree_parts(tmp_path)) == before


def test_a_file_that_becomes_executable_gives_another_name(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text("x")
    before = list(cache.tree_parts(tmp_path))
    (tmp_path / "a.sh").chmod(0o755)

    assert list(cache.tree_parts(tmp_path)) != before


def test_what_is_there_is_not_built_again() -> None:
    first = cache.built("images", "img", "img-000000000001", write_marker, silent)

    assert cache.built("images", "img", "img-000000000001", fail_half_way, silent) == first


def test_a_build_that_fails_leaves_nothing_behind() -> None:
    with pytest.raises(RuntimeError):
        cache.built("images", "img", "img-000000000001", fail_half_way, silent)

    shelf = cache.cache_directory() / "images"
    assert list(shelf.iterdir()) == []


def test_what_a_killed_build_left_goes_with_the_next_build() -> None:
    left = cache.cache_directory() / "images" / ".img-000000000001.draft-4711"
    left.mkdir(parents=True)
    (left / "half").write_text("x")

    cache.built("images", "img", "img-000000000001", write_marker, silent)

    assert not left.exists()


def test_an_older_one_goes_when_its_successor_is_built() -> None:
    old = cache.built("images", "img", "img-000000000001", write_marker, silent)
    other = cache.built("images", "other", "other-000000000001", write_marker, silent)
    cache.built("images", "img", "img-000000000002", write_marker, silent)

    assert not old.exists()
    assert other.exists()


def test_an_older_one_that_a_fleet_uses_stays() -> None:
    old = cache.built("images", "img", "img-000000000001", write_marker, silent)
    handle = cache.hold(old)

    cache.built("images", "img", "img-000000000002", write_marker, silent)
    assert old.exists()

    os.close(handle)
    cache.built("images", "img", "img-000000000003", write_marker, silent)
    assert not old.exists()


def test_one_that_a_fleet_uses_is_not_built_again() -> None:
    used = cache.built("images", "img", "img-000000000001", write_marker, silent)
    handle = cache.hold(used)

    with pytest.raises(LabError, match="in use by a running fleet") as refused:
        cache.built("images", "img", "img-000000000001", write_marker, silent, rebuild=True)
    os.close(handle)

    assert refused.value.exit == 6
    assert (used / "marker").exists()


def test_two_that_want_the_same_build_it_once_and_the_second_says_that_it_waits() -> None:
    builds, said = [], []

    def slowly(directory: Path) -> None:
        builds.append(directory)
        time.sleep(0.3)

    def want() -> None:
        cache.built("layers", "l", "l-000000000001", slowly, said.append)

    both = [threading.Thread(target=want) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()

    assert len(builds) == 1
    assert said == ["waiting for another process that builds layers/l-000000000001…"]


def test_a_held_directory_is_locked_shared() -> None:
    held = cache.built("images", "img", "img-000000000001", write_marker, silent)
    handles = [cache.hold(held), cache.hold(held)]

    lock = cache.cache_directory() / "locks" / "images.img-000000000001.use"
    probe = os.open(lock, os.O_RDWR)
    with pytest.raises(BlockingIOError):
        fcntl.flock(probe, fcntl.LOCK_EX | fcntl.LOCK_NB)
    for handle in (*handles, probe):
        os.close(handle)
