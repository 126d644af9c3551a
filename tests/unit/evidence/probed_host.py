"""A tree that looks like an A1 host with HDK 22.0.4 and CANN 6.0.1, and the probe run on it by the shells at hand."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ascend_provision.evidence import wire
from ascend_provision.stack.evidence import ProbeRecord

PARTS = [Path(wire.__file__).parent / "probe" / name for name in wire.PARTS]
SCRIPT = b"".join(part.read_bytes() for part in PARTS)
FIXTURES = Path(__file__).parent / "fixtures"
SHELLS = [words for words in (["dash"], ["busybox", "ash"], ["bash", "--posix"]) if shutil.which(words[0])]
UPGRADE_TOOL = """#!/bin/sh
case $* in
*--status) printf '{\\n\\t{"device_id":0, "status":idle}\\n}\\n' ;;
*) printf '{\\n\\t{"device_id":0, "component":nve, "version":1.84.15.1.310}\\n}\\n' ;;
esac
"""
VERSION_INFO = "Version=22.0.4\nInnerversion=V100R001C84SPC001B316\npackage_version=6.0.0\n"
BOARD = """printf '\\tNPU ID                         : %s\\n\\tSoftware Version               : 22.0.4\\n' "$5"
printf '\\tFirmware Version               : 1.84.15.1.310\\n'"""
LIST = "printf '\\tTotal Count                    : 8\\n'\n" + "".join(
    f"printf '\\n\\tNPU ID                         : {number}\\n\\tChip Count                     : 1\\n'\n"
    for number in range(8)
)


@dataclass
class Host:
    """A tree below `root` and tools in `bin`, in front of the machine's own."""

    root: Path
    bin: Path

    def file(self, path: str, text: str, mode: int = 0o644) -> Path:
        target = self.root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        target.chmod(mode)
        return target

    def tool(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text(script if script.startswith("#!") else f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def probe(self, *arguments: str, by: list[str] | None = None) -> tuple[ProbeRecord, str]:
        environment = {"PATH": f"{self.bin}:/usr/bin:/bin", "PROBE_ROOT": str(self.root)}
        done = subprocess.run(
            [*(by or SHELLS[0]), "-s", *arguments],
            input=SCRIPT, env=environment, capture_output=True, timeout=100, check=False,
        )  # fmt: skip
        text = done.stdout.decode("utf-8", "surrogateescape")
        return wire.parse("node1", text), text

    def processes(self) -> list[str]:
        """What still runs of this host's tools."""
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                line = path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            except OSError:
                continue
            if str(self.bin) in line:
                found.append(line)
        return found


@contextmanager
def an_a1_host(below: Path) -> Iterator[Host]:
    """The tree, and at the end nothing left running of its tools."""
    made = Host(below / "root", below / "bin")
    made.bin.mkdir()
    made.root.mkdir()
    _system(made)
    _stack(made)
    yield made
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(made.bin).encode() in path.read_bytes():
                os.kill(int(path.parent.name), 9)
        except OSError:
            continue


def _system(host: Host) -> None:
    host.file("etc/os-release", 'ID="openEuler"\nVERSION_ID="22.03"\nPRETTY_NAME="openEuler 22.03 LTS"\n')
    host.file("proc/sys/kernel/random/boot_id", "b-1\n")
    host.file("proc/sys/kernel/hostname", "node1\n")
    host.file("proc/net/tcp", "  sl  local_address rem_address   st\n")
    host.file("proc/mounts", "/dev/sda1 / ext4 rw,relatime 0 0\n")
    host.file("proc/stat", "cpu  1 2 3\nbtime 1700000000\n")
    host.file("proc/1/stat", "1 (systemd) " + "S " + "0 " * 18 + "162 0 0\n")
    host.file("proc/4242/cmdline", "python\0train.py\0--note\0two\nlines\0")
    host.file("proc/4242/cgroup", "0::/user.slice/user-1000.slice/session-3.scope\n")
    host.file("proc/4242/status", "Name:\tpython\nUid:\t1000\t1000\t1000\t1000\n")
    (host.root / "proc/4242/fd").mkdir()
    for number, node in enumerate(("/dev/davinci1", "/dev/null", "/dev/davinci0", "/dev/hisi_hdc")):
        (host.root / f"proc/4242/fd/{number}").symlink_to(node)
    for bus in ("0000:c1:00.0", "0000:01:00.0"):
        for name, value in {"vendor": "0x19e5", "class": "0x120000", "device": "0xd801", "subsystem_vendor": "0x0200",
                            "subsystem_device": "0x0100"}.items():  # fmt: skip
            host.file(f"sys/bus/pci/devices/{bus}/{name}", value + "\n")
    host.file("sys/bus/pci/devices/0000:02:00.0/vendor", "0x8086\n")
    host.file("boot/vmlinuz-5.10.0-60.aarch64", "")
    host.file("lib/modules/5.10.0-60.aarch64/updates/drv_pcie_host.ko", "")
    host.file("lib/modules/5.10.0-60.aarch64/build/Makefile", "")
    for number in range(2):
        host.file(f"dev/davinci{number}", "")
    host.file("etc/passwd", "root:x:0:0::/root:/bin/sh\nHwHiAiUser:x:1000:1000::/home/HwHiAiUser:/bin/bash\n")
    host.file("etc/group", "HwHiAiUser:x:1000:\n")
    for directory in ("tmp", "usr/local", "var", "root"):
        (host.root / directory).mkdir(parents=True, exist_ok=True)
    host.tool("uname", "case $1 in -r) echo 5.10.0-60.aarch64 ;; *) echo aarch64 ;; esac")
    host.tool("id", "echo 0")
    host.tool("getent", "exit 2")
    host.tool("lsmod", "printf 'Module                  Size  Used by\\ndrv_pcie_host 1 0\\nnfs 1 0\\n'")
    host.tool("modinfo", "echo 5.10.0-60.aarch64 SMP mod_unload")
    host.tool("grubby", "echo /boot/vmlinuz-5.10.0-60.aarch64")
    host.tool("mpirun", "echo 'mpirun (Open MPI) 4.1.5'")
    host.tool("docker", "exit 0")
    host.tool("podman", "exit 0")
    host.tool(
        "systemctl",
        "printf 'Id=npu-exporter.service\\nLoadState=loaded\\nActiveState=active\\nUnitFileState=enabled\\n'",
    )


def _stack(host: Host) -> None:
    for name in ("info", "list", "board"):
        text = (FIXTURES / "npu_smi/hdk22.0.4-a1-93col.txt").read_text(encoding="utf-8")
        host.file(f"fixture/{name}", text if name == "info" else "")
    host.tool("npu-smi", f"case $*:$3 in\ninfo:) cat {host.root}/fixture/info ;;\n'info -l:') : ;;\nesac\n"
              f"case $2 in\n-l)\n{LIST} ;;\n-t) {BOARD} ;;\nesac")  # fmt: skip
    host.tool(
        "hccn_tool",
        'case $3 in -ip) printf "ipaddr:10.0.0.1$2\\nnetmask:255.255.0.0\\n" ;; -link) echo "link status: UP" ;; '
        '-tls) echo "dev_id:$2, tls switch[0](0:disable, 1:enable)" ;; '
        '-netdetect) echo "netdetect address: 10.0.0.1" ;; '
        '-net_health) echo "net health status: Success" ;; esac',
    )
    tool = "usr/local/Ascend/driver/tools/upgrade-tool"
    host.file(tool, UPGRADE_TOOL, 0o755)
    host.file("usr/local/Ascend/driver/version.info", VERSION_INFO)
    host.file("usr/local/Ascend/firmware/version.info", "Version=1.84.15.1.310\npackage_version=6.0.0\n")
    host.file("etc/ascend_install.info", "UserName=HwHiAiUser\nDriver_Install_Path_Param=/usr/local/Ascend\n")
    host.file("etc/hccn.conf", "address_0=10.0.0.10\nnetmask_0=255.255.0.0\n", 0o640)
    root = "usr/local/Ascend/ascend-toolkit/6.0.1"
    host.file(f"{root}/aarch64-linux/ascend_toolkit_install.info", "package_name=Ascend-cann-toolkit\nversion=6.0.1\n")
    host.file(f"{root}/aarch64-linux/script/uninstall.sh", "")
    host.file(f"{root}/tools/hccl_test/Makefile", "")
    host.file(f"{root}/compiler/version.info", 'Version=1.84.15.1.310\nrequired_package_opp_version="1.84"\n')
    host.file(f"{root}/opp/version.info", "Version=1.84.15.1.310\n")
    (host.root / "usr/local/Ascend/ascend-toolkit/latest").symlink_to("6.0.1")
    site = "opt/conda/envs/train/lib/python3.9/site-packages"
    host.file(f"{site}/torch_npu-2.1.0.dist-info/METADATA", "Name: torch-npu\nVersion: 2.1.0\nSecret: no\n")
    host.file("etc/profile.d/npu.sh", "export HCCL_BUFFSIZE=200\nexport DB_PASSWORD=hunter2\n")
    host.file("etc/systemd/system/npu-exporter.service", "")
    host.file("var/log/ascend_seclog/ascend_install.log", "[Driver] [2024-05-01 10:00:00] [INFO]End time: x\n")
    host.file("var/lib/ascend-provision/lease", "run=r1\nholder=me\ntoken=3\nexpires_at=99\n")
    host.file("var/lib/ascend-provision/packages/aa/x.run", "")
