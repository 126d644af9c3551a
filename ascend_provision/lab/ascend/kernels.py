"""The kernels a host seems to have: /boot, grub.cfg, simulated headers (all worn, so all assumed).

The same files are written by tools/lib/kernels.sh when a fault installs a kernel on a running host; a unit test
holds the two together.
"""

from __future__ import annotations

from pathlib import Path

from ascend_provision.lab.ascend.files import write
from ascend_provision.lab.ascend.profiles import Profile


def write_kernels(root: Path, profile: Profile, arch: str) -> None:
    """Install the worn kernel and an older one; the worn one is the default."""
    worn, older = profile.host_kernel.fact(arch).value, profile.older_kernel.fact(arch).value
    for release in (worn, older):
        _install(root, release)
    entries = "".join(_entry(release) for release in (worn, older))
    write(root / "boot/grub/grub.cfg", f'set default="0"\n{entries}')
    write(root / "etc/default/grub", 'GRUB_DEFAULT=0\nGRUB_TIMEOUT=5\nGRUB_CMDLINE_LINUX=""\n')
    _link(root / "vmlinuz", f"boot/vmlinuz-{worn}")
    _link(root / "initrd.img", f"boot/initrd.img-{worn}")


def _install(root: Path, release: str) -> None:
    write(root / f"boot/vmlinuz-{release}", "")
    write(root / f"boot/initrd.img-{release}", "")
    write(root / f"boot/config-{release}", "CONFIG_MODVERSIONS=y\nCONFIG_MODULES=y\n")
    headers = root / f"usr/src/linux-headers-{release}"
    write(headers / "include/generated/utsrelease.h", f'#define UTS_RELEASE "{release}"\n')
    write(headers / "Makefile", "# simulated kernel headers of a lab host\n")
    # a host whose /lib is a link to usr/lib: writing to lib/ here would hide the link
    modules = root / f"usr/lib/modules/{release}"
    modules.mkdir(parents=True, exist_ok=True)
    _link(modules / "build", f"/usr/src/linux-headers-{release}")


def _entry(release: str) -> str:
    return (
        f"menuentry 'Debian GNU/Linux, with Linux {release}' {{\n"
        f"\tlinux\t/boot/vmlinuz-{release} root=/dev/sda2 ro quiet\n"
        f"\tinitrd\t/boot/initrd.img-{release}\n}}\n"
    )


def _link(path: Path, target: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink() or path.exists():
        path.unlink()
    path.symlink_to(target)
