"""The NPU network of a host: /etc/hccn.conf by the product's subnet rule.

Documented (hiascend ascend-deployer guide): on A1 NPU n and n+4 share one of four subnets, on A2 all eight are in one,
on A3 the two dies of an NPU are in different ones. The key order is captured; HDK 22 has no tls_enable line (captured
at 23.0.rc2 and in the older form). On A3 `gateway` comes before `netdetect`, with a static ARP entry for the other die
between them (captured).
"""

from __future__ import annotations

from pathlib import Path

from ascend_provision.lab.ascend.files import write
from ascend_provision.lab.ascend.profiles import Profile
from ascend_provision.lab.ascend.stacks import PublishedStack

# Owner only: hccn_tool runs as root, and the file names the training network. Its published mode is unknown, so
# assumed; a mode that is not the default shows whether a tool that restores the file restores its mode as well.
CONF_MODE = 0o640
_FIRST_NETWORK = 100


def address(profile: Profile, index: int, npu: int) -> tuple[str, str, str]:
    """Address, mask and gateway of one NPU of host `index` (0 to 255)."""
    network = _FIRST_NETWORK + npu % profile.npu_subnets.value if profile.npu_subnets.value > 1 else _FIRST_NETWORK
    return f"10.{network}.{index % 256}.{10 + npu}", "255.255.0.0", f"10.{network}.0.1"


def hccn_conf(profile: Profile, software: PublishedStack, index: int) -> str:
    """The whole file; empty for a product whose chips have no network port."""
    with_tls = _has_tls(software)
    lines: list[str] = []
    for npu in range(profile.nic_ports.value):
        ip, mask, gateway = address(profile, index, npu)
        lines += [f"address_{npu}={ip}", f"netmask_{npu}={mask}"]
        detect, route = f"netdetect_{npu}={gateway}", f"gateway_{npu}={gateway}"
        lines += [route, _arp(profile, index, npu), detect] if profile.static_arp.value else [detect, route]
        lines.append(f"send_arp_status_{npu}=1")
        if with_tls:
            lines.append(f"tls_enable_{npu}=0")
    return "".join(f"{line}\n" for line in lines)


def _arp(profile: Profile, index: int, npu: int) -> str:
    """The entry for the other die of the NPU; its MAC is the one that the simulated hccn_tool prints."""
    other = npu ^ 1
    ip, _, _ = address(profile, index, other)
    mac = f"04:4c:{index // 256 % 256:02x}:{index % 256:02x}:1d:{other:02x}"
    return f"arp_{npu}=-i eth{npu} -s {ip} {mac}"


def write_hccn_conf(root: Path, profile: Profile, software: PublishedStack, index: int) -> None:
    """Write /etc/hccn.conf; the boot unit applies it to the NPUs. Nothing for chips without a port."""
    if profile.nic_ports.value:
        write(root / "etc/hccn.conf", hccn_conf(profile, software, index), CONF_MODE)


def _has_tls(software: PublishedStack) -> bool:
    """The older form goes with the drivers whose version.info has no list of firmware."""
    return any(line.startswith("compatible_version_fw=") for line in software.driver_version_info.value)
