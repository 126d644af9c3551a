from __future__ import annotations

import pytest

from ascend_provision.evidence import live_env
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import Holder
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import LiveEnv

JOB = Holder(pid=4242, uid=1000, user="alice", command="python train.py", devices=("/dev/davinci0",))
TEXT = """F 4242
 HCCL_BUFFSIZE=200
 LD_LIBRARY_PATH=/a:/b=c
F 4243
"""


def read(text: str, status: int = 0) -> tuple[LiveEnv, ...] | Unknown:
    return live_env.parse(Evidence(name="holders.variables", status=status, text=text), (JOB,)).facts


def test_each_process_comes_with_its_command_and_its_variables() -> None:
    assert read(TEXT) == (
        LiveEnv(
            pid=4242,
            name="pid 4242 python train.py",
            variables={"HCCL_BUFFSIZE": "200", "LD_LIBRARY_PATH": "/a:/b=c"},
        ),
        LiveEnv(pid=4243, name="pid 4243", variables={}),
    )


def test_who_cannot_see_the_holders_does_not_see_their_variables() -> None:
    why = Unknown(unknown="only root can see")

    assert live_env.parse(Evidence(name="holders.variables", status=0), why).facts == why


@pytest.mark.parametrize("line", [" lower=1", "F x", " HCCL_BUFF"])
def test_a_line_that_is_no_variable_makes_all_unknown_for_it_may_have_been_one(line: str) -> None:
    reading = live_env.parse(Evidence(name="holders.variables", status=0, text=f"F 4242\n{line}\n"), (JOB,))

    assert isinstance(reading.facts, Unknown)
    assert reading.unread == (line.removeprefix("F ").strip(),)


def test_a_probe_that_did_not_end_is_unknown_and_an_empty_answer_is_nobody() -> None:
    assert isinstance(read("", 1), Unknown)
    assert isinstance(read("garbage\n"), Unknown)
    assert read("") == ()
