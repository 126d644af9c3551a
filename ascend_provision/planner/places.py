"""Where things are on a host: the paths ascend-provision owns, and those it must bring through an upgrade."""

from __future__ import annotations

STATE = "/var/lib/ascend-provision"
PACKAGES = f"{STATE}/packages"
PROFILE = "/etc/profile.d/ascend-provision.sh"
UNIT_ENVIRONMENT = "/etc/ascend-provision/ascend.env"
INSTALL_PATH = "/usr/local/Ascend"

KEPT = (
    "/etc/hccn.conf",
    "/etc/vnpu.cfg",
    "/etc/ascend_install.info",
    "/etc/Ascend/ascend_cann_install.info",
    "/etc/profile",
    "/etc/profile.d",
    PROFILE,
    "/etc/bash.bashrc",
    "/etc/bashrc",
    "/etc/environment",
    "/root/.bashrc",
    UNIT_ENVIRONMENT,
)
"""Saved with mode and owner before the first change."""

RESTORED = ("/etc/hccn.conf", "/etc/vnpu.cfg")
"""Put back when an installer dropped or changed them."""


def staged(sha256: str, file: str) -> str:
    """The path of a staged package on the host."""
    return f"{PACKAGES}/{sha256}/{file}"
