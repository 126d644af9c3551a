"""What the probe sees of the machine around the cards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ascend_provision.evidence import facts
from ascend_provision.stack.machine import DkmsTree, ModulePolicy, Process
from ascend_provision.stack.model import Unknown
from tests.unit.evidence.probed_host import SHELLS, Host, an_a1_host


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """An A1 host with HDK 22.0.4 and CANN 6.0.1."""
    with an_a1_host(tmp_path) as made:
        yield made


@pytest.mark.parametrize("shell", SHELLS, ids=[words[0] for words in SHELLS])
def test_it_sees_the_machine_around_the_cards(host: Host, shell: list[str]) -> None:
    """A zombie and its parent, who listens on HCCL's ports, whom the driver gave cards, what a build would meet."""
    group = "0::/system.slice/docker-" + "fae8" * 16 + ".scope\n"
    for pid, name, parent, state in ((700, "EngineCore", 600, "Z"), (600, "vllm serve", 1, "S")):
        host.file(f"proc/{pid}/stat", f"{pid} ({name}) {state} {parent} 0\n")
        host.file(f"proc/{pid}/status", f"Name:\t{name}\nState:\t{state} (x)\nPPid:\t{parent}\nUid:\t0\t0\t0\t0\n")
        host.file(f"proc/{pid}/comm", name + "\n")
        host.file(f"proc/{pid}/cgroup", group if pid == 600 else "0::/\n")
    (host.root / "proc/600/fd").mkdir()
    (host.root / "proc/600/fd/9").symlink_to("socket:[4242]")
    row = "   0: 0000000A:{} 00000000:0000 {} 00000000:00000000 00:00000000 00000000  1007        0 {} 1\n"
    host.file("proc/net/tcp", "  sl local\n" + row.format("EA60", "0A", 4242) + row.format("EA61", "01", 77))
    host.file("proc/uda/namespace_node", "ns_id 1 identify 9a7 root_tgid 600 dev_num 1 namespace ffff0002, udev list:\n"
              "logic_devid udevid\n       0        3\n\n\n")  # fmt: skip
    host.file("proc/sys/net/ipv4/ip_local_port_range", "32768\t60999\n")
    host.file("proc/sys/net/ipv4/ip_local_reserved_ports", "\n")
    host.file("proc/mounts", "/dev/sda1 / ext4 rw 0 0\ntmpfs /tmp tmpfs rw,noexec 0 0\nx /mnt/x nfs rw 0 0\n")
    host.file("proc/version", "Linux version 5.10.0-60.aarch64 (a@b) (gcc_old (GCC) 10.3.1, GNU ld) #1 SMP\n")
    host.file("sys/module/module/parameters/sig_enforce", "Y\n")
    host.file("usr/src/kernels/5.10.0-60.aarch64/Makefile", "")
    host.file("lib/modprobe.d/10-unsupported-modules.conf", "# SUSE\nallow_unsupported_modules 0\n")
    host.file("var/lib/dkms/davinci_ascend/1.0/build/make.log",
              "DKMS make.log for davinci_ascend-1.0 for kernel 5.10.0-60.aarch64 (aarch64)\nmake -j8\n"
              "x.c:1:2: error: too old\nx.c:2:2: error: second\n")  # fmt: skip
    host.tool("gcc", "echo 7.3.0")
    host.tool("modinfo", "case $2 in signer) echo 'site key' ;; *) echo 5.10.0-60.aarch64 SMP ;; esac")
    found = facts.read(host.probe(by=shell)[0])

    assert found.processes == (
        Process(pid=700, name="EngineCore", state="Z", ppid=600, parent="vllm serve", container="fae8" * 16),
    )
    assert not isinstance(found.listeners, Unknown)
    assert [(one.port, one.uid) for one in found.listeners] == [(60000, 1007)]
    if shell != ["busybox", "ash"]:  # its find follows no link names
        assert found.listeners[0].process is not None
        assert (found.listeners[0].process.name, found.listeners[0].process.container) == ("vllm serve", "fae8" * 16)
    assert not isinstance(found.occupants, Unknown)
    assert found.occupants is not None
    assert [(one.root_tgid, one.devices, one.process and one.process.name) for one in found.occupants] == [
        (600, (3,), "vllm serve")
    ]
    assert not isinstance(found.holders, Unknown)
    assert [item.pid for item in found.holders] == [4242]
    assert (found.ephemeral_ports, found.reserved_ports) == ((32768, 60999), ())
    assert not isinstance(found.mounts, Unknown)
    assert [mount.point for mount in found.mounts] == ["/", "/tmp"]
    assert (found.compiler, found.kernel.headers_of) == ("7.3.0", ("5.10.0-60.aarch64",))
    assert found.dkms == DkmsTree(built_for=(), failed_for="5.10.0-60.aarch64", error="x.c:1:2: error: too old")
    if shell != ["busybox", "ash"]:  # has a uname and a modinfo of its own, which look elsewhere
        assert found.kernel.gcc == "10.3.1"
        assert found.module_policy == ModulePolicy(enforced=True, signer="site key", unsupported_allowed=False)
    assert not isinstance(found.device_nodes, Unknown)
    assert [(node.path, node.is_device) for node in found.device_nodes] == [
        ("/dev/davinci0", False), ("/dev/davinci1", False),
    ]  # fmt: skip
    assert found.unread == ()
