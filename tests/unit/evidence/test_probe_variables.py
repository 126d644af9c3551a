"""Which variables the probe takes from a host: those of the stack, from files, units and processes, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.stack.model import Unknown
from tests.unit.evidence.test_probe import SHELLS
from tests.unit.evidence.trees import Tree

PROFILE = """if [ -d /opt/x ]; then
    export HCCL_CONNECT_TIMEOUT=1200
else
    export HCCL_CONNECT_TIMEOUT=600
fi
export PYTORCH_ALLOC_CONF=expandable_segments:True API_TOKEN=hunter3
export PYTORCH_ALLOC_CONF=max_split_size_mb:64
"""
UNIT = """[Service]
Environment="HCCL_BUFFSIZE=400" DB_URL=postgres://u:hunter4@db
ExecStart=/bin/serve HCCL_X
"""


@pytest.mark.parametrize("shell", SHELLS, ids=[words[0] for words in SHELLS])
def test_variables_come_from_files_units_and_processes_and_nothing_else_does(tmp_path: Path, shell: list[str]) -> None:
    tree = Tree(tmp_path / "root")
    tree.file("etc/profile.d/serve.sh", PROFILE)
    tree.file("etc/systemd/system/serve.service", UNIT)
    tree.file("proc/4242/environ", "HOME=/root\0HCCL_BUFFSIZE=1048576\0ASCEND_HOME_PATH=/a\nb\0PASSWORD=hunter5\0")
    tree.file("proc/4242/cgroup", "0::/user.slice/user-1000.slice/session-3.scope\n")
    tree.file("proc/4242/status", "Name:\tpython\nUid:\t1000\t1000\t1000\t1000\n")
    tree.link("proc/4242/fd/3", "/dev/davinci0")
    found = tree.facts(shell)

    assert "hunter" not in tree.said
    assert not isinstance(found.env_files, Unknown)
    files = {file.path: file for file in found.env_files}
    assert files["/etc/profile.d/serve.sh"].variables["HCCL_CONNECT_TIMEOUT"] == "600"
    assert files["/etc/profile.d/serve.sh"].replaced == {"PYTORCH_ALLOC_CONF": ("expandable_segments:True",)}
    assert files["/etc/systemd/system/serve.service"].variables == {"HCCL_BUFFSIZE": "400"}
    assert not isinstance(found.live_env, Unknown)
    assert [(env.pid, env.variables) for env in found.live_env] == [
        (4242, {"HCCL_BUFFSIZE": "1048576", "ASCEND_HOME_PATH": "/a b"})
    ]
