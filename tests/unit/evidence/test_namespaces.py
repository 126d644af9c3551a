from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ascend_provision.evidence import namespaces
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import Occupant, Process
from ascend_provision.stack.model import Unknown

TEXT = """ns_id 0 identify 3f21c0 root_tgid 1 dev_num 2 namespace 00000000ffff8881(#), udev list:
logic_devid udevid
       0        0
       1        1


ns_id 1 identify 9a7 root_tgid 4242 dev_num 1 namespace 00000000abcd0002, udev list:
logic_devid udevid
       0        3


"""
SERVING = Process(pid=4242, name="python", state="S", ppid=4200)


def read(text: str = TEXT, **more: Any) -> tuple[Occupant, ...] | Unknown | None:
    evidence = replace(Evidence(name="uda.namespaces", status=0, text=text), **more)
    return namespaces.parse(evidence, (SERVING,)).facts


def test_every_namespace_has_its_cards_and_the_process_that_opened_them() -> None:
    assert read() == (
        Occupant(ns_id=0, root_tgid=1, devices=(0, 1), own=True),
        Occupant(ns_id=1, root_tgid=4242, devices=(3,), own=False, process=SERVING),
    )


def test_a_driver_without_the_file_is_none_and_an_empty_list_is_nobody() -> None:
    assert read("", status=None, note="not found") is None
    assert read("") == ()


@pytest.mark.parametrize(
    "text",
    [TEXT.replace("       0        3\n", ""), TEXT.replace("dev_num 1", "dev_num 2"), "ns 0 tgid 7\n", TEXT[:40]],
)
def test_a_cut_or_new_layout_is_unknown_and_not_nobody(text: str) -> None:
    assert isinstance(read(text), Unknown)
