"""Hosts as facts, for tests: healthy ones at the published levels, and small ways to make one sick.

`a1_host()` is an Atlas 800 (model 9010) at HDK 22, `a2_host()` an Atlas 800T A2 at HDK 23.0.RC3, `bare_host()` the same
machine with nothing of Ascend installed. Every number of a level is one that was published together.
"""

from __future__ import annotations

from typing import Any

from ascend_provision.stack.facts import (
    Board,
    BootFacts,
    CannInstall,
    Chip,
    Disk,
    DriverFacts,
    EnvFile,
    FirmwareFacts,
    Group,
    HostFacts,
    HostRecord,
    KeptFile,
    KernelFacts,
    OsFacts,
    PciNpu,
    PythonEnv,
    Service,
    User,
)
from ascend_provision.stack.machine import DeviceNode, InstallRecord, Listener, ModulePolicy, Mount
from ascend_provision.stack.network import NpuNetwork
from ascend_provision.stack.surroundings import CannPart, PathState, PythonPackages
from ascend_provision.stack.versions import (
    CannVersion,
    FirmwareVersion,
    FrameworkVersion,
    HdkVersion,
    PackageVersion,
)

TOOLS = ("tar", "lspci", "ifconfig", "gcc", "make", "dkms", "systemd-run", "fuser", "docker")
BOOTED_AT = 1_700_000_000.0
NOW = BOOTED_AT + 86_400
KERNEL = "5.10.0-28-amd64"
INSTALLED_KEYS = (
    "UserName", "UserGroup", "Driver_Install_Type", "Driver_Install_Path_Param", "Firmware_Install_Type",
    "Firmware_Install_Path_Param",
)  # fmt: skip

_BRANCHES_CANN_700 = "[V100R001C15],[V100R001C29],[V100R001C30],[V100R001C13],[V100R003C10],[V100R003C11]"

LEVELS: dict[str, dict[str, Any]] = {
    "a1-hdk22": {
        "driver": "22.0.4",
        "package": "6.0.0",
        "inner": "V100R001C84SPC001B316",
        "accepts_cann": "[V100R001C81,V100R001C84]",
        "accepts_firmware": None,
        "firmware": "1.84.15.1.310",
        "accepts_driver": None,
        "cann": "6.0.1",
        "cann_inner": "V100R001C84SPC001B310",
        "component": "1.84.15.1.310",
        "cann_accepts": "[V100R001C84]",
        "torch": "1.8.1",
        "torch_npu": "1.8.1",
        "mindspore": None,
        "compatibility": None,
    },
    "a1-hdk23": {
        "driver": "23.0.3",
        "package": "23.0.3",
        "inner": "V100R001C15SPC005B220",
        "accepts_cann": "[V100R001C29],[V100R001C30],[V100R001C13],[V100R001C15]",
        "accepts_firmware": "[7.0.0,7.1.99]",
        "firmware": "7.1.0.5.220",
        "accepts_driver": "[23.0.rc3,23.0.rc3.],[23.0.0,23.0.0.]",
        "cann": "7.0.0",
        "cann_inner": "V100R001C15SPC003B226",
        "component": "7.1.0.3.220",
        "cann_accepts": _BRANCHES_CANN_700,
        "torch": "2.1.0",
        "torch_npu": "2.1.0",
        "mindspore": None,
        "compatibility": "OK",
    },
    "a1-hdk24": {
        "driver": "24.1.0",
        "package": "24.1.0",
        "inner": "V100R001C19SPC002B226",
        "accepts_cann": "[V100R001C13],[V100R001C15],[V100R001C17],[V100R001C18],[V100R001C19]",
        "accepts_firmware": "[7.0.0,7.6.99]",
        "firmware": "7.5.0.2.220",
        "accepts_driver": "[23.0.0,23.0.0.],[24.0,24.0.],[24.1,24.1.]",
        "cann": "8.0.0",
        "cann_inner": "V100R001C20SPC001B251",
        "component": "7.6.0.1.220",
        "cann_accepts": "[V100R001C15],[V100R001C17],[V100R001C18],[V100R001C19],[V100R001C20]",
        "torch": "2.4.0",
        "torch_npu": "2.4.0.post2",
        "mindspore": None,
        "compatibility": "OK",
    },
    "a2-hdk23rc": {
        "driver": "23.0.rc3",
        "package": "23.0.rc3",
        "inner": "V100R001C13SPC005B240",
        "accepts_cann": "[V100R001C29],[V100R001C30],[V100R001C13]",
        "accepts_firmware": "[6.4.0,6.4.99],[7.0.0,7.0.99]",
        "firmware": "6.4.0.4.220",
        "accepts_driver": None,
        "cann": "7.0.RC1",
        "cann_inner": "V100R001C13SPC005B246",
        "component": "7.0.0.5.242",
        "cann_accepts": "[V100R001C29],[V100R001C30],[V100R001C13],[V100R003C10],[V100R003C11]",
        "torch": "2.1.0",
        "torch_npu": "2.1.0rc1",
        "mindspore": None,
        "compatibility": "OK",
    },
}
LEVELS["a2-hdk23"] = LEVELS["a1-hdk23"]
LEVELS["a2-hdk24"] = {**LEVELS["a1-hdk24"], "firmware": "7.5.0.3.220"}

_A1_BUSES = ("61", "60", "B1", "B2", "DA", "DB", "3E", "3D")
_A2_BUSES = ("C1", "01", "C2", "02", "81", "41", "82", "42")
_PCI = {"a1": ("d801", "0200", "0100"), "a2": ("d802", "19e5", "3000")}


_PATHS = (
    "/usr/local/Ascend", "/usr/local/Ascend/driver", "/usr/local/Ascend/driver/lib64",
    "/usr/local/Ascend/driver/lib64/driver/libascend_hal.so", "/usr/local/Ascend/driver/lib64/driver/libdcmi.so",
)  # fmt: skip


def a1_host(host: str = "a1-01", level: str = "hdk22", *, chips: int = 8, **changes: Any) -> HostFacts:
    """A healthy Atlas 800 (model 9010), eight 910A, at a published level; `changes` replace fields."""
    return _host(host, "a1", level, chips, changes)


def a2_host(host: str = "a2-01", level: str = "hdk23rc", *, chips: int = 8, **changes: Any) -> HostFacts:
    """A healthy Atlas 800T A2, eight 910B3, at a published level; `changes` replace fields."""
    return _host(host, "a2", level, chips, changes)


def bare_host(host: str = "bare-01", family: str = "a1", *, chips: int = 8, **changes: Any) -> HostFacts:
    """The machine before any Ascend software: PCI devices and an operating system, nothing else."""
    nothing = {
        "chips": (),
        "boards": (),
        "driver": DriverFacts(
            file=None,
            running=None,
            tool=None,
            package=None,
            inner=None,
            accepts_cann=None,
            accepts_firmware=None,
            modules_loaded=(),
            install_path=None,
        ),
        "firmware": FirmwareFacts(file=None, flash=(), pending=False, package=None, accepts_driver=None),
        "cann": (),
        "cann_parts": (),
        "environments": (),
        "users": (),
        "network": (),
        "kept_files": (),
        "env_files": (),
        "path_states": (),
    }
    nothing |= {"device_nodes": (), "groups": (), "install_record": None}
    level = "hdk22" if family == "a1" else "hdk23rc"
    return _host(host, family, level, chips, {**nothing, **changes})


def with_driver(facts: HostFacts, **changes: Any) -> HostFacts:
    """The same host with fields of its driver facts replaced; version texts may be given as text."""
    return facts.model_copy(update={"driver": DriverFacts.model_validate({**dict(facts.driver), **changes})})


def with_firmware(facts: HostFacts, **changes: Any) -> HostFacts:
    """The same host with fields of its firmware facts replaced."""
    return facts.model_copy(update={"firmware": FirmwareFacts.model_validate({**dict(facts.firmware), **changes})})


def changed(facts: HostFacts, **changes: Any) -> HostFacts:
    """The same host with top-level fields replaced."""
    return facts.model_copy(update=changes)


def environment(
    path: str = "/usr", *, python: str = "3.9.2", torch: str | None = None, torch_npu: str | None = None, **more: Any
) -> PythonEnv:
    """A Python environment with the frameworks named."""
    return PythonEnv.model_validate(
        {"path": path, "python": python, "torch": torch, "torch_npu": torch_npu, "mindspore": None, **more}
    )


def packages(path: str = "/opt/train", **changes: Any) -> PythonPackages:
    """The packages CANN's compiler needs, at versions all of these levels take; `changes` replace fields."""
    versions = {
        "numpy": "1.24.0", "decorator": "5.1.1", "sympy": "1.12", "cffi": "1.15.1", "protobuf": "3.20.3",
        "attrs": "23.1.0", "pyyaml": "6.0.1", "scipy": "1.10.1", "requests": "2.31.0", "psutil": "5.9.5",
        "absl_py": "1.4.0",
    }  # fmt: skip
    given = {"path": path, "python": FrameworkVersion("3.9.2"), "frameworks": True, "versions": versions}
    return PythonPackages(**{**given, **changes})


def cann(level: str, part: str = "toolkit", *, chip: str | None = None, root: str | None = None) -> CannInstall:
    """A CANN part as the level's package installs it."""
    row = LEVELS[level]
    return CannInstall(
        part=part,
        version=CannVersion(row["cann"]),
        root=root or f"/usr/local/Ascend/ascend-toolkit/{row['cann']}",
        inner=row["cann_inner"] if part == "toolkit" else None,
        accepts_driver=row["cann_accepts"] if part == "toolkit" else None,
        arch="x86_64",
        chip=chip,
        hccl_test=True if part == "toolkit" else None,
    )


def cann_part(name: str, number: str, requires: dict[str, str] | None = None, *, cann: str = "8.0.0") -> CannPart:
    """A part of CANN in the directory of that release."""
    root = f"/usr/local/Ascend/ascend-toolkit/{cann}"
    return CannPart(name=name, root=root, number=number, requires=requires or {})


def cann_parts(level: str) -> tuple[CannPart, ...]:
    """Three parts of the level's CANN that ask for each other."""
    number, names = LEVELS[level]["component"], ("compiler", "opp_kernel", "toolkit")
    series = ".".join(number.split(".")[:2])
    return tuple(
        cann_part(name, number, {other: series for other in names if other != name}, cann=LEVELS[level]["cann"])
        for name in names
    )


def chip(npu_id: int, name: str, bus: str, *, health: str = "OK", hbm_used_mb: int = 3) -> Chip:
    """An idle chip as npu-smi shows it."""
    return Chip(
        npu_id=npu_id,
        chip_id=0,
        name=name,
        health=health,
        bus=f"0000:{bus}:00.0",
        power_w=70.0,
        temperature_c=40,
        ddr_used_mb=900,
        ddr_total_mb=15039,
        hbm_used_mb=hbm_used_mb,
        hbm_total_mb=32768,
    )


def nic(device: int, address: str, *, live: str | None = "", link_up: bool | None = True) -> NpuNetwork:
    """An NPU's network with the same address in hccn.conf and live, unless `live` says otherwise."""
    return NpuNetwork(
        device=device,
        conf_address=address,
        live_address=address if live == "" else live,
        link_up=link_up,
        conf_netmask="255.255.255.0",
        live_netmask="255.255.255.0" if live is not None else None,
        conf_gateway=f"{address.rpartition('.')[0]}.1",
        conf_netdetect=f"{address.rpartition('.')[0]}.1",
        live_netdetect=f"{address.rpartition('.')[0]}.1",
        health="Success",
        tls=False,
    )


def nodes(cards: int, *, mode: str = "crw-rw----", owner: tuple[int, int] = (1000, 1000)) -> tuple[DeviceNode, ...]:
    """The device nodes of so many cards, as the driver makes them."""
    names = [*(f"davinci{number}" for number in range(cards)), "davinci_manager", "devmm_svm", "hisi_hdc"]
    return tuple(DeviceNode(path=f"/dev/{name}", mode=mode, uid=owner[0], gid=owner[1]) for name in sorted(names))


def _addresses(family: str, chips: int) -> tuple[NpuNetwork, ...]:
    if family == "a1":
        return tuple(nic(n, f"192.168.{100 + n % 4}.{10 + n}") for n in range(chips))
    return tuple(nic(n, f"192.168.100.{10 + n}") for n in range(chips))


def _host(host: str, family: str, level: str, chips: int, changes: dict[str, Any]) -> HostFacts:
    row = LEVELS[f"{family}-{level}"]
    name, buses = ("910A", _A1_BUSES) if family == "a1" else ("910B3", _A2_BUSES)
    device, vendor, subsystem = _PCI[family]
    hdk, firmware = HdkVersion(row["driver"]), FirmwareVersion(row["firmware"])
    facts: dict[str, Any] = {
        "host": host,
        "hostname": host,
        "arch": "x86_64",
        "os": OsFacts(
            id="debian",
            version_id="11",
            pretty_name="Debian GNU/Linux 11",
            os_release_is_link=True,
            os_release_there=True,
        ),
        "kernel": KernelFacts(running=KERNEL, next_boot=KERNEL, headers=True, headers_of=(KERNEL,), gcc="10.2.1"),
        "boot": BootFacts(boot_id=f"boot-{host}-1", booted_at=BOOTED_AT, now=NOW),
        "pythons": {"/usr/bin/python3": "3.9.2"},
        "disks": tuple(Disk(path=path, free_mb=60_000, total_mb=100_000) for path in ("/usr/local", "/tmp", "/var")),
        "users": (User(name="HwHiAiUser", uid=1000, gid=1000, group="HwHiAiUser"),),
        "tools": dict.fromkeys(TOOLS, True),
        "pci": tuple(
            PciNpu(bus=f"{bus.lower()}:00.0", device=device, subsystem_vendor=vendor, subsystem_device=subsystem)
            for bus in buses[:chips]
        ),
        "chips": tuple(chip(n, name, bus) for n, bus in enumerate(buses[:chips])),
        "card_processes": (),
        "boards": tuple(
            Board(npu_id=n, software=hdk, firmware=firmware, compatibility=row["compatibility"]) for n in range(chips)
        ),
        "driver": DriverFacts(
            file=hdk,
            running=hdk,
            tool=hdk,
            package=PackageVersion(row["package"]),
            inner=row["inner"],
            accepts_cann=row["accepts_cann"],
            accepts_firmware=row["accepts_firmware"],
            modules_loaded=("drv_davinci_intf_host", "drv_devmm_host", "drv_pcie_host", "drv_pcie_hdc_host"),
            install_path="/usr/local/Ascend",
            built_for_kernel=True,
        ),
        "firmware": FirmwareFacts(
            file=firmware,
            flash=(firmware,),
            pending=False,
            package=PackageVersion(row["package"]),
            accepts_driver=row["accepts_driver"],
        ),
        "cann": (
            cann(f"{family}-{level}"),
            cann(f"{family}-{level}", "kernels", chip="910" if family == "a1" else "910b"),
        ),
        "cann_parts": cann_parts(f"{family}-{level}"),
        "environments": (
            PythonEnv(
                path="/opt/train",
                python=FrameworkVersion("3.9.2"),
                torch=FrameworkVersion(row["torch"]),
                torch_npu=FrameworkVersion(row["torch_npu"]),
                mindspore=None,
            ),
        ),
        "mpi": "/usr/bin/mpirun",
        "mpi_home": "/usr/lib/x86_64-linux-gnu/openmpi",
        "mpi_name": "Open MPI 4.1.4",
        "holders": (),
        "services": (Service(unit="npu-exporter.service", active=False, enabled=False),),
        "containers": (),
        "network": _addresses(family, chips),
        "kept_files": (KeptFile(path="/etc/hccn.conf", sha256="ab" * 32, mode="0640", owner="0:0"),),
        "env_files": (EnvFile(path="/etc/profile.d/ascend.sh", variables={}, sources=_sets_env(row["cann"])),),
        "leftovers": (),
        "install_log": None,
        "rank_tables": (),
        "record": HostRecord(),
        "live_env": (),
        "interfaces": ("bond0", "docker0", "eth0", "lo"),
        "path_states": tuple(PathState(path=path, mode="0755", uid=0, gid=0) for path in _PATHS),
        "loader_cache": (),
        "container_setups": (),
        "secure_boot": None,
        "in_container": None,
        "root": True,
        "groups": (Group(name="HwHiAiUser", gid=1000),),
        "device_nodes": nodes(chips),
        "occupants": None,
        "processes": (),
        "listeners": (Listener(port=22, uid=0),),
        "ephemeral_ports": (32768, 60999),
        "reserved_ports": ((60000, 60031),),
        "mounts": (Mount(point="/", kind="ext4", options=("rw", "relatime")),),
        "dkms": None,
        "compiler": "10.2.1",
        "install_record": InstallRecord(user="HwHiAiUser", group="HwHiAiUser", keys=INSTALLED_KEYS),
        "module_policy": ModulePolicy(enforced=False),
        "python_packages": (packages(),),
    }
    return HostFacts(**{**facts, **changes})


def _sets_env(_cann: str) -> tuple[str, ...]:
    return ("/usr/local/Ascend/ascend-toolkit/set_env.sh",)
