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
    found = told("Error: No such container: a1\nASCEND_VISIBLE_DEVICES=0\nE|a1\nPASSWORD=x\n")

    assert found.unread == ("ASCEND_VISIBLE_DEVICES=0", "PASSWORD=x"), "before any container, and not one of ours"
    assert (
        "docker: not understood: ASCEND_VISIBLE"
        in container_lines.not_understood(Evidence(name="docker"), found.unread).unknown
    )
