"""What each role does to a host and what it leaves alone, on simulated hosts."""

from __future__ import annotations

import hashlib
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.lab.role_plays import STATE, Roles, changed, log

pytestmark = pytest.mark.lab
UNIT = "npu-exporter.service"


@pytest.fixture(scope="module")
def roles(lab: Any, tmp_path_factory: pytest.TempPathFactory) -> Roles:
    fleet = lab("steps")
    (host,) = fleet.up(1, "atlas-800-9000", "hdk22")
    return Roles(fleet, host, tmp_path_factory.mktemp("plays"))


def reboot(roles: Roles) -> None:
    before = roles.fleet.boot_id(roles.host)
    roles.fleet.do("power", "reset", roles.host)
    roles.fleet.wait_for_another_boot(roles.host, before)


def test_what_quiesce_stopped_stays_stopped_over_a_reboot_until_release(roles: Roles) -> None:
    roles.take()
    box = roles.sh("docker ps -q").split()[0]
    admins = "/etc/systemd/system/npu-exporter.service.d/10-admin.conf"
    roles.sh(f"mkdir -p {Path(admins).parent} && printf '[Unit]\\nDescription=mine\\n' >{admins}")
    policy = roles.sh(f"docker inspect --format '{{{{.HostConfig.RestartPolicy.Name}}}}' {box}").strip()
    held = {"units": [UNIT, "never-heard-of.service"], "containers": [{"id": box, "restart": policy}]}

    assert changed(roles.run("quiesce", "stop", **held))
    reboot(roles)
    assert roles.fleet.ssh(roles.host, f"systemctl is-active {UNIT}").stdout == "inactive\n"
    assert roles.sh("docker ps -q") == ""
    assert not changed(roles.run("quiesce", "stop", **held))

    released = roles.run("release", "host", units=held["units"], containers=[box])

    assert changed(released)
    assert roles.sh(f"systemctl is-active {UNIT}") == "active\n"
    assert roles.sh("docker ps -q").split() == [box]
    assert roles.sh(f"docker inspect --format '{{{{.HostConfig.RestartPolicy.Name}}}}' {box}").strip() == policy
    assert roles.sh(f"cat {admins}") == "[Unit]\nDescription=mine\n"
    assert roles.sh(f"ls /etc/systemd/system/{UNIT}.d {STATE}/hold").split() == [
        f"/etc/systemd/system/{UNIT}.d:",
        "10-admin.conf",
        f"{STATE}/hold:",
        "containers",
        "running",
        "units",
    ]
    assert roles.sh(f"test ! -e {STATE}/lease && echo given back") == "given back\n"


def test_what_an_installer_dropped_comes_back_byte_for_byte(roles: Roles) -> None:
    roles.take()
    roles.sh("chmod 0640 /etc/hccn.conf && chgrp HwHiAiUser /etc/hccn.conf")
    look = "sha256sum /etc/hccn.conf; stat -c '%a %U:%G' /etc/hccn.conf; hccn_tool -i 3 -ip -g"
    before = roles.sh(look)
    paths = ["/etc/hccn.conf", "/etc/vnpu.cfg", "/etc/profile.d", "/etc/nothing-here"]

    assert changed(roles.run("backup", "save", paths=paths))
    roles.sh("echo 'export A=1' >/etc/profile.d/late.sh")
    assert not changed(roles.run("backup", "save", paths=paths))
    assert "missing - - /etc/nothing-here" in roles.sh(f"cat {STATE}/backups/r1/manifest")
    assert "late.sh" not in roles.sh(f"cat {STATE}/backups/r1/manifest")

    roles.sh(
        "hccn_tool -i 3 -ip -s address 10.9.9.9 netmask 255.255.255.0; : >/etc/hccn.conf; chmod 0600 /etc/hccn.conf"
    )
    done = roles.run("backup", "restore", paths=["/etc/hccn.conf", "/etc/vnpu.cfg"])

    assert "put back /etc/hccn.conf" in log(done)
    assert roles.sh(look) == before
    assert not changed(roles.run("backup", "restore", paths=["/etc/hccn.conf", "/etc/vnpu.cfg"]))


def test_cleanup_takes_what_is_listed_and_leaves_what_is_foreign(roles: Roles) -> None:
    roles.take()
    # A driver that is gone, with what its uninstaller leaves and what others put beside it.
    roles.sh(
        "mv /usr/local/Ascend/driver /root/driver; cd /usr/local/Ascend;"
        " mkdir -p gone kept /var/lib/dkms/davinci_ascend /var/log/npu/slog /root/ascend_check"
        " /tmp/selfgz4242 /tmp/selfgzX /srv/real; echo mine >kept/file;"
        " ln -s /usr/local/Ascend/gone/x dangling; ln -s /usr/local/Ascend/kept live;"
        " ln -s /nowhere /usr/local/bin/other;"
        " echo log >/var/log/npu/slog/a; ln -s /srv/real /usr/local/Ascend/door; mkdir /srv/real/empty;"
        " echo rotate >/etc/logrotate.d/HwHiAiUser_logrotate; echo rotate >/etc/logrotate.d/nginx"
    )
    takes = {
        "dkms-tree": "/var/lib/dkms/davinci_ascend",
        "unpacked-package": "/tmp/selfgz4242",
        "logrotate": "/etc/logrotate.d/HwHiAiUser_logrotate",
        "empty-directory": "/usr/local/Ascend/gone",
        "dangling-link": "/usr/local/Ascend/dangling",
        "device-log": "/var/log/npu",
        "check-directory": "/root/ascend_check",
    }
    leaves = [
        ("empty-directory", "/usr/local/Ascend"),
        ("empty-directory", "/usr/local/Ascend/kept"),
        ("empty-directory", "/usr/local/Ascend/door/empty"),
        ("empty-directory", "/usr/local/Ascend/kept/../kept"),
        ("dangling-link", "/usr/local/Ascend/live"),
        ("dangling-link", "/usr/local/bin/other"),
        ("unpacked-package", "/tmp/selfgzX"),
        ("logrotate", "/etc/logrotate.d/nginx"),
        ("dkms-tree", "/var/lib/dkms"),
        ("install-info", "/etc/ascend_install.info"),
        ("something-new", "/etc/hccn.conf"),
    ]
    items = [{"kind": kind, "path": path} for kind, path in [*takes.items(), *leaves]]
    done = roles.run("cleanup", "remove", items=items, archive=f"{STATE}/archive/r1")
    gone = [path for path in takes.values() if roles.fleet.ssh(roles.host, f"test ! -e {path}").returncode]
    lost = [path for _, path in leaves if roles.fleet.ssh(roles.host, f"test -e {path} || test -L {path}").returncode]
    again = roles.run("cleanup", "remove", items=items, archive=f"{STATE}/archive/r1")
    roles.sh("mv /root/driver /usr/local/Ascend/driver")

    assert changed(done)
    assert gone == []
    assert lost == []
    assert len([line for line in log(done) if line.startswith("stays: ")]) == len(leaves)
    assert roles.sh(f"cat {STATE}/archive/r1/var/log/npu/slog/a") == "log\n"
    assert not changed(again)


def test_a_profile_is_written_whole_and_the_one_before_is_kept(roles: Roles) -> None:
    roles.take()
    path, unit = "/etc/profile.d/ascend-provision.sh", "/etc/ascend-provision/ascend.env"
    text = "# It's ours\nexport PYTORCH_NPU_ALLOC_CONF='expandable_segments:True'\n\n"
    files = {"path": path, "content": text, "unit_path": unit, "unit_content": "A=1\n"}
    roles.sh(f"echo old >{path}; chmod 0600 {path}")

    assert changed(roles.run("env_profile", "write", **files))
    assert roles.sh(f"cat {path}; stat -c '%a %U:%G' {path} {unit}") == text + "644 root:root\n" * 2
    assert roles.sh(f"cat {STATE}/backups/r1/env-profile{path}") == "old\n"
    assert not changed(roles.run("env_profile", "write", **files))


def staged(roles: Roles, text: str) -> dict[str, str]:
    """An installer put on the host without the role `stage`, as a package of a step."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    path = f"{STATE}/packages/{digest}/x.run"
    roles.sh(f"mkdir -p {Path(path).parent} && printf %s {shlex.quote(text)} >{path} && chmod 0700 {path}")
    return {"path": path, "sha256": digest}


def test_a_failed_driver_says_what_was_seen_and_what_the_host_is_now(roles: Roles) -> None:
    roles.take()
    package = staged(roles, '#!/bin/sh\necho "[ERROR]The DKMS build failed"; exit 1')
    done = roles.run("hdk", "install", component="driver", package=package, arguments=["--full"])

    assert done.failed
    for part in (
        f"driver-install failed with status 1 on {roles.host}: [ERROR]The DKMS build failed",
        f"(log there: {STATE}/steps/driver-install.log)",
        "The host now: driver 22.0.4, firmware",
        "driver modules are loaded",
        "run the same `ascend-provision upgrade` again",
    ):
        assert part in done.failed.message
    (result,) = done.results("guarded")
    assert result.result["log"] == ["[ERROR]The DKMS build failed"]


def test_a_package_that_is_not_the_planned_one_is_never_run(roles: Roles) -> None:
    roles.take()
    package = staged(roles, "#!/bin/sh\ntouch /root/ran")
    digest, package["sha256"] = package["sha256"], "0" * 64
    done = roles.run("hdk", "install", component="firmware", package=package, arguments=["--full"])

    assert done.failed
    assert f"has sha256 {digest}" in done.failed.message
    assert "Nothing was changed" in done.failed.message
    assert roles.fleet.ssh(roles.host, "test ! -e /root/ran").returncode == 0


def test_a_user_with_another_id_is_refused_not_changed(roles: Roles) -> None:
    roles.take()
    before = roles.sh("getent passwd HwHiAiUser")
    done = roles.run("prepare", "host", user="HwHiAiUser", group="HwHiAiUser", uid=4711)

    assert done.failed
    assert "has uid" in done.failed.message
    assert "4711" in done.failed.message
    assert roles.sh("getent passwd HwHiAiUser") == before


def test_a_reboot_is_proved_once_and_a_dead_host_is_named(roles: Roles) -> None:
    roles.take()
    before = roles.fleet.boot_id(roles.host)
    options = {"step": "reboot-final", "reason": "the flash", "expected_boot_id": before, "timeout": 60}

    assert changed(roles.run("reboot", "host", **options))
    after = roles.fleet.boot_id(roles.host)
    assert not changed(roles.run("reboot", "host", **options))
    assert before != after == roles.fleet.boot_id(roles.host)
    assert "state=done" in roles.sh(f"cat {STATE}/record")

    roles.fleet.do("fault", roles.host, "reboot-never-returns")
    dead = roles.run("reboot", "host", **{**options, "expected_boot_id": after, "timeout": 8})

    assert dead.failed
    for part in (f"{roles.host} has not come back ", "(the flash)", "does not answer", "BMC"):
        assert part in dead.failed.message
