from __future__ import annotations

from ascend_provision.evidence import disks
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import Disk
from ascend_provision.stack.model import Unknown

HEAD = "Filesystem     1024-blocks     Used Available Capacity Mounted on\n"
TEXT = HEAD + (
    "/dev/mapper/vg-root   52403200 21000000  31403200      41% /\n"
    "tmpfs                  8388608        0   8388608       0% /tmp\n"
    "/dev/sdb1            104857600  1024000 103833600       1% /usr/local\n"
    "/dev/mapper/vg-root   52403200 21000000  31403200      41% /\n"
)


def read(text: str) -> tuple[Disk, ...] | Unknown:
    return disks.parse(Evidence(name="disks", status=0, text=text)).facts


def test_each_directory_asked_about_has_the_space_of_its_own_file_system() -> None:
    assert read(TEXT) == (
        Disk(path="/usr/local", free_mb=101400, total_mb=102400),
        Disk(path="/tmp", free_mb=8192, total_mb=8192),
        Disk(path="/var", free_mb=30667, total_mb=51175),
        Disk(path="/root", free_mb=30667, total_mb=51175),
        Disk(path="/boot", free_mb=30667, total_mb=51175),
    )


def test_a_full_disk_with_less_than_nothing_is_zero() -> None:
    found = read(HEAD + "/dev/sda1 100 100 -5 100% /\n")

    assert not isinstance(found, Unknown)
    assert found[0].free_mb == 0


def test_output_without_the_head_is_unknown() -> None:
    assert isinstance(read("/dev/sda1 100 100 0 100% /\n"), Unknown)
    assert isinstance(read(HEAD), Unknown)
