"""The boot unit that plays BIOS and kernel (tools/bin/boot), before sshd and anything that uses the NPUs."""

from __future__ import annotations

from pathlib import Path

from ascend_provision.lab.ascend.files import write

HARDWARE_UNIT = "ascend-lab-hardware.service"
_UNITS = "etc/systemd/system"

_HARDWARE = """[Unit]
Description=Simulated Ascend hardware of a lab host
Before=ssh.service multi-user.target
After=local-fs.target systemd-tmpfiles-setup.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/opt/ascend-lab/bin/boot

[Install]
WantedBy=multi-user.target
"""

# without systemd a host's launcher runs this before it starts sshd
_LIGHT = """#!/bin/sh
/opt/ascend-lab/bin/boot
[ ! -d /opt/ascend-lab/docker ] || /opt/ascend-lab/bin/dockerd start
"""


def write_unit(root: Path, name: str, text: str, *, wanted_by: str = "multi-user.target") -> None:
    """Write a unit and enable it."""
    write(root / _UNITS / name, text)
    wants = root / _UNITS / f"{wanted_by}.wants"
    wants.mkdir(parents=True, exist_ok=True)
    link = wants / name
    if link.is_symlink():
        link.unlink()
    link.symlink_to(f"/{_UNITS}/{name}")


def write_hardware_unit(root: Path) -> None:
    """Write and enable the boot unit, and its stand-in for a host without systemd."""
    write_unit(root, HARDWARE_UNIT, _HARDWARE)
    write(root / "opt/ascend-lab/boot/light", _LIGHT, 0o755)
