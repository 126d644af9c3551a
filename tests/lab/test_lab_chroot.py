"""The lab in a plain chroot (a rescue system, a build root), where `/` is no mount point and mounts are shared."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.lab

TREE = Path(__file__).resolve().parents[2]

# what the daemon does first, and then what every host's PID 1 does last; stays until it is told to go
IN_CHROOT = """
import os, sys
from pathlib import Path
from ascend_provision.lab import isolation, syscalls
isolation.leave_the_machine(Path("/run/root"))
syscalls.mount("lab", "/run/host", "tmpfs")
(Path("/run/host") / "inside").write_text("x")
os.chdir("/run/host")
syscalls.pivot_root_here()
print(os.listdir("/"), flush=True)
sys.stdin.readline()
"""

OUTSIDE = """
set -eu
mount --make-rshared /
cd "$1"
mkdir -p proc run/host dev usr
for name in bin sbin lib lib64; do [ ! -L /$name ] || ln -s "$(readlink /$name)" $name; done
for place in /usr "$2" "$3"; do mkdir -p "./$place"; mount --rbind "$place" "./$place"; done
mount -t proc proc proc
count() { wc -l </proc/self/mountinfo; }
before=$(count)
mkfifo ask answer
PYTHONPATH=$3 chroot . "$4" -c "$5" <ask >answer &
exec 8>ask 9<answer
read -r seen <&9
echo "$seen $(($(count) - before))"
echo go >&8
wait $!
"""


def test_no_mount_of_the_daemon_is_seen_outside_a_chroot_and_a_host_gets_a_root_of_its_own(tmp_path: Path) -> None:
    python = Path(sys.executable).resolve()

    ran = subprocess.run(
        ["unshare", "-m", "sh", "-c", OUTSIDE, "sh", str(tmp_path), sys.base_prefix, str(TREE), str(python), IN_CHROOT],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (ran.returncode, ran.stdout) == (0, "['inside'] 0\n"), ran.stderr
