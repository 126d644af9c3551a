"""What a host's /sys shows of its NPUs and its product, as files to lay over the real /sys.

PCI functions are enough for the real lspci; DMI for what Ansible calls the product name. Ids and buses are
published (data/profiles.yaml); NUMA nodes are assumed. dmidecode reads a raw SMBIOS table and sees the machine's.
"""

from __future__ import annotations

import platform
import struct
from pathlib import Path

from ascend_provision.lab.ascend import profiles
from ascend_provision.lab.ascend.files import write
from ascend_provision.lab.ascend.profiles import Pci

_PROCESSING_ACCELERATOR = 0x12
_MEMORY_AND_MASTER = 0x0406
_HAS_CAPABILITIES = 0x0010


def sysfs(directory: Path, profile: str) -> None:
    """Fill `directory` for the product `profile`; LabError for one that was never published."""
    product = profiles.get(profile)
    arch = platform.machine()
    names = {"product_name": product.product_name.fact(arch).value, "sys_vendor": "Huawei"}
    for key, value in names.items():
        write(directory / "class/dmi/id" / key, f"{value}\n")
        write(directory / "devices/virtual/dmi/id" / key, f"{value}\n")
    buses = product.buses.value(arch)
    for number, bus in enumerate(buses):
        numa = number * 2 // len(buses)
        _function(directory / f"bus/pci/devices/0000:{bus}:00.0", product.pci.value, numa=numa)


def _function(directory: Path, pci: Pci, *, numa: int) -> None:
    values = {
        "vendor": pci.vendor,
        "device": pci.device,
        "subsystem_vendor": pci.subsystem_vendor,
        "subsystem_device": pci.subsystem_device,
        "class": pci.class_code,
        "revision": pci.revision,
        "irq": "0",
        "numa_node": str(numa),
    }
    for key, value in values.items():
        write(directory / key, f"{value}\n")
    write(directory / "resource", "0x0000000000000000 0x0000000000000000 0x0000000000000000\n" * 13)
    config = bytearray(256)
    vendor, device = int(pci.vendor, 16), int(pci.device, 16)
    revision = int(pci.revision, 16)
    struct.pack_into(
        "<HHHHBBBB",
        config,
        0,
        *(vendor, device, _MEMORY_AND_MASTER, _HAS_CAPABILITIES),
        *(revision, 0, 0, _PROCESSING_ACCELERATOR),
    )
    struct.pack_into("<HH", config, 0x2C, int(pci.subsystem_vendor, 16), int(pci.subsystem_device, 16))
    (directory / "config").write_bytes(config)
