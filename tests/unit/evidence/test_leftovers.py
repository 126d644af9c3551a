from __future__ import annotations

from dataclasses import replace

from ascend_provision.evidence import leftovers
from ascend_provision.evidence.cann import CannFiles
from ascend_provision.evidence.install_info import InstallInfo
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import Leftover
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.network import RankDevice, RankServer, RankTable

PLACES = """exists /var/lib/dkms/davinci_ascend
exists /usr/src/davinci_ascend-1.0
exists /var/log/ascend_seclog
exists /var/log/npu
exists /etc/logrotate.d/HwHiAiUser_logrotate
exists /root/ascend_check
exists /tmp/selfgz4242
empty /usr/local/Ascend/firmware
dangling /usr/local/bin/npu-smi -> /usr/local/Ascend/driver/tools/npu-smi
dangling /usr/local/bin/foreign -> /opt/foreign/bin
"""
NOTHING = leftovers.Installed(
    driver=False, firmware=False, modules=(), info=InstallInfo(None, None), cann=CannFiles(())
)
NO_SOURCES = Evidence(name="env.sources", status=0)


def kinds(installed: leftovers.Installed, places: str = PLACES, sources: Evidence = NO_SOURCES) -> list[str]:
    found = leftovers.parse(Evidence(name="leftovers", status=0, text=places), sources, installed).facts
    assert not isinstance(found, Unknown)
    return [item.kind for item in found]


def test_a_removed_driver_leaves_its_tree_logs_and_links() -> None:
    assert kinds(NOTHING) == [
        "check-directory",
        "dangling-link",
        "device-log",
        "dkms-source",
        "dkms-tree",
        "empty-directory",
        "install-log",
        "logrotate",
        "unpacked-package",
    ]


def test_nothing_of_an_installed_driver_is_a_leftover() -> None:
    assert kinds(replace(NOTHING, driver=True)) == [
        "check-directory",
        "dangling-link",
        "empty-directory",
        "unpacked-package",
    ]


def test_a_driver_that_could_not_be_read_owns_its_places() -> None:
    assert "install-log" not in kinds(replace(NOTHING, driver=None))


def test_records_and_modules_that_outlived_their_package() -> None:
    info = InstallInfo(None, "/usr/local/Ascend", keys=("UserName", "Firmware_Install_Path_Param"))
    cann = CannFiles((), orphans=("/usr/local/Ascend/nnae/6.0.1",), dangling=("/x/latest/opp",), recorded=True)
    installed = replace(NOTHING, info=info, modules=("drv_pcie_host",), cann=cann)

    assert kinds(installed, places="") == [
        "cann-install-info",
        "dangling-link",
        "install-info",
        "loaded-modules",
        "orphan-cann",
    ]


def test_a_shell_line_that_reads_a_file_that_is_gone() -> None:
    sources = Evidence(name="env.sources", status=0, text="gone /root/.bashrc /usr/local/Ascend/x/set_env.sh\n")
    found = leftovers.parse(Evidence(name="leftovers", status=0), sources, NOTHING).facts

    assert found == (
        Leftover(kind="shell-line", path="/root/.bashrc", detail="reads /usr/local/Ascend/x/set_env.sh, which is gone"),
    )


def table(path: str, *addresses: str) -> RankTable:
    devices = tuple(RankDevice(device_id=str(n), device_ip=address) for n, address in enumerate(addresses))
    return RankTable(path=path, servers=(RankServer(server_id="10.0.0.1", devices=devices),))


TABLES = (
    table("/root/hccl_8p.json", "192.168.1.2"),
    table("/etc/hccl_rootinfo.json", "10.20.0.2", "10.20.0.3"),
    RankTable(path="/root/rank_table_broken.json", problem="no whole JSON document"),
)


def test_only_a_rank_table_without_this_hosts_addresses_is_stale() -> None:
    assert [item.path for item in leftovers.rank_tables(TABLES, {"10.20.0.2"})] == ["/root/hccl_8p.json"]


def test_without_an_address_of_its_own_a_host_calls_no_table_stale() -> None:
    assert leftovers.rank_tables(TABLES, set()) == ()


def test_of_tables_that_could_not_be_read_none_is_stale() -> None:
    assert leftovers.rank_tables(Unknown(unknown="rank.tables: timed out after 10 s"), {"10.20.0.2"}) == ()
