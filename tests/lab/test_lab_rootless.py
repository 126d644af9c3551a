"""The same lab inside a user namespace, where nobody is the machine's root.

The test's namespace maps root to root, so that it needs no other user and no other image; for the kernel it is a user
namespace like any other: no device nodes, no trusted attributes, no rights over the machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.lab

_ENTER = """
import ctypes, os, sys
if ctypes.CDLL(None, use_errno=True).unshare(0x10000000): sys.exit("no user namespace")
print("entered", flush=True)
sys.stdin.readline()
os.execv(sys.argv[1], sys.argv[1:])
"""


def in_user_namespace(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command as root of a new user namespace."""
    inside = subprocess.Popen(
        [sys.executable, "-c", _ENTER, *command],
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert inside.stdout is not None
    if inside.stdout.readline() == "entered\n":
        for table in ("uid_map", "gid_map"):
            Path(f"/proc/{inside.pid}/{table}").write_text("0 0 65536\n")
    out, err = inside.communicate("mapped\n", timeout=120)
    return subprocess.CompletedProcess(command, inside.returncode, out, err)


@pytest.fixture(scope="module")
def rootless(lab):
    """A fleet of one bare host in a user namespace."""
    fleet = lab("rootless")
    command = [sys.executable, "-m", "ascend_provision.cli.main", "lab", "up", "--owner", str(os.getpid())]
    tree = str(Path(__file__).resolve().parents[2])
    environment = {"ASCEND_LAB_NAME": fleet.name, "ASCEND_LAB_ROOTLESS": "1", "PYTHONPATH": tree}
    ran = in_user_namespace(
        command, {**environment, "ASCEND_LAB_CACHE": "/var/cache/ascend-lab", "ASCEND_LAB_RUN": "/run/ascend-lab"}
    )
    if ran.returncode:
        pytest.fail(f"no rootless fleet: {ran.stderr}")
    return fleet


@pytest.fixture(scope="module", autouse=True)
def _image(lab):
    """The image is built as root before: its files then belong to the namespace's root too."""
    lab("image").do("image")


def test_its_daemon_is_in_a_user_namespace_of_its_own(rootless):
    daemon = rootless.status()["daemon"]

    assert Path(f"/proc/{daemon}/ns/user").readlink() != Path("/proc/self/ns/user").readlink()


def test_a_host_boots_systemd_and_reboots(rootless):
    before = rootless.boot_id("a1-1")

    assert rootless.ssh("a1-1", "systemctl is-system-running").stdout == "running\n"
    rootless.ssh("a1-1", "reboot")
    rootless.wait_for_another_boot("a1-1", before)


def test_its_npu_devices_are_plain_files_that_can_be_held_open(rootless):
    held = "sleep 20 </dev/.lab/davinci0 >/dev/null 2>&1 & fuser /dev/.lab/davinci0; kill $!"

    ran = rootless.ssh("a1-1", f"stat -c %F /dev/.lab/davinci0; {held}")

    kind, holder = ran.stdout.splitlines()
    assert kind == "regular empty file"
    assert holder.strip().isdigit()


def test_a_directory_of_the_image_can_be_replaced(rootless):
    ran = rootless.ssh("a1-1", "rm -r /usr/share/pam && mkdir /usr/share/pam && ls -A /usr/share/pam | wc -l")

    assert (ran.returncode, ran.stdout) == (0, "0\n")
