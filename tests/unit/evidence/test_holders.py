from __future__ import annotations

import pytest

from ascend_provision.evidence import holders
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import Holder
from ascend_provision.stack.model import Unknown

BOX = "fae80a4b8ca4bcf8e3dce5e69a8deb82b829dd6bcf9e6d594f080ec6e90b3d9d"
DEVICES = """lr-x------ 1 root root 64 Nov 30 15:49 68/fd/3 -> /dev/davinci_manager
lrwx------ 1 alice users 64 Nov 30 15:49 4242/fd/30 -> /dev/davinci1
lrwx------ 1 alice users 64 Nov 30 15:49 4242/fd/31 -> /dev/davinci0
lrwx------ 1 alice users 64 Nov 30 15:49 4242/fd/32 -> /dev/davinci0 (deleted)
lrwx------ 1 root root 64 Nov 30 15:49 77/fd/4 -> /dev/hisi_hdc
"""
GROUPS = f"""pid=68 uid=0 cgroup=/system.slice/npu-exporter.service
pid=4242 uid=1000 cgroup=/user.slice/user-1000.slice/session-3.scope
pid=77 uid=0 cgroup=/system.slice/docker-{BOX}.scope
"""
COMMANDS = """pid=68 command=/usr/local/bin/npu-exporter -port=8082
pid=4242 command=python train.py pid=1 uid=0 cgroup=/forged
"""
ACCOUNTS = "root:x:0:0:root:/root:/bin/bash\nalice:x:1000:1000::/home/alice:/bin/bash\n"


def section(name: str, text: str, status: int = 0) -> Evidence:
    return Evidence(name=name, status=status, text=text)


def read(devices: str = DEVICES, root: bool = True) -> tuple[Holder, ...] | Unknown:
    return holders.parse(
        section("holders.devices", devices),
        section("holders.groups", GROUPS),
        section("holders.commands", COMMANDS),
        section("getent.holders", ACCOUNTS),
        root,
    ).facts


def test_every_holder_is_named_with_pid_user_command_and_where_it_belongs() -> None:
    assert read() == (
        Holder(
            pid=68,
            uid=0,
            user="root",
            command="/usr/local/bin/npu-exporter -port=8082",
            devices=("/dev/davinci_manager",),
            unit="npu-exporter.service",
        ),
        Holder(pid=77, uid=0, user="root", command="", devices=("/dev/hisi_hdc",), container=BOX),
        Holder(
            pid=4242,
            uid=1000,
            user="alice",
            command="python train.py pid=1 uid=0 cgroup=/forged",
            devices=("/dev/davinci0", "/dev/davinci1"),
            unit="session-3.scope",
        ),
    )


def test_nobody_is_a_fact_only_for_root() -> None:
    assert read("") == ()
    assert isinstance(read("", root=False), Unknown)


def test_a_process_that_ended_meanwhile_holds_nothing() -> None:
    assert read("lrwx------ 1 a a 64 Nov 30 15:49 999/fd/3 -> /dev/davinci0\n") == ()


@pytest.mark.parametrize(
    ("cgroup", "container", "unit"),
    [
        ("/system.slice/npu-exporter.service", None, "npu-exporter.service"),
        ("/system.slice/system-npu.slice/npu@1.service/work", None, "npu@1.service"),
        ("/system.slice/ssh.service", None, None),
        ("/system.slice/sshd@0-10.0.0.1:22-10.0.0.2:5000.service", None, None),
        ("/system.slice/cron.service", None, None),
        ("/system.slice/slurmd.service/job_7", None, None),
        ("/user.slice/user-1000.slice/user@1000.service/app.slice/mine.service", None, None),
        ("/user.slice/user-1000.slice/session-3.scope", None, "session-3.scope"),
        (f"/docker/{BOX}", BOX, None),
        (f"/system.slice/docker-{BOX}.scope", BOX, None),
        (f"/kubepods.slice/kubepods-pod1.slice/cri-containerd-{BOX}.scope", BOX, None),
        (f"/machine.slice/libpod-{BOX}.scope/container", BOX, None),
        ("/", None, None),
        ("", None, None),
    ],
)
def test_a_cgroup_path_names_the_container_or_the_service_that_runs_a_process(
    cgroup: str, container: str | None, unit: str | None
) -> None:
    assert holders.container(cgroup) == container
    assert holders.unit(cgroup) == unit


def test_an_open_socket_is_no_card_and_a_state_is_kept() -> None:
    links = "lrwx------ 1 root root 64 Nov 30 15:49 99/fd/7 -> socket:[424242]\n"
    groups = GROUPS.replace("pid=68 uid=0", "pid=68 state=D uid=0")
    found = holders.parse(
        section("holders.devices", DEVICES + links), section("holders.groups", groups),
        section("holders.commands", COMMANDS), section("getent.holders", ACCOUNTS), True,
    ).facts  # fmt: skip

    assert not isinstance(found, Unknown)
    assert [(holder.pid, holder.state) for holder in found] == [(68, "D"), (77, ""), (4242, "")]
