from __future__ import annotations

from dataclasses import replace
from typing import Any

from ascend_provision.evidence import processes
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import Process
from ascend_provision.stack.model import Unknown

BOX = "fae80a4b8ca4bcf8e3dce5e69a8deb82b829dd6bcf9e6d594f080ec6e90b3d9d"
GROUP = f"/system.slice/docker-{BOX}.scope"
TEXT = f"""pid=632268 state=Z ppid=632100 uid=0 cgroup={GROUP} parent=vllm serve name=VLLM EngineCore
pid=97 state=S ppid=1 uid=1007 cgroup=/system.slice/mindie.service parent=systemd name=mindie
"""


def read(text: str = TEXT, **more: Any) -> tuple[Process, ...] | Unknown:
    return processes.parse(replace(Evidence(name="zombies", status=0, text=text), **more)).facts


def test_a_zombie_names_its_parent_and_the_container_it_was_in() -> None:
    found = read()

    assert not isinstance(found, Unknown)
    assert found == (
        Process(pid=97, name="mindie", state="S", ppid=1, parent="systemd", uid=1007, unit="mindie.service"),
        Process(pid=632268, name="VLLM EngineCore", state="Z", ppid=632100, parent="vllm serve", container=BOX),
    )


def test_no_such_section_on_an_old_record_is_nobody_and_a_cut_one_is_unknown() -> None:
    assert read("", status=None, note="not found") == ()
    assert read("") == ()
    assert isinstance(read(truncated=True), Unknown)
    assert isinstance(read("pid=1 state=\n"), Unknown)


def test_two_lists_make_one_with_each_process_once() -> None:
    found = read()
    assert not isinstance(found, Unknown)

    assert processes.both(found[:1], found) == found
    assert processes.both(Unknown(unknown="cut"), found) == Unknown(unknown="cut")
    assert processes.both(found, Unknown(unknown="npu-smi hung")) == Unknown(unknown="npu-smi hung")
