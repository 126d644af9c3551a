"""What the machine under the lab lacks is named, with the command that brings it."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest

from ascend_provision.lab import machine
from ascend_provision.lab.errors import LabError


def test_a_missing_program_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(machine, "_SYSTEM_PROGRAMS", ())

    with pytest.raises(LabError) as refused:
        machine.require_programs({"mmdebstrap": "mmdebstrap", "ip": "iproute2", "ssh": "openssh-client"})

    assert "`mmdebstrap`, `ip`, `ssh`" in refused.value.what
    assert refused.value.next == "apt-get install -y iproute2 mmdebstrap openssh-client"
    assert refused.value.exit == 4


def test_an_ordinary_users_path_is_no_reason_to_miss_ip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")

    machine.require_programs({"ip": "iproute2"})

    assert os.environ["PATH"] == "/usr/bin:/bin:/usr/sbin:/sbin"


class FakeFiles:
    """Some files of a machine, by path."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, files: dict[str, str]) -> None:
        self.files = files
        monkeypatch.setattr(Path, "exists", lambda path: str(path) in files)
        monkeypatch.setattr(Path, "read_text", lambda path: files[str(path)])


USER = pwd.getpwuid(os.getuid()).pw_name
FIT = {"/etc/subuid": f"{USER}:100000:65536\n", "/etc/subgid": f"{USER}:100000:65536\n"}


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({**FIT, "/proc/sys/user/max_user_namespaces": "0\n"}, "user.max_user_namespaces=0"),
        ({**FIT, "/proc/sys/kernel/unprivileged_userns_clone": "0\n"}, "kernel.unprivileged_userns_clone=0"),
        ({**FIT, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1\n"}, "AppArmor"),
        ({"/etc/subuid": "other:1:1\n", "/etc/subgid": FIT["/etc/subgid"]}, f"/etc/subuid gives {USER} no ids"),
        ({"/etc/subuid": FIT["/etc/subuid"]}, f"/etc/subgid gives {USER} no ids"),
    ],
    ids=["none allowed", "debian switch", "ubuntu 24.04", "no subuid", "no subgid"],
)
def test_the_reason_why_a_user_cannot_have_a_lab_is_named(
    monkeypatch: pytest.MonkeyPatch, files: dict[str, str], reason: str
) -> None:
    FakeFiles(monkeypatch, files)

    found = machine.why_no_user_namespace()

    assert found is not None
    assert reason in found.what
    assert "sudo" in found.next


def test_nothing_speaks_against_a_user_with_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    FakeFiles(monkeypatch, {**FIT, "/proc/sys/user/max_user_namespaces": "63000\n"})

    assert machine.why_no_user_namespace() is None


def test_root_without_its_rights_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"/proc/self/ns/pid": "", "/proc/self/status": "Name:\tx\nCapEff:\t00000000a80425fb\n"}
    FakeFiles(monkeypatch, files)

    with pytest.raises(LabError, match="CAP_SYS_ADMIN") as refused:
        machine.require_kernel()

    assert "--privileged" in refused.value.next
