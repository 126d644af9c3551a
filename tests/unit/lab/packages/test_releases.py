"""Facts about packages beyond the stacks' own."""

from __future__ import annotations

from ascend_provision.lab.ascend import profiles, stacks
from ascend_provision.lab.packages import releases


def test_every_chip_has_its_prebuilt_kernels() -> None:
    chips = {profiles.get(name).chip.value for name in stacks.profiles()}

    assert set(releases.book().prebuilt_kernels) == chips


def test_no_lab_host_wears_a_kernel_the_driver_was_built_for() -> None:
    """So every driver installation goes the longer way, through dkms."""
    for name in stacks.profiles():
        product = profiles.get(name)
        for arch in ("x86_64", "aarch64"):
            assert product.host_kernel.fact(arch).value not in releases.book().prebuilt(product.chip.value, arch)


def test_every_cann_level_says_whether_kernels_go_with_the_toolkit() -> None:
    levels = {
        software.cann.version.value
        for profile in stacks.profiles()
        for stack in stacks.names(profile)
        if (software := stacks.get(profile, stack).software) is not None
    }

    assert set(releases.book().kernels_go_with_toolkit) == levels
