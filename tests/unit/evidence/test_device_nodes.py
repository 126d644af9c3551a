from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ascend_provision.evidence import device_nodes
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import DeviceNode
from ascend_provision.stack.model import Unknown

TEXT = """crw-rw---- 1 1000 1000 236,   0 Nov 30 15:49 /dev/davinci0
crw-rw---- 1 1000 1000 237, 0 Nov 30 15:49 /dev/davinci_manager
crw-rw---- 1 1000 1000 238, 0 Nov  3  2025 /dev/devmm_svm
crw-rw---- 1 1000 1000 235, 0 Nov 30 15:49 /dev/hisi_hdc
crw-rw----. 1 1000 1000 239, 196 Nov 30 15:49 /dev/vdavinci196
drwxr-xr-x 2 0 0 4096 Nov 30 15:49 /dev/davinci1
lrwxrwxrwx 1 0 0 8 Nov 30 15:49 /dev/davinci2 -> davinci0
"""


def read(text: str = TEXT, **more: Any) -> tuple[DeviceNode, ...] | Unknown:
    return device_nodes.parse(replace(Evidence(name="device.nodes", status=0, text=text), **more)).facts


def test_every_node_has_its_mode_and_owner() -> None:
    found = read()

    assert not isinstance(found, Unknown)
    assert [node.path.removeprefix("/dev/") for node in found] == [
        "davinci0", "davinci1", "davinci2", "davinci_manager", "devmm_svm", "hisi_hdc", "vdavinci196",
    ]  # fmt: skip
    assert found[0] == DeviceNode(path="/dev/davinci0", mode="crw-rw----", uid=1000, gid=1000)


def test_a_directory_in_the_place_of_a_node_is_no_device() -> None:
    found = read()

    assert not isinstance(found, Unknown)
    assert [node.is_device for node in found] == [True, False, False, True, True, True, True]


@pytest.mark.parametrize(
    "text", ["ls: cannot access\n", "crw-rw---- 1 HwHiAiUser x 236, 0 Nov 30 15:49 /dev/davinci0\n"]
)
def test_another_layout_is_unknown_and_not_a_host_without_nodes(text: str) -> None:
    assert isinstance(read(text), Unknown)


def test_none_at_all_is_an_answer() -> None:
    assert read("") == ()
    assert isinstance(read("", status=None, note="timed out after 5 s"), Unknown)
