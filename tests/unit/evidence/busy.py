"""A host on which people work: every section of the probe that a quiet one leaves empty has something in it."""

from __future__ import annotations

import json

from tests.unit.evidence.answers import BOOTED_AT, KERNEL, Sections, sections

BOX = "fae80a4b8ca4bcf8e3dce5e69a8deb82b829dd6bcf9e6d594f080ec6e90b3d9d"
_LIBRARIES = ("libascend_hal.so", "libdcmi.so")
_LIB64 = "/usr/local/Ascend/driver/lib64/driver"


def worked_on(family: str) -> Sections:
    """A job in a container on card 0, a monitor, a zombie, and what installs of years leave around."""
    quiet = sections(family)
    address = (quiet.get("hccn_tool.ip.0") or "ipaddr:10.20.0.10\n").split("\n")[0].removeprefix("ipaddr:")
    return {
        **quiet,
        **around(),
        **_processes(),
        **_containers(),
        "rank.tables": f"F /root/hccl.json\n {json.dumps(_rank_table(address))}\n",
        "dkms": f"built {KERNEL}\nlog DKMS make.log for davinci_ascend-1.0 for kernel {KERNEL} (aarch64)\n",
        "flash.demand": '{\n\t{"device_id":0, "driver":234, "firmware":234}\n}\n',
        "clock.makers": "0:MAKER01\n1:NA\n",
        "hbm.makers": "0:0x31,0x56,1600\n",
        "driver.releases": "# number of the flash, first release that has it\n234,23.0.0\n",
        "modinfo.signer": "Ascend module signing key\n",
        "mpi.places": "mpirun=/usr/local/mpich/bin/mpirun /usr/local/mpich/bin/mpiexec.hydra\nhome=/usr/local/mpich\n",
        "mpirun": "HYDRA build details:\n    Version:                                 4.1.2\n",
        "leftovers": "exists /var/log/ascend_seclog\nexists /var/log/npu\nempty /usr/local/Ascend/nnrt\n",
        "env.sources": "gone /root/.bashrc /usr/local/Ascend/nnae/set_env.sh\n",
        "own.lease": f"run=run-7\nholder=laptop\ntoken=12\nexpires_at={BOOTED_AT}\n",
        "own.token": "12\n",
        "own.record": "version=1\nrun=run-7\nplan=p\nstep=verify\nstate=done\nboot_id=b-1\ntoken=12\n",
        "own.units": "npu-exporter.service\n",
        "own.containers": f"{BOX} always\n",
        "own.state": "packages aa\nbackups run-7\n",
    }


def around() -> Sections:
    """What the probe reads of any host that has the stack: trees, loader's cache, interfaces."""
    trees = ("/usr/local/Ascend", "/usr/local/Ascend/driver", "/usr/local/Ascend/driver/lib64")
    libraries = [f"{_LIB64}/{name}" for name in _LIBRARIES]
    return {
        "stack.paths": "".join(f"755 0 0 {path}\n" for path in trees)
        + "".join(f"440 0 1000 {path}\n" for path in libraries),
        "loader.cache": "1234 libs found in cache `/etc/ld.so.cache'\n"
        + "".join(f"\t{path.rsplit('/', 1)[-1]} (libc6,AArch64) => {path}\n" for path in libraries),
        "interfaces": "enp189s0f0\nlo\n",
    }


def _processes() -> Sections:
    group = f"/system.slice/docker-{BOX}.scope"
    exporter = "/system.slice/npu-exporter.service"
    return {
        "holders.devices": "lr-x------ 1 root root 64 Nov 30 15:49 68/fd/3 -> /dev/davinci_manager\n"
        "lrwx------ 1 alice users 64 Nov 30 15:49 4242/fd/30 -> /dev/davinci0\n"
        "lrwx------ 1 alice users 64 Nov 30 15:49 4242/fd/31 -> socket:[424242]\n",
        "holders.groups": f"pid=68 uid=0 cgroup={exporter} state=S\npid=4242 uid=1000 cgroup={group} state=S\n",
        "holders.commands": "pid=68 command=/usr/local/bin/npu-exporter -port=8082\npid=4242 command=python train.py\n",
        "holders.variables": "F 4242\n HCCL_BUFFSIZE=200\n ASCEND_RT_VISIBLE_DEVICES=0\nF 68\n",
        "getent.holders": "root:x:0:0:root:/root:/bin/bash\nalice:x:1000:1000::/home/alice:/bin/bash\n",
        "listeners": "0016 0 12345\nEA60 1000 424242\n",
        "zombies": f"pid=632268 state=Z ppid=4242 uid=1000 cgroup={group} parent=python name=python\n",
        "others": f"pid=4242 state=S ppid=1 uid=1000 cgroup={group} parent=systemd name=python\n",
        "card.processes": f"pid=4242 state=S ppid=1 uid=1000 cgroup={group} parent=systemd name=python\n",
        "uda.namespaces": "ns_id 0 identify 3f21c0 root_tgid 1 dev_num 2 namespace 00000000ffff8881(#), udev list:\n"
        "logic_devid udevid\n       0        0\n       1        1\n\n\n"
        "ns_id 1 identify 9a7 root_tgid 4242 dev_num 1 namespace 00000000abcd0002, udev list:\n"
        "logic_devid udevid\n       0        2\n\n\n",
        "systemctl": "Id=npu-exporter.service\nLoadState=loaded\nActiveState=active\nUnitFileState=enabled\n",
    }


def _containers() -> Sections:
    setup = "false|67108864|private|runc|/dev/davinci0>/dev/davinci0 /dev/hisi_hdc>/dev/hisi_hdc "
    return {
        "docker": f"C|{BOX}|true|false|always|/train|/dev/davinci0 /dev/davinci_manager\nE|{BOX}\n",
        "docker.setup": f"S|{BOX}|{setup}|/usr/local/dcmi>/usr/local/dcmi\nE|{BOX}\nHCCL_BUFFSIZE=200\n",
        "podman": f"C|{BOX[::-1]}|false|true||/old job|\nE|{BOX[::-1]}\n",
        "podman.setup": f"S|{BOX[::-1]}|true|0|host|ascend||\nE|{BOX[::-1]}\n",
    }


def _rank_table(address: str) -> dict[str, object]:
    device = {"device_id": "0", "device_ip": address, "rank_id": "0"}
    server = {"server_id": "10.0.0.7", "host_nic_ip": "reserve", "device": [device]}
    return {"version": "1.0", "server_count": "1", "server_list": [server], "status": "completed"}
