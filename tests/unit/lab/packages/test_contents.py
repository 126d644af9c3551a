"""What goes into each package."""

from __future__ import annotations

import pytest

from ascend_provision.lab.ascend import stacks
from ascend_provision.lab.packages.contents import KINDS, Contents, of_stack

PUBLISHED = [(p, s) for p in stacks.profiles() for s in stacks.names(p) if s != stacks.BARE]


def contents(profile: str, stack: str, kind: str, arch: str = "x86_64") -> Contents:
    return next(c for c in of_stack(profile, stack, arch) if c.kind == kind)


@pytest.mark.parametrize(("profile", "stack"), PUBLISHED)
def test_every_published_stack_has_its_four_packages(profile: str, stack: str) -> None:
    kinds = tuple(c.kind for c in of_stack(profile, stack, "x86_64"))

    assert kinds in {("driver", "firmware", "toolkit", "kernels"), ("driver", "firmware", "toolkit", "ops")}
    assert set(kinds) < set(KINDS)


def test_a_driver_package_of_hdk_22_reports_another_version_than_its_name() -> None:
    driver = contents("atlas-800-9000", "hdk22", "driver")

    assert driver.file_name == "Ascend-hdk-910-npu-driver_6.0.0_linux-x86-64.run"
    assert driver.files["version.info"].startswith("Version=22.0.4\n")
    assert "compatible_version_fw" not in driver.files["version.info"]


def test_the_firmware_label_names_the_chip_in_capitals() -> None:
    assert contents("atlas-800t-a2", "hdk24", "firmware").label == "ASCEND-HDK-910B-NPU FIRMWARE RUN PACKAGE"
    assert contents("atlas-800t-a3", "hdk25", "firmware").label == "ASCEND-HDK-A3-NPU FIRMWARE RUN PACKAGE"


def test_the_driver_of_chips_without_a_network_port_brings_no_hccn_tool() -> None:
    tools = {
        profile: contents(profile, "hdk23", "driver").conf["TOOLS"] for profile in ("atlas-800-9000", "atlas-300i-duo")
    }

    assert tools["atlas-800-9000"].split() == ["npu-smi", "upgrade-tool", "hccn_tool"]
    assert tools["atlas-300i-duo"].split() == ["npu-smi", "upgrade-tool"]


def test_from_8_5_on_the_toolkit_makes_another_tree_and_ops_have_a_record() -> None:
    assert contents("atlas-800t-a2", "hdk25", "toolkit").conf["TREE"] == "ascend-toolkit"
    assert contents("atlas-800t-a2", "hdk255", "toolkit").conf["TREE"] == "cann"
    ops = contents("atlas-800t-a3", "hdk25", "ops")
    assert ops.file_name == "Ascend-cann-A3-ops_8.5.0_linux-x86_64.run"
    assert ops.files["install.info"].startswith("package_name=Ascend-cann-A3-ops\nversion=8.5.0\n")


def test_kernels_without_arch_in_their_name_fit_any_machine() -> None:
    old, new = contents("atlas-800-9000", "hdk22", "kernels"), contents("atlas-800-9000", "hdk24", "kernels")

    assert (old.conf["ARCH"], new.conf["ARCH"]) == ("any", "x86_64")
    assert old.conf["KERNEL_RUN"].endswith("-linux.run")


def test_a_setting_survives_the_shell() -> None:
    text = Contents(kind="driver", file_name="x", label="y", conf={"A": "it's $HOME"}).conf_text()

    assert text == "A='it'\"'\"'s $HOME'\n"
