"""What is kept of a scratch host as a stack's layer."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from ascend_provision.lab import layers


def upper(tmp_path: Path) -> Path:
    """What a scratch host wrote: software, identity, traces of its boots."""
    top = tmp_path / "u"
    for name, text in {
        "usr/local/Ascend/driver/version.info": "Version=1\n",
        "etc/hostname": "scratch-1\n",
        "etc/machine-id": "0\n",
        "etc/ssh/ssh_host_ed25519_key": "secret",
        "etc/ascend_install.info": "UserName=HwHiAiUser\n",
        "root/.ssh/authorized_keys": "key",
        "var/log/wtmp": "login",
        "var/log/ascend_seclog/ascend_install.log": "installed",
        "var/tmp/ascend-lab-stack/install.sh": "",
        "tmp/x": "",
    }.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    os.link(top / "etc/ascend_install.info", top / "etc/same")
    return top


def files(directory: Path) -> list[str]:
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file())


def test_the_software_and_its_logs_are_kept_and_the_identity_is_not(tmp_path: Path) -> None:
    base, target = tmp_path / "image", tmp_path / "layer"
    base.mkdir()
    target.mkdir()

    layers._keep(upper(tmp_path), base, target)

    assert files(target) == [
        "etc/ascend_install.info",
        "etc/same",
        "usr/local/Ascend/driver/version.info",
        "var/log/ascend_seclog/ascend_install.log",
    ]
    assert not (target / "root").exists()
    assert (target / "etc/same").stat().st_nlink == 2


def test_a_file_that_the_installer_deleted_stays_deleted(tmp_path: Path) -> None:
    base, target, source = tmp_path / "image", tmp_path / "layer", tmp_path / "u"
    for directory in (base, target, source):
        directory.mkdir()
    subprocess.run(["mknod", str(source / "gone"), "c", "0", "0"], check=True)

    layers._keep(source, base, target)

    assert (target / "gone").stat().st_rdev == 0
