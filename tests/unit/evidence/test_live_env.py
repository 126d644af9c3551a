from __future__ import annotations

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


def test_a_line_that_is_no_variable_is_told_and_not_taken() -> None:
    reading = live_env.parse(Evidence(name="holders.variables", status=0, text="F 4242\n lower=1\nF x\n"), (JOB,))

    assert reading.facts == (LiveEnv(pid=4242, name="pid 4242 python train.py", variables={}),)
    assert reading.unread == ("lower=1", "x")


def test_a_probe_that_did_not_end_is_unknown_and_an_empty_answer_is_nobody() -> None:
    assert isinstance(read("", 1), Unknown)
    assert isinstance(read("garbage\n"), Unknown)
    assert read("") == ()
