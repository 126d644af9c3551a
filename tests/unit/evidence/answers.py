"""Whole answers of the probe, as text: hosts of three families at published levels, and ways to make one sick.

Every number of a level is one that was published together; see tests/unit/factories.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.unit.factories import LEVELS

Sections = dict[str, str | None]
"""Section -> its output; None: the command or file is not there."""

BOOTED_AT = 1_735_700_000
_INSTALLED = "2025-01-01 00:10:00"
_INSTALLED_AT = 1_735_690_200
KERNEL = "5.10.0-216.0.0.115.oe2203sp4.aarch64"


@dataclass(frozen=True)
class Family:
    """`device` and `subsystem` are PCI ids, `dies` chips a card, `subnet` the third number of card N's address."""

    name: str
    level: str
    device: str
    subsystem: str
    hbm: str
    ddr: str
    cards: int = 4
    dies: int = 1
    nic: bool = True


FAMILIES = {
    "a1": Family("910B", "a1-hdk24", "d801", "0x0200:0x0100", "0    / 32768", "2382 / 15038"),
    "a2": Family("910B3", "a2-hdk24", "d802", "0x19e5:0x3000", "3351 / 65536", "0    / 0"),
    "a3": Family("Ascend910", "a2-hdk24", "d803", "0x19e5:0x3000", "3200 / 65536", "0    / 0", cards=2, dies=2),
    "310p": Family("310P3", "a1-hdk24", "d500", "0x0200:0x0100", "", "1839 / 21525", cards=2, nic=False),
}


def answer(changes: Mapping[str, str | None] | None = None, family: str = "a2") -> str:
    """The probe's answer of a host of this family; `changes` replace sections."""
    return written({**sections(family), **(changes or {})})


def written(found: Sections) -> str:
    """Sections in the probe's form."""
    head = "".join(f"#S {name} {'-' if text is None else 0} 3 {'not found' if text is None else ''}\n"
                   for name, text in found.items())  # fmt: skip
    body = ""
    for name in sorted(found):
        lines = (found[name] or "").splitlines()
        body += f"@{name} {len(lines)}\n" + "".join(f"|{line}\n" for line in lines) if found[name] is not None else ""
    return f"#ascend-provision-probe 2\n{head}{body}#E {len(found)} 95\n"


def sections(family: str = "a2") -> Sections:
    """Every section of a healthy host on which nobody works."""
    made = FAMILIES[family]
    level = LEVELS[made.level]
    chips = made.cards * made.dies
    return {
        **_system(made, chips),
        **_npu_smi(made, level),
        **_stack(level),
        **_network(made, chips),
        "upgrade-tool.status": "{\n" + "".join(f'\t{{"device_id":{n}, "status":idle}}\n' for n in range(chips)) + "}\n",
        "upgrade-tool.version": "".join(
            f'\t{{"device_id":{n}, "component":nve, "version":{level["firmware"]}}}\n' for n in range(chips)
        ),
    }


def bus(card: int, die: int = 0) -> str:
    """Where the card's die is on the PCI bus."""
    return f"0000:{0x10 * (card + 1) + 2 * die:02x}:00.0"


def _system(made: Family, chips: int) -> Sections:
    functions = [bus(card, die) for card in range(made.cards) for die in range(made.dies)]
    nodes = ["davinci_manager", "devmm_svm", "hisi_hdc", *(f"davinci{n}" for n in range(chips))]
    return {
        "host": f"uid=0\nboot_id=0d5e4a1c-6f0e-4c57-9c51-0a6f3c5e9d10\nhostname=node1\n"
        f"pid1=1 (systemd) S {'0 ' * 18}162 0 0\n"
        f"version=Linux version {KERNEL} (abuild@obs) (gcc_old (GCC) 10.3.1) #1 SMP\nip_local_port_range=32768\t60999\n"
        f"ip_local_reserved_ports=60000-60031\nbtime {BOOTED_AT}\nnow={BOOTED_AT + 86400}\n"
        f"release={KERNEL}\nmachine=aarch64\n"
        f"headers=yes\nheaders_of={KERNEL}\naicpu=no\nos_release=yes\nos_release_link=yes\nsecure_boot=none\n",
        "os-release": 'ID="openEuler"\nVERSION_ID="22.03"\nPRETTY_NAME="openEuler 22.03 (LTS-SP4)"\n',
        "pci": "".join(f"{place} device=0x{made.device} subsystem={made.subsystem}\n" for place in functions),
        "device.nodes": "".join(
            f"crw-rw---- 1 1000 1000 236, {n} Nov 30 15:49 /dev/{node}\n" for n, node in enumerate(nodes)
        ),
        "mounts": "/ ext4 rw,relatime\n/boot ext4 rw,relatime\n",
        "tools": "".join(f"{tool}=yes\n" for tool in _TOOLS.split()),
        "pythons": "/usr/bin/python3 Python 3.9.9\n",
        "gcc": "10.3.1\n",
        "boot.loader": f"image=vmlinuz-{KERNEL}\n",
        "grubby": f"/boot/vmlinuz-{KERNEL}\n",
        "lsmod": "Module                  Size  Used by\ndrv_pcie_host 512000 3\nascend_uda 90000 7 drv_pcie_host\n",
        "modules.files": f"/lib/modules/{KERNEL}/updates/drv_pcie_host.ko\n",
        "modinfo": f"/lib/modules/{KERNEL}/updates/drv_pcie_host.ko {KERNEL} SMP mod_unload aarch64\n",
        "modinfo.signer": None,
        "dkms": None,
        "disks": "Filesystem 1024-blocks Used Available Capacity Mounted on\n"
        "/dev/sda2 900000000 100000000 800000000 12% /\n"
        "/dev/sda1 1000000 200000 800000 20% /boot\n",
        "getent.passwd": "HwHiAiUser:x:1000:1000::/home/HwHiAiUser:/bin/bash\n",
        "getent.group": "HwHiAiUser:x:1000:\n",
        "getent.holders": None,
        "holders.devices": "", "holders.groups": "", "holders.commands": "",
        "holders.variables": "", "uda.namespaces": None,
        "listeners": "0016 0 12345\n", "zombies": "", "others": "", "card.processes": "",
        "systemctl": None, "docker": "", "podman": None, "mpi.places": "", "mpirun": None,
        "leftovers": "", "env.sources": "", "rank.tables": "",
        "flash.demand": None, "clock.makers": None, "hbm.makers": None, "driver.releases": None,
        "own.lease": None, "own.token": None, "own.record": None, "own.units": None,
        "own.containers": None, "own.state": "",
    }  # fmt: skip


_TOOLS = (
    "tar gzip xz bc lspci ifconfig ip gcc g++ make dkms mpirun mpicc docker podman systemctl systemd-run setsid "
    "sha256sum flock sync stat find awk sed od getent useradd groupadd usermod npu-smi hccn_tool fuser lsof "
    "ps lsmod modprobe depmod rmmod insmod modinfo rpm yum sudo python3 mokutil grubby net-tools pciutils kernel-devel"
)


_PACKAGES = (
    "numpy-1.24.0 decorator-5.1.1 sympy-1.12 scipy-1.10.1 cffi-1.15.1 protobuf-3.20.2 attrs-23.1.0 pyyaml-6.0.1 "
    "pathlib2-2.3.7 psutil-5.9.5 absl_py-2.0.0 requests-2.31.0 cloudpickle-3.0.0 ml_dtypes-0.2.0 tornado-6.4 "
    "jinja2-3.1.2"
)


def _npu_smi(made: Family, level: Mapping[str, str | None]) -> Sections:
    wide = f"+{'-' * 27}+{'-' * 15}+{'-' * 52}+"
    thick = wide.replace("-", "=")
    both = bool(made.hbm)
    second = "Chip  Phy-ID" if made.dies > 1 else "Chip"
    usage = "Memory-Usage(MB)  HBM-Usage(MB)" if both else "Memory-Usage(MB)"
    rows = [
        f"+{'-' * 96}+",
        f"| {'npu-smi ' + str(level['driver']):<33}{'Version: ' + str(level['driver']):<62}|",
        wide,
    ]
    rows += [f"| {'NPU   Name':<26}| {'Health':<14}| {'Power(W)    Temp(C)           Hugepages-Usage(page)':<51}|"]
    rows += [f"| {second:<26}| {'Bus-Id':<14}| {'AICore(%)   ' + usage:<51}|", thick]
    for card in range(made.cards):
        for die in range(made.dies):
            chip = f"{die}     {card * made.dies + die}" if made.dies > 1 else f"{die}"
            memory = f"{made.ddr}          {made.hbm}" if both else made.ddr
            rows += [f"| {f'{card}     {made.name}':<26}| {'OK':<14}| {'90.0        47                0    / 0':<51}|"]
            rows += [f"| {chip:<26}| {bus(card, die).upper():<14}| {'0           ' + memory:<51}|"]
            rows += [thick if die + 1 == made.dies else f"+{'-' * 96}+"]
    rows += [
        wide,
        f"| {'NPU     Chip':<26}| {'Process id':<14}| {'Process name             | Process memory(MB)':<51}|",
        thick,
    ]
    for card in range(made.cards):
        rows += [f"| {f'No running processes found in NPU {card}':<95}|", thick]
    lists = "".join(f"\n\tNPU ID                         : {n}\n\tChip Count                     : {made.dies}\n"
                    for n in range(made.cards))  # fmt: skip
    maps = "".join(f"\t{n:<31}{d:<31}{n * made.dies + d:<31}Ascend {made.name}\n"
                   for n in range(made.cards) for d in range(made.dies))  # fmt: skip
    return {
        "npu-smi.info": "\n".join(rows) + "\n",
        "npu-smi.list": f"\tTotal Count                    : {made.cards}\n{lists}",
        "npu-smi.map": f"\t{'NPU ID':<31}{'Chip ID':<31}{'Chip Logic ID':<31}Chip Name\n{maps}",
        **{
            f"npu-smi.board.{card}": f"\tNPU ID                         : {card}\n"
            "\tProduct Name                   : IT21\n"
            f"\tSerial Number                  : 21023100000{card}\n"
            f"\tSoftware Version               : {level['driver']}\n"
            f"\tFirmware Version               : {level['firmware']}\n\tCompatibility                  : OK\n"
            for card in range(made.cards)
        },
    }


def _stack(level: Mapping[str, str | None]) -> Sections:
    root = f"/usr/local/Ascend/ascend-toolkit/{level['cann']}"
    site = "/opt/conda/envs/train/lib/python3.9/site-packages"
    paths = ("/etc/hccn.conf", "/etc/ascend_install.info", "/var/log/ascend_seclog/ascend_install.log")
    return {
        "driver.version": f"Version={level['driver']}\nascendhal_version=7.35.23\nInnerversion={level['inner']}\n"
        f"compatible_version={level['accepts_cann']}\ncompatible_version_fw={level['accepts_firmware']}\n"
        f"package_version={level['package']}\n",
        "firmware.version": f"Version={level['firmware']}\nfirmware_version=1.0\npackage_version={level['package']}\n"
        f"compatible_version_drv={level['accepts_driver']}\n",
        "install-info": "UserName=HwHiAiUser\nUserGroup=HwHiAiUser\nDriver_Install_Type=full\n"
        "Driver_Install_Path_Param=/usr/local/Ascend\nDriver_Install_For_All=yes\nFirmware_Install_Type=full\n"
        "Firmware_Install_Path_Param=/usr/local/Ascend\n",
        "cann": f"R /usr/local/Ascend\nV {root}\nU {root}/aarch64-linux/script/uninstall.sh\n"
        f"H {root}/tools/hccl_test\nF {root}/aarch64-linux/ascend_toolkit_install.info\n"
        f" package_name=Ascend-cann-toolkit\n version={level['cann']}\n"
        f" innerversion={level['cann_inner']}\n compatible_version={level['cann_accepts']}\n"
        " arch=aarch64\n os=linux\n"
        f" path={root}/aarch64-linux\n"
        f"F {root}/compiler/version.info\n Version={level['component']}\n version_dir={level['cann']}\n"
        f' required_package_opp_version=">=7.1, <=7.6"\n'
        f"F {root}/opp/version.info\n Version={level['component']}\n version_dir={level['cann']}\n",
        "cann.record": "Toolkit_InstallPath=/usr/local/Ascend\n",
        "environments": f"D {site}/torch-{level['torch']}.dist-info\n"
        f"D {site}/torch_npu-{level['torch_npu']}.dist-info\n"
        "P /opt/conda/envs/train/conda-meta/python-3.9.18-h1.json\n"
        f"F {site}/torch_npu-{level['torch_npu']}.dist-info/METADATA\n"
        f" Name: torch-npu\n Version: {level['torch_npu']}\n",
        "python.packages": f"S {site}\n"
        + "".join(f" {name}.dist-info\n" for name in _PACKAGES.split())
        + " CXX11_ABI=0\n",
        "docker.setup": "",
        "podman.setup": None,
        "env.files": "F /etc/profile.d/npu.sh\n source /usr/local/Ascend/ascend-toolkit/set_env.sh\n"
        " export HCCL_BUFFSIZE=200\n"
        " export PYTORCH_NPU_ALLOC_CONF=expandable_segments:True\n",
        "kept.stat": "".join(f"640 0:0 {_INSTALLED_AT} {path}\n" for path in paths),
        "kept.sha256": "".join(f"{str(n) * 64}  {path}\n" for n, path in enumerate(paths)),
        "install.log": f" [Driver] [{_INSTALLED}] [INFO]Start time: {_INSTALLED}\n"
        f" [Driver] [{_INSTALLED}] [INFO]End time: {_INSTALLED}\n"
        f"L [Driver] [{_INSTALLED}] [INFO]End time: {_INSTALLED}\n",
    }  # fmt: skip


def _network(made: Family, chips: int) -> Sections:
    if not made.nic:
        return {"hccn.conf": None, "hccn_tool": ""}
    apart = {"d801": 4, "d803": 2}.get(made.device, 1)
    addresses = {n: f"10.20.{n % apart}.{n + 10}" for n in range(chips)}
    return {
        "hccn.conf": "".join(
            f"address_{n}={address}\nnetmask_{n}=255.255.255.0\nnetdetect_{n}=10.20.{n % apart}.1\n"
            for n, address in addresses.items()
        ),
        "hccn_tool": "",
        **{f"hccn_tool.ip.{n}": f"ipaddr:{address}\nnetmask:255.255.255.0\n" for n, address in addresses.items()},
        **{f"hccn_tool.link.{n}": "link status: UP\n" for n in addresses},
        **{f"hccn_tool.netdetect.{n}": f"netdetect address: 10.20.{n % apart}.1\n" for n in addresses},
        **{f"hccn_tool.health.{n}": "net health status: Success\n" for n in addresses},
        **{f"hccn_tool.tls.{n}": f"dev_id:{n}, tls switch[0](0:disable, 1:enable)\n" for n in addresses},
    }
