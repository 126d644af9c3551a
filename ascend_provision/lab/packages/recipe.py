"""How a bare lab host becomes one that is "already at" a stack: by really running the stack's installers."""

from __future__ import annotations

import shlex
from importlib import resources
from pathlib import Path

from ascend_provision.lab import cache
from ascend_provision.lab.ascend import stacks
from ascend_provision.lab.packages.build import build

_SCRIPT = """\
#!/bin/sh
# Usage: sh install.sh PACKAGES. Exit 0: done; 2: reboot the host, then run it again; 1: an installer failed.
# Published order for a host without driver: driver, firmware, toolkit, kernels or ops. Already done steps are skipped.
set -u
packages=$1
lab=/opt/ascend-lab
echo 0 >"$lab/install-delay"
trap 'rm -f "$lab/install-delay"' EXIT

getent group HwHiAiUser >/dev/null || groupadd -g 1000 HwHiAiUser
id HwHiAiUser >/dev/null 2>&1 || useradd -u 1000 -g HwHiAiUser -d /home/HwHiAiUser -m -s /bin/bash HwHiAiUser

# run_package FILE OPTIONS: exit status of the installer in $status; anything but 0 and 2 ends this script
run_package() {{
    file=$packages/$1
    shift
    status=0
    sh "$file" "$@" </dev/null || status=$?
    case $status in 0 | 2) return 0 ;; esac
    echo "${{file##*/}} $* ended with $status" >&2
    exit 1
}}

has_version() {{ grep -qx "Version=$2" "/usr/local/Ascend/$1/version.info" 2>/dev/null; }}

if ! has_version driver {driver_version}; then
    run_package {driver} --full --quiet --install-for-all
    [ "$status" = 0 ] || exit 2
fi
if ! has_version firmware {firmware_version}; then
    run_package {firmware} --full --quiet
fi
if [ ! -d {cann_home}/opp ]; then
    run_package {toolkit} --install --quiet --install-for-all
fi
if [ ! -e {cann_home}/{operators_mark} ]; then
    run_package {operators} --install --quiet --install-for-all
fi
exit 0
"""


def install_script(profile: str, stack: str, arch: str, packages: Path | None = None) -> tuple[Path, str]:
    """The directory with the stack's packages and the script that installs them, given that directory's place on
    the host as its argument.

    Without `packages` the directory is the lab cache's. The firmware ends up in the flash and waits for the next
    boot; nothing else is needed afterwards. LabError for `bare` and for a stack that was never published.
    """
    software = stacks.get(profile, stack).require()
    if packages is None:
        packages = _cached(profile, stack, arch)
    else:
        build(packages, stacks=[(profile, stack)], arch=arch)
    files, cann = software.packages, software.cann
    by_version = f"{cann.tree.value}/" if cann.tree.value == "ascend-toolkit" else f"{cann.tree.value}-"
    script = _SCRIPT.format(
        driver=shlex.quote(files.driver.name(arch)),
        firmware=shlex.quote(files.firmware.name(arch)),
        toolkit=shlex.quote(files.toolkit.name(arch)),
        operators=shlex.quote(files.operators.name(arch)),
        operators_mark="opp_kernel" if files.ops is None else shlex.quote(f"{arch}-linux/ascend_ops_install.info"),
        driver_version=shlex.quote(software.hdk.driver.value),
        firmware_version=shlex.quote(software.firmware.value),
        cann_home=shlex.quote(f"/usr/local/Ascend/{by_version}{cann.version.value}"),
    )
    return packages, script


def _cached(profile: str, stack: str, arch: str) -> Path:
    """The stack's packages in the lab's cache, built again when what they are made of has changed."""
    lab = Path(str(resources.files("ascend_provision.lab")))
    label = f"{profile}.{stack}"
    parts = [arch.encode(), *cache.tree_parts(lab / "packages"), *cache.tree_parts(lab / "ascend" / "data")]
    return cache.built(
        "packages",
        label,
        cache.content_name(label, parts),
        lambda directory: _build_into(directory, profile, stack, arch),
        lambda _text: None,
    )


def _build_into(directory: Path, profile: str, stack: str, arch: str) -> None:
    build(directory, stacks=[(profile, stack)], arch=arch)
