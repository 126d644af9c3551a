"""The word of an operator to a run in another process."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.fleet.control import Control, Wish


def test_nobody_said_anything_so_it_goes_on(tmp_path: Path) -> None:
    assert Control(tmp_path).wish() is Wish.CONTINUE


@pytest.mark.parametrize("wish", Wish)
def test_what_is_said_in_one_process_is_heard_in_another(tmp_path: Path, wish: Wish) -> None:
    Control(tmp_path).say(wish)

    assert Control(tmp_path).wish() is wish
    assert wish.meaning


def test_a_word_that_is_none_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "control").write_text("faster\n")

    assert Control(tmp_path).wish() is Wish.CONTINUE
