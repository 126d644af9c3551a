from __future__ import annotations

import re

from ascend_provision.evidence import container_lines
from ascend_provision.stack.evidence import Evidence

ROW = re.compile(r"C\|([0-9a-f]+)")
VARIABLE = re.compile(r"(ASCEND_[A-Z_]+)=(.*)")


def told(text: str) -> container_lines.ContainerLines:
    return container_lines.split(Evidence(name="docker", status=0, text=text), ROW, VARIABLE)


def test_variables_belong_to_the_container_named_before_them() -> None:
    found = told("C|a1\nC|b2\nE|a1\nASCEND_VISIBLE_DEVICES=0\nE|b2\nASCEND_VISIBLE_DEVICES=1=2\n")

    assert [row[1] for row in found.rows] == ["a1", "b2"]
    assert found.variables == {"a1": {"ASCEND_VISIBLE_DEVICES": "0"}, "b2": {"ASCEND_VISIBLE_DEVICES": "1=2"}}
    assert found.unread == ()


def test_one_that_ended_meanwhile_is_no_failure_and_anything_else_is_not_understood() -> None:
    found = told("Error: No such container: b2\nASCEND_VISIBLE_DEVICES=0\nC|a1\nE|a1\nPASSWORD=x\n")

    assert found.unread == ("ASCEND_VISIBLE_DEVICES=0", "PASSWORD=x"), "before any container, and not one of ours"
    assert (
        "docker: not understood: ASCEND_VISIBLE"
        in container_lines.not_understood(Evidence(name="docker"), found.unread).unknown
    )


def test_variables_of_a_container_that_is_not_in_the_list_are_not_understood() -> None:
    assert told("C|a1\nE|a[1\nASCEND_VISIBLE_DEVICES=0\n").unread == ("E|a[1",)


def test_a_container_told_twice_and_one_with_a_byte_of_no_text_are_not_understood() -> None:
    assert told("C|a1\nC|a1\n").unread == ("C|a1",)
    assert told("C|a1\nC|b\ufffd\n").unread == ("C|b\ufffd",)
