from __future__ import annotations

import pytest

from ascend_provision.evidence import containers
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import Container
from ascend_provision.stack.model import Unknown

ID = "a" * 64
OTHER = "b" * 64
TEXT = f"""C|{ID}|true|false|always|/serving|/dev/davinci1 /dev/davinci_manager /dev/fuse
C|{OTHER}|false|true||/old job|
E|{ID}
ASCEND_VISIBLE_DEVICES=0,2-3
E|{OTHER}
"""
ABSENT = Evidence(name="podman", note="not found")


def read(text: str, status: int = 0) -> tuple[Container, ...] | Unknown:
    return containers.parse((Evidence(name="docker", status=status, text=text), ABSENT), {ID[:12]}).facts


def test_containers_come_with_restart_policy_and_their_cards() -> None:
    assert read(TEXT) == (
        Container(id=OTHER, name="old job", running=False, restart="", devices=(), privileged=True),
        Container(
            id=ID,
            name="serving",
            running=True,
            restart="always",
            devices=("/dev/davinci0", "/dev/davinci1", "/dev/davinci2", "/dev/davinci3", "/dev/davinci_manager"),
            held=True,
        ),
    )


def test_a_container_that_was_removed_meanwhile_is_no_failure() -> None:
    assert read(f"Error: No such object: {ID}\n") == ()


def test_a_docker_whose_daemon_does_not_answer_is_unknown_and_not_without_containers() -> None:
    found = read("Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is it running?\n", 1)

    assert isinstance(found, Unknown)
    assert "Cannot connect to the Docker daemon" in found.unknown


def test_a_host_without_a_container_runtime_has_no_containers() -> None:
    assert containers.parse((Evidence(name="docker", note="not found"), ABSENT), ()).facts == ()


@pytest.mark.parametrize(
    ("value", "cards"),
    [("0", (0,)), ("0-2,5", (0, 1, 2, 5)), ("void", ()), ("npu-910b-0", ()), ("", ()), ("9999-9", ()), ("3-", ())],
)
def test_visible_devices_of_the_ascend_runtime(value: str, cards: tuple[int, ...]) -> None:
    assert containers.cards(value) == tuple(f"/dev/davinci{card}" for card in cards)


def test_a_container_whose_setup_was_told_is_missing_in_a_list_that_lost_it() -> None:
    listed = (Evidence(name="docker", status=0, text=TEXT), ABSENT)
    setup = Evidence(name="docker.setup", status=0, text=f"S|{'e' * 64}|false|0|private|runc||\nE|{'e' * 64}\n")
    known = Evidence(name="docker.setup", status=0, text=f"S|{ID}|false|0|private|runc||\nE|{ID}\n")

    assert isinstance(containers.parse(listed, (), (setup, ABSENT)).facts, Unknown)
    assert containers.parse(listed, (), (known, ABSENT)).facts == containers.parse(listed, ()).facts
