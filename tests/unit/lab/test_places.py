"""Where the lab keeps its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.lab import places
from ascend_provision.lab.errors import LabError


def test_the_environment_names_the_fleet_unless_the_command_line_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASCEND_LAB_NAME", "rack7")

    assert places.fleet_place().name == "rack7"
    assert places.fleet_place("rack8").name == "rack8"


def test_a_fleet_without_a_name_is_the_default_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASCEND_LAB_NAME", raising=False)

    assert places.fleet_place().name == "default"


@pytest.mark.parametrize("name", ["../etc", "A", "a b", "-x", "a/b", "x" * 32])
def test_a_name_that_is_no_directory_name_is_refused_with_an_example(name: str) -> None:
    with pytest.raises(LabError) as refused:
        places.fleet_place(name)

    assert (refused.value.code, refused.value.exit) == ("lab-fleet-name", 4)
    assert repr(name) in refused.value.what
    assert "--name" in refused.value.next


def test_directories_can_be_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASCEND_LAB_RUN", str(tmp_path / "run"))
    monkeypatch.setenv("ASCEND_LAB_CACHE", str(tmp_path / "cache"))

    assert places.fleet_place("x").dir == tmp_path / "run" / "x"
    assert places.cache_directory() == tmp_path / "cache"


def test_the_control_socket_of_the_longest_name_fits_a_unix_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASCEND_LAB_RUN", raising=False)
    longest = places.fleet_place("x" * 31)

    # Ansible's control socket: ten digits, and ssh appends a dot and 16 random letters while it is made
    for path in (longest.socket, longest.control_sockets / ("0" * 10 + "." + "x" * 16)):
        assert len(str(path)) < 108
