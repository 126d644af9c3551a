"""What the machine under the lab must have: programs and rights, named before anything is started."""

from __future__ import annotations

import os
import pwd
import shutil
from pathlib import Path

from ascend_provision.lab.errors import LabError
from ascend_provision.lab.places import rootless

# program -> Debian package that brings it
RUN_PROGRAMS = {
    "ip": "iproute2",
    "ssh": "openssh-client",
    "ssh-keygen": "openssh-client",
    "nsenter": "util-linux",
    "unshare": "util-linux",
}
BUILD_PROGRAMS = {"mmdebstrap": "mmdebstrap"}
ROOTLESS_PROGRAMS = {"newuidmap": "uidmap", "newgidmap": "uidmap"}
_SYSTEM_PROGRAMS = ("/usr/sbin", "/sbin")
_CAP_SYS_ADMIN = 21


def require_programs(programs: dict[str, str]) -> None:
    """LabError that names the missing programs and the command that installs them.

    Also makes this process see the administrator's programs: an ordinary user's PATH on Debian lacks /usr/sbin.
    """
    search = os.environ.get("PATH", os.defpath).split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join([*search, *(place for place in _SYSTEM_PROGRAMS if place not in search)])
    missing = [name for name in programs if not shutil.which(name)]
    if missing:
        packages = sorted({programs[name] for name in missing})
        raise LabError(
            code="lab-programs-missing",
            what=f"the lab needs {', '.join(f'`{name}`' for name in missing)}, not found on this machine",
            next=f"apt-get install -y {' '.join(packages)}",
        )


def require_kernel() -> None:
    """LabError when /proc, the namespaces or overlayfs are not there."""
    if not Path("/proc/self/ns/pid").exists():
        raise LabError(
            code="lab-no-proc",
            what="/proc is not mounted, the lab cannot start hosts without it",
            next="mount -t proc proc /proc",
        )
    if not _may_administer():
        raise LabError(
            code="lab-no-rights",
            what="you are root, but without the right to make namespaces and mounts (CAP_SYS_ADMIN)",
            next="start the container with --privileged, or run the lab on the machine itself",
        )
    if not any(line.split()[-1] == "overlay" for line in Path("/proc/filesystems").read_text().splitlines()):
        raise LabError(
            code="lab-no-overlay",
            what="this kernel has no overlay file system",
            next="modprobe overlay",
        )


def _may_administer() -> bool:
    status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":\t" in line)
    return bool(int(status["CapEff"], 16) >> _CAP_SYS_ADMIN & 1)


def why_no_user_namespace() -> LabError | None:
    """Why an ordinary user cannot have a lab here, None if nothing speaks against it."""
    limit = Path("/proc/sys/user/max_user_namespaces")
    if limit.exists() and limit.read_text().strip() == "0":
        return _no_rights("user namespaces are switched off (user.max_user_namespaces=0)")
    debian = Path("/proc/sys/kernel/unprivileged_userns_clone")
    if debian.exists() and debian.read_text().strip() == "0":
        return _no_rights("user namespaces are forbidden (kernel.unprivileged_userns_clone=0)")
    apparmor = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
    if apparmor.exists() and apparmor.read_text().strip() == "1":
        return _no_rights("AppArmor forbids user namespaces (kernel.apparmor_restrict_unprivileged_userns=1)")
    user = pwd.getpwuid(os.getuid()).pw_name
    for table in ("/etc/subuid", "/etc/subgid"):
        rows = Path(table).read_text().splitlines() if Path(table).exists() else []
        if not any(row.split(":")[0] in (user, str(os.getuid())) for row in rows):
            return LabError(
                code="lab-no-rights",
                what=f"you are not root, and {table} gives {user} no ids for a user namespace",
                next=f"sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 {user}   (or use sudo)",
            )
    return None


def _no_rights(reason: str) -> LabError:
    return LabError(
        code="lab-no-rights",
        what=f"the lab needs root or user namespaces: you are not root, and {reason}",
        next="run the same command with sudo",
    )


def widen_limits() -> None:
    """Let the machine run more than some 20 systemds (each needs inotify instances; the default is 128 a user)."""
    limit = Path("/proc/sys/fs/inotify/max_user_instances")
    if not rootless() and int(limit.read_text()) < 8192:
        try:
            limit.write_text("8192")
        except OSError:
            return  # read-only here: small fleets work all the same
