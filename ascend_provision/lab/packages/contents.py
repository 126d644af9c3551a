"""What is inside each of a stack's packages: payload files of the repository plus files written here."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import Literal

from ascend_provision.lab.ascend import profiles, stacks
from ascend_provision.lab.ascend.profiles import Profile
from ascend_provision.lab.ascend.stacks import PublishedStack
from ascend_provision.lab.packages import releases

Kind = Literal["driver", "firmware", "toolkit", "kernels", "ops"]
KINDS: tuple[Kind, ...] = ("driver", "firmware", "toolkit", "kernels", "ops")

SHARED: dict[Kind, tuple[str, ...]] = {
    "driver": ("host.sh", "say.sh", "record.sh"),
    "firmware": ("host.sh", "say.sh", "record.sh"),
    "toolkit": ("host.sh", "cann.sh"),
    "kernels": ("host.sh", "cann.sh"),
    "ops": ("host.sh", "cann.sh"),
}

# hccn_tool comes with drivers for chips that have a network port (inferred: elsewhere it has nothing to say)
DRIVER_TOOLS = ("npu-smi", "upgrade-tool")
NIC_TOOL = "hccn_tool"

DRIVER_LIBRARIES = ("driver/libascend_hal.so", "driver/libdcmi.so", "driver/libdrvdsmi_host.so", "common/libc_sec.so")


@dataclass(frozen=True, kw_only=True)
class Contents:
    """One package: its published file name, what makeself prints as label, settings and generated files."""

    kind: Kind
    file_name: str
    label: str
    conf: dict[str, str]
    files: dict[str, str] = field(default_factory=dict)

    def conf_text(self) -> str:
        """`package.conf`, sourced by the installer and by the uninstaller it leaves on the host."""
        return "".join(f"{key}={shlex.quote(value)}\n" for key, value in self.conf.items())


def of_stack(profile: str, stack: str, arch: str) -> list[Contents]:
    """The four packages of a published stack, the last kernels or ops; LabError for `bare` and for pairs that were
    never published.
    """
    product = profiles.get(profile)
    software = stacks.get(profile, stack).require()
    operators = _kernels if software.packages.ops is None else _ops
    return [
        _driver(product, software, arch),
        _firmware(product, software),
        _toolkit(software, arch),
        operators(product, software, arch),
    ]


def _lines(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _yes(flag: bool) -> str:
    return "y" if flag else "n"


def _driver(product: Profile, software: PublishedStack, arch: str) -> Contents:
    book, chip = releases.book(), product.chip.value
    name = software.packages.driver.name(arch)
    version = software.hdk.driver.value
    keys = software.ascend_install_info.value
    return Contents(
        kind="driver",
        file_name=name,
        label="ASCEND DRIVER RUN PACKAGE",
        conf={
            "PACKAGE_FILE": name,
            "VERSION": version,
            "CHIP": chip,
            "PCI_DEVICE": product.pci.value.device.removeprefix("0x"),
            "ARCH": arch,
            "NEEDS_MB": str(book.needs_mb.driver.value),
            "PREBUILT_KERNELS": " ".join(book.prebuilt(chip, arch)),
            "WRITES_MODE": _yes("Driver_Install_Mode" in keys),
            "WRITES_STATUS": _yes("Driver_Install_Status" in keys),
            "TOOLS": " ".join((*DRIVER_TOOLS, NIC_TOOL) if product.nic_ports.value else DRIVER_TOOLS),
        },
        files={
            "version.info": _lines(software.driver_version_info.value),
            "tree/device/README": "The device images of a real driver would be here.\n",
            **{f"tree/lib64/{path}": f"simulated {path} of driver {version}\n" for path in DRIVER_LIBRARIES},
        },
    )


def _firmware(product: Profile, software: PublishedStack) -> Contents:
    name = software.packages.firmware.name("any")
    chip = product.chip.value
    return Contents(
        kind="firmware",
        file_name=name,
        label=f"ASCEND-HDK-{product.package_token.value.upper()}-NPU FIRMWARE RUN PACKAGE",
        conf={
            "PACKAGE_FILE": name,
            "VERSION": software.firmware.value,
            "CHIP": chip,
            "COMPATIBLE_DRIVERS": software.firmware_drivers(),
            "NEEDS_MB": str(releases.book().needs_mb.firmware.value),
        },
        files={
            "version.info": _lines(software.firmware_version_info.value),
            "tree/image/README": "The flash images of a real firmware package would be here.\n",
        },
    )


def _toolkit(software: PublishedStack, arch: str) -> Contents:
    book, cann = releases.book(), software.cann
    name = software.packages.toolkit.name(arch)
    info = [line.format(arch=arch) for line in software.toolkit_install_info.value]
    components = book.components.value
    return Contents(
        kind="toolkit",
        file_name=name,
        label="ASCEND_RUN_PACKAGE",
        conf={
            "PACKAGE_FILE": name,
            "PACKAGE_NAME": name.removesuffix(".run"),
            "CANN_VERSION": cann.version.value,
            "INNER_VERSION": cann.inner.value,
            "COMPONENT_VERSION": cann.component.value,
            "COMPATIBLE_VERSION": next((x.split("=", 1)[1] for x in info if x.startswith("compatible_version=")), ""),
            "TREE": cann.tree.value,
            "ARCH": arch,
            "COMPONENTS": " ".join(components),
            "VERSION_CFG_PACKAGES": " ".join(book.version_cfg.value),
            "KERNELS_GO_WITH_TOOLKIT": _yes(book.kernels_go_with_toolkit[cann.version.value].value),
            "PYTHON_NAMES": book.python_names.value,
            "NEEDS_MB": str(book.needs_mb.toolkit.value),
        },
        files={
            "install.info": _lines(info),
            **{f"components/{x}/version.info": _component_info(x, components, software) for x in components},
        },
    )


def _component_info(component: str, components: list[str], software: PublishedStack) -> str:
    """`<version>/<component>/version.info`. Keys captured at CANN 8.2; the same for older levels is assumed."""
    number = software.cann.component.value
    series = ".".join(number.split(".")[:2])
    lines = [f"Version={number}", f"version_dir={software.cann.version.value}"]
    lines += [f'required_package_{other}_version="{series}"' for other in components if other != component]
    if component == "opp":  # documented: the keys that opp checks in driver/version.info
        lines += ["required_driver_ascendhal_version=4.0.0", "required_driver_aicpu_version=1.0"]
        lines += ["required_driver_tdt_version=1.0"]
    return _lines(lines)


def _kernels(product: Profile, software: PublishedStack, arch: str) -> Contents:
    package, cann, chip = software.packages.operators, software.cann, product.chip.value
    name = package.name(arch)
    own_arch = "any" if package.any is not None else arch
    suffix = "" if own_arch == "any" else f".{arch}"
    number = cann.component.value
    series = ".".join(number.split(".")[:2])
    return Contents(
        kind="kernels",
        file_name=name,
        label="ASCEND_RUN_PACKAGE",
        conf={
            "PACKAGE_FILE": name,
            "PACKAGE_NAME": name.removesuffix(".run"),
            "CANN_VERSION": cann.version.value,
            "TREE": cann.tree.value,
            "CHIP": chip,
            "ARCH": own_arch,
            "KERNEL_RUN": f"Ascend{chip.upper()}-opp_kernel-{number}-linux{suffix}.run",
            "NEEDS_MB": str(releases.book().needs_mb.kernels.value),
        },
        files={
            "version.info": _lines(
                [
                    f"Version={number}",
                    f"version_dir={cann.version.value}",
                    f"ops_version={number}",
                    f"adk_version={number}",
                    f'required_package_opp_version="{series}"',
                    f'required_package_toolkit_version="{series}"',
                ]
            ),
            f"tree/built-in/op_impl/ai_core/tbe/kernel/ascend{chip}/README": "Operator binaries would be here.\n",
        },
    )


def _ops(product: Profile, software: PublishedStack, arch: str) -> Contents:
    """Operator binaries from CANN 8.5 on: a package with a record and an uninstaller of its own (captured)."""
    cann, token = software.cann, product.package_token.value
    name = software.packages.operators.name(arch)
    return Contents(
        kind="ops",
        file_name=name,
        label="ASCEND_RUN_PACKAGE",
        conf={
            "PACKAGE_FILE": name,
            "PACKAGE_NAME": name.removesuffix(".run"),
            "CANN_VERSION": cann.version.value,
            "TREE": cann.tree.value,
            "CHIP": product.chip.value,
            "SHORT_NAME": f"ops_{token}",
            "ARCH": arch,
            "NEEDS_MB": str(releases.book().needs_mb.ops.value),
        },
        files={
            "install.info": _lines(
                [
                    f"package_name=Ascend-cann-{token}-ops",
                    f"version={cann.version.value}",
                    f"arch={arch}",
                    "os=linux",
                    f"path=/usr/local/Ascend/{cann.tree.value}-{cann.version.value}/{arch}-linux",
                ]
            ),
            f"tree/opp/built-in/op_impl/ai_core/tbe/kernel/ascend{product.chip.value}/README": (
                "Operator binaries would be here.\n"
            ),
        },
    )
