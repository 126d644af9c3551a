"""The state of the simulated hardware: what /opt/ascend-lab/hw holds (docs/lab-hardware.md describes each file)."""

from __future__ import annotations

import shlex
from pathlib import Path

from ascend_provision.lab.ascend import stacks
from ascend_provision.lab.ascend.files import write
from ascend_provision.lab.ascend.profiles import Profile, modules
from ascend_provision.lab.ascend.stacks import Stack
from ascend_provision.lab.errors import LabError

STATE = "opt/ascend-lab/hw"


def write_state(
    root: Path, profile: Profile, stack: Stack, *, host: str, index: int, arch: str, chip_name: str | None = None
) -> None:
    """Write hw/profile, chips, modules, layouts, flash and active below `root`."""
    state = root / STATE
    name = chip_name or profile.chip_name.fact(arch).value
    if name not in profile.names_printed.value:
        raise LabError(
            code="lab-chip-unpublished",
            what=f"chip name {name!r} is not one of {profile.name}",
            next=f"use one of: {', '.join(profile.names_printed.value)}",
        )
    write(state / "profile", _profile(profile, stack, host=host, index=index, arch=arch, chip_name=name))
    write(state / "chips", _chips(profile, index=index, arch=arch, chip_name=name))
    write(state / "modules", "".join(f"{m.name} {m.size} {','.join(m.depends) or '-'}\n" for m in modules()))
    write(state / "layouts", _layouts(profile))
    write(state / "flash", _flash(profile, stack))
    write(state / "active", "".join(f"{i} {_firmware(profile, stack)}\n" for i in range(profile.chips)))


def _profile(profile: Profile, stack: Stack, *, host: str, index: int, arch: str, chip_name: str) -> str:
    pci = profile.pci.value
    values: dict[str, str | int] = {
        "PROFILE": profile.name,
        "STACK": stack.stack,
        "HOST": host,
        "SERIAL": index,
        "FAMILY": profile.family.value,
        "CHIP": profile.chip.value,
        "CHIP_NAME": chip_name,
        "CHIPS": profile.chips,
        "CHIPS_PER_NPU": profile.chips_per_npu.value,
        "NIC_PORTS": profile.nic_ports.value,
        "RANKS": " ".join(map(str, profile.ranks.value)),
        "ARCH": arch,
        "PRODUCT": profile.product_name.fact(arch).value,
        "HBM_TOTAL": profile.hbm_total_mb.value,
        "JOB_MEMORY": profile.job_hbm_mb.value,
        "CORES": profile.cores.value,
        "AICORE_MHZ": profile.aicore_mhz.value,
        "BOARD_ID": profile.board_id.value,
        "BOARD_PRODUCT": profile.board_product.value,
        "PCI_VENDOR": pci.vendor,
        "PCI_DEVICE": pci.device,
        "PCI_SUBVENDOR": pci.subsystem_vendor,
        "PCI_SUBDEVICE": pci.subsystem_device,
        "MCU": int(profile.mcu_row.value),
        "PORT_SPEED": profile.port_speed_mbps.value,
        "KERNEL": profile.host_kernel.fact(arch).value,
        "OLD_KERNEL": profile.older_kernel.fact(arch).value,
        "NEW_KERNEL": profile.newer_kernel.fact(arch).value,
        "UPGRADE_COMPONENTS": " ".join(f"{c.type}:{c.name}" for c in profile.upgrade_components.value),
    }
    return "".join(f"{key}={shlex.quote(str(value))}\n" for key, value in values.items())


def _chips(profile: Profile, *, index: int, arch: str, chip_name: str) -> str:
    """npu_id chip_id logic_id name bus health ddr_used ddr_total hbm_used hbm_total power temp.

    Small steps between chips and hosts keep the figures from looking copied; all stay inside what was captured.
    """
    rows = []
    for logic in range(profile.chips):
        npu, chip = profile.place(logic)
        ddr_used = profile.ddr_used_mb.value and profile.ddr_used_mb.value + 37 * ((logic + index) % 8)
        temperature = profile.idle_temp_c.value + (logic + index) % 4
        idle = profile.idle_hbm_mb.value[chip]
        hbm_used = idle + logic % 3 if profile.hbm_total_mb.value else 0
        rows.append(
            f"{npu} {chip} {logic} {chip_name} 0000:{profile.bus(logic, arch).upper()}:00.0 OK "
            f"{ddr_used} {profile.ddr_total_mb.value[logic]} {hbm_used} {profile.hbm_total_mb.value} "
            f"{_power(profile, logic, chip, index)} {temperature}\n"
        )
    return "".join(rows)


def _power(profile: Profile, logic: int, chip: int, index: int) -> str:
    """The NPU's first chip carries its power, the others `-` (captured on A3); NA where the tool cannot ask (310P)."""
    if profile.idle_power_w.value is None:
        return "NA"
    if chip:
        return "-"
    return f"{profile.idle_power_w.value + 0.7 * ((logic * 3 + index) % 8) - 2:.1f}"


def _layouts(profile: Profile) -> str:
    """`version layout process_table board` of every published npu-smi of this product."""
    rows = []
    for name in stacks.names(profile.name):
        software = stacks.get(profile.name, name).software
        if software is not None:
            table = int(software.process_table.value)
            rows.append(f"{software.hdk.driver.value} {software.layout.value} {table} {software.board.value}\n")
    return "".join(rows)


def _firmware(profile: Profile, stack: Stack) -> str:
    return stack.software.firmware.value if stack.software else profile.factory_firmware.value


def _flash(profile: Profile, stack: Stack) -> str:
    """`logic_id version compatible_version_drv` (`-` where the firmware has no such list)."""
    drivers = (stack.software.firmware_drivers() if stack.software else "") or "-"
    return "".join(f"{logic} {_firmware(profile, stack)} {drivers}\n" for logic in range(profile.chips))
