from __future__ import annotations

from typing import Any

import pytest

from ascend_provision.check import container_cards
from ascend_provision.stack.facts import Holder
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import ContainerSetup
from tests.unit.factories import a2_host, changed

ID = "c" * 64


def box(*nodes: str, **changes: Any) -> ContainerSetup:
    given = {"id": ID, "name": "serving", "running": True, "privileged": False, "nodes": nodes, "mounts": (),
             "variables": {}}  # fmt: skip
    return ContainerSetup(**{**given, **changes})


def test_the_cards_of_a_container_are_its_nodes() -> None:
    assert container_cards.seen(box("/dev/davinci3", "/dev/davinci_manager"), a2_host()) == 1


def test_a_privileged_one_sees_the_hosts() -> None:
    assert container_cards.seen(box(privileged=True), a2_host()) == 8


@pytest.mark.parametrize(("value", "count"), [("0", 1), ("0-2,5", 4), ("void", 0), ("", 0), ("3-1", 0)])
def test_the_ascend_runtime_gives_what_is_asked_for(value: str, count: int) -> None:
    asking = box(runtime="ascend", variables={"ASCEND_VISIBLE_DEVICES": value})

    assert container_cards.asked(asking) == count
    assert container_cards.seen(asking, a2_host()) == count


def test_names_of_cards_in_another_form_are_not_understood() -> None:
    assert isinstance(container_cards.asked(box(variables={"ASCEND_VISIBLE_DEVICES": "npu-910b-0"})), Unknown)


def test_another_runtime_gives_nothing_for_the_asking() -> None:
    assert container_cards.seen(box(runtime="runc", variables={"ASCEND_VISIBLE_DEVICES": "0-3"}), a2_host()) == 0


def test_a_process_sees_the_cards_of_its_container() -> None:
    inside = Holder(pid=7, uid=0, user="root", command="python", devices=("/dev/davinci3",), container=ID)
    outside = inside.model_copy(update={"pid": 8, "container": None})
    facts = changed(a2_host(), holders=(inside, outside), container_setups=(box("/dev/davinci3"),))

    assert container_cards.of_process(7, facts) == 1
    assert container_cards.of_process(8, facts) is None
    assert isinstance(container_cards.of_process(7, changed(facts, container_setups=())), Unknown)
