"""Hosts without systemd: sshd is PID 1, and the power commands go straight to the kernel."""

from __future__ import annotations

from pathlib import Path

_HARDWARE = "/opt/ascend-lab/boot/light"
INIT = (
    "/bin/sh",
    "-c",
    f"mkdir -p /run/sshd /run/lock; [ ! -x {_HARDWARE} ] || {_HARDWARE}; exec /usr/sbin/sshd -D -e",
)
# a moment later, so that the SSH session which asked for it can end
_POWER = """#!/bin/sh
# stands in for {name}: there is no systemd here that could do it
(sleep 0.3; SYSTEMCTL_SKIP_SYNC=1 exec systemctl {what} -ff) >/dev/null 2>&1 </dev/null &
"""
_SHUTDOWN = """#!/bin/sh
# stands in for shutdown: there is no systemd here that could do it
what=poweroff
for word in "$@"; do
    case $word in -r | --reboot) what=reboot ;; esac
done
exec /usr/sbin/$what
"""


def write(upper: Path) -> None:
    """Put the power commands into a host's upper directory."""
    directory = upper / "usr/sbin"
    directory.mkdir(parents=True, exist_ok=True)
    texts = {name: _POWER.format(name=name, what=name) for name in ("reboot", "poweroff")}
    for name, text in {**texts, "shutdown": _SHUTDOWN}.items():
        (directory / name).write_text(text)
        (directory / name).chmod(0o755)
