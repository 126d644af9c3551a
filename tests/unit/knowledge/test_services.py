from __future__ import annotations

from ascend_provision.knowledge import rows, services
from ascend_provision.stack.facts import Holder

JOB = Holder(pid=4242, uid=1007, user="alice", command="python", devices=("/dev/davinci0", "/dev/davinci1"))


def test_every_unit_is_known_with_and_without_its_suffix_and_as_an_instance() -> None:
    for row in rows.table("services", "services", services.CardService):
        stem = row.unit.removesuffix(".service")
        for name in (row.example, stem, f"{stem}@0.service"):
            assert services.find(name) == row
        assert row.unit in services.known()


def test_a_unit_nobody_listed_is_not_known() -> None:
    assert services.find("sshd.service") is None


def test_a_holder_is_named_with_pid_user_unit_and_container() -> None:
    full = JOB.model_copy(update={"unit": "npu-exporter.service", "container": "8f3a" * 16, "user": ""})

    assert services.describe(full) == (
        "pid 4242 python (1007) of npu-exporter.service (monitoring agent that polls every card) "
        "in container 8f3a8f3a8f3a on davinci0, davinci1"
    )


def test_a_long_command_line_is_cut() -> None:
    long = JOB.model_copy(update={"command": "python " + "train.py " * 40})

    assert "train.py tra" in services.describe(long)
    assert len(services.describe(long)) < 120
