from __future__ import annotations

from dataclasses import replace
from typing import Any

from ascend_provision.evidence import mounts
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import Mount
from ascend_provision.stack.model import Unknown


def read(text: str, **more: Any) -> tuple[Mount, ...] | Unknown:
    return mounts.parse(replace(Evidence(name="mounts", status=0, text=text), **more)).facts


def test_the_last_mount_on_a_point_is_the_one_that_is_seen() -> None:
    found = read("/ ext4 rw,relatime\n/tmp tmpfs rw\n/tmp tmpfs rw,nosuid,noexec,size=1g\n")

    assert found == (
        Mount(point="/", kind="ext4", options=("rw", "relatime")),
        Mount(point="/tmp", kind="tmpfs", options=("rw", "nosuid", "noexec", "size=1g")),
    )


def test_a_list_without_a_root_or_of_another_form_is_unknown() -> None:
    assert isinstance(read("/tmp tmpfs rw\n"), Unknown)
    assert isinstance(read("/ ext4\n"), Unknown)
    assert isinstance(read("", status=None, note="not readable"), Unknown)


def test_a_mount_point_with_a_byte_of_no_text_may_be_any() -> None:
    assert isinstance(read("/ ext4 rw\n/t\x15p tmpfs rw,noexec\n"), Unknown)
    assert isinstance(read("/ ext4 rw\n/tmp tmpfs rw,noe\u00b2xec\n"), Unknown)
