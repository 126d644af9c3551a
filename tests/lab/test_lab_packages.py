"""The simulated packages on booted lab hosts: what every step of the two upgrades shows, and the collective test.

The rows of both upgrades are the published ones (docs/lab-packages.md, "Steps of an upgrade").
"""

from __future__ import annotations

import platform
import re
import subprocess
from typing import NamedTuple

import pytest

from ascend_provision.lab.packages.build import build
from ascend_provision.lab.packages.contents import of_stack

pytestmark = pytest.mark.lab

A1, A2 = "atlas-800-9000", "atlas-800t-a2"
ARCH = platform.machine()
TOOLKIT = "/usr/local/Ascend/ascend-toolkit"
HCCL_TEST = f"{TOOLKIT}/latest/tools/hccl_test"

# one line: driver file, firmware file, npu-smi's left and right version, flash, Compatibility, upgrade status
STATE = r"""
file() { sed -n 's/^Version=//p' /usr/local/Ascend/$1/version.info 2>/dev/null | grep . || echo gone; }
title=$(npu-smi info 2>/dev/null | sed -n 's/^| npu-smi \([^ ]*\) *Version: \([^ ]*\).*/\1 \2/p')
board=$(npu-smi info -t board -i 0 2>/dev/null | sed -n 's/.*Compatibility *: //p')
tool=/usr/local/Ascend/driver/tools/upgrade-tool
status=$($tool --device_index 0 --status 2>/dev/null | sed -n 's/.*status":\(.*\)}/\1/p')
echo "$(file driver) $(file firmware) ${title:-gone gone} $(awk 'NR == 1 { print $2 }' /opt/ascend-lab/hw/flash)" \
    "${board:--} ${status:--} $(lsmod | grep -c '^drv_pcie_host')"
"""


class State(NamedTuple):
    """What a host shows after a step; `-` is "prints no such line", `gone` "no such file or tool"."""

    driver_file: str
    firmware_file: str
    title_left: str
    title_right: str
    flash: str
    compatibility: str
    status: str
    loaded: str


class Server:
    """A lab host with its working software stopped, and the packages of its product."""

    def __init__(self, fleet, name, profile, packages):
        self.fleet, self.name, self.profile, self.packages = fleet, name, profile, packages

    def sh(self, line, limit_s=120):
        ran = self.fleet.ssh(self.name, line, limit_s)
        return ran.returncode, ran.stdout + ran.stderr

    def state(self):
        return State(*self.sh(STATE)[1].split())

    def quiesce(self):
        self.sh(
            "systemctl disable -q --now npu-exporter;"
            "for c in $(docker ps -q); do docker update --restart=no $c; docker stop $c; done"
        )

    def run(self, kind, stack, *options):
        """Copy the package over and run it; its exit status and its last line but one, without tag and colours."""
        package = next(self.packages / c.file_name for c in of_stack(self.profile, stack, ARCH) if c.kind == kind)
        subprocess.run(
            ["scp", "-q", "-F", str(self.fleet.ssh_config), "-o", "BatchMode=yes", str(package), f"{self.name}:/root/"],
            check=True,
        )
        status, text = self.sh(f"sh /root/{package.name} {' '.join(options)}")
        self.sh(f"rm /root/{package.name}")
        return status, self.last(text)

    @staticmethod
    def last(text):
        lines = [line for line in re.sub(r"\x1b\[\d+m", "", text).splitlines() if "End time" not in line]
        return re.sub(r"^\[\w+\] \[[^]]*\] ", "", lines[-1]).strip()

    def reboot(self):
        before = self.fleet.boot_id(self.name)
        self.sh("systemctl reboot")
        self.fleet.wait_for_another_boot(self.name, before)


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    directory = tmp_path_factory.mktemp("packages")
    build(directory, stacks=[(A1, "hdk23")], arch=ARCH)
    return directory


@pytest.fixture(scope="module")
def a1_pair(lab, packages):
    fleet = lab("pkg")
    servers = [Server(fleet, name, A1, packages) for name in fleet.up(2, A1, "hdk22")]
    for server in servers:
        server.quiesce()
    return servers


OLD, NEW = "1.84.15.1.310", "7.1.0.5.220"


def test_an_overwrite_upgrade_shows_the_published_versions_after_each_step(a1_pair):
    server = a1_pair[0]
    conf = server.sh("cat /etc/hccn.conf")[1]
    assert server.state() == State("22.0.4", OLD, "22.0.4", "22.0.4", OLD, "-", "idle", "1")

    assert server.run("firmware", "hdk23", "--full", "--quiet")[0] == 2
    assert server.state() == State("22.0.4", NEW, "22.0.4", "22.0.4", NEW, "-", "waitting_restart", "1")

    assert server.run("driver", "hdk23", "--full", "--quiet") == (
        2,
        "[INFO]Driver package installed successfully! Reboot needed for installation/upgrade to take effect!",
    )
    assert server.state() == State("23.0.3", NEW, "23.0.3", "22.0.4", NEW, "OK", "waitting_restart", "1")

    server.reboot()
    assert server.state() == State("23.0.3", NEW, "23.0.3", "23.0.3", NEW, "OK", "idle", "1")
    assert server.sh("cat /etc/hccn.conf")[1] == conf


def test_a_clean_upgrade_shows_the_published_versions_after_each_step(a1_pair):
    server = a1_pair[1]
    assert (
        server.sh(
            f"sh {TOOLKIT}/6.0.1/opp_kernel/script/uninstall.sh && sh {TOOLKIT}/6.0.1/{ARCH}-linux/script/uninstall.sh"
        )[0]
        == 0
    )

    status, text = server.sh("sh /usr/local/Ascend/driver/script/uninstall.sh")
    assert (status, server.last(text)) == (
        0,
        "[INFO]Driver package uninstalled successfully! Reboot needed for uninstallation to take effect!",
    )
    assert server.state() == State("gone", OLD, "gone", "gone", OLD, "-", "-", "1")

    assert server.sh("sh /usr/local/Ascend/firmware/script/uninstall.sh")[0] == 0
    assert server.state() == State("gone", "gone", "gone", "gone", OLD, "-", "-", "1")
    server.reboot()
    assert server.state() == State("gone", "gone", "gone", "gone", OLD, "-", "-", "0")

    assert server.run("driver", "hdk23", "--full", "--quiet", "--install-for-all") == (
        0,
        "[INFO]Driver package installed successfully! The new version takes effect immediately.",
    )
    assert server.state() == State("23.0.3", "gone", "23.0.3", "23.0.3", OLD, "NOK", "idle", "1")

    assert server.run("firmware", "hdk23", "--full", "--quiet")[0] == 2
    assert server.state() == State("23.0.3", NEW, "23.0.3", "23.0.3", NEW, "OK", "waitting_restart", "1")
    server.reboot()
    assert server.state() == State("23.0.3", NEW, "23.0.3", "23.0.3", NEW, "OK", "idle", "1")


@pytest.fixture(scope="module")
def trainer(lab, packages):
    """An A2 host whose collective tests are built."""
    fleet = lab("hccl")
    server = Server(fleet, fleet.up(1, A2, "hdk23")[0], A2, packages)
    server.quiesce()
    built, text = server.sh(
        f"make -C {HCCL_TEST} MPI_HOME=/usr/lib/$(uname -m)-linux-gnu/mpich ASCEND_DIR={TOOLKIT}/latest"
    )
    assert built == 0, text
    return server


def collective(
    server, name="all_reduce_test", options="-p 8 -b 8K -e 32K -f 2 -n 20 -w 5 -c 1", ranks=8, limit_s=30, env=""
):
    status, text = server.sh(f"cd {HCCL_TEST}; {env} timeout {limit_s} mpirun -n {ranks} ./bin/{name} {options}")
    return status, text.splitlines()


@pytest.fixture
def fault(trainer):
    """Faults of the trainer for one test."""
    given = []

    def switch(name):
        given.append(name.split("=")[0])
        trainer.fleet.do("fault", trainer.name, name)

    yield switch
    for name in given:
        trainer.fleet.do("fault", trainer.name, name, "--clear")


@pytest.mark.parametrize(
    "name", ["all_reduce_test", "all_gather_test", "reduce_scatter_test", "alltoall_test", "broadcast_test"]
)
def test_every_collective_prints_the_published_table(trainer, name):
    status, lines = collective(trainer, name)

    assert (status, lines[:2]) == (
        0,
        [
            "the minbytes is 8192, maxbytes is 32768, iters is 20, warmup_iters is 5",
            "data_size(Bytes): | aveg_time(us): | alg_bandwidth(GB/s): | check_result:",
        ],
    )
    row = re.compile(r"(\d+) +\| \d+\.\d\d +\| \d+\.\d{5} +\| success")
    assert [row.fullmatch(line).group(1) for line in lines[2:]] == ["8192", "16384", "32768"]


def test_a_corrupted_rank_is_named_while_the_table_says_success(trainer, fault):
    fault("hccl-corrupt-rank=5")
    status, lines = collective(trainer, options="-p 8 -b 8K -e 8K")

    assert status == 0
    assert [line.split("|")[-1].strip() for line in lines if line.startswith("8192")] == ["success"]
    assert [line for line in lines if line.startswith("rank id 5, check result failed, 8192")] != []


def test_a_failing_call_prints_its_code_on_every_rank_and_ends_0(trainer, fault):
    fault("hccl-retcode=7")
    status, lines = collective(trainer)

    assert status == 0
    assert lines.count("hccl interface return err ./common/src/hccl_test_common.cc:538, retcode: 7 ") == 8


def test_hung_ranks_hold_their_cards_until_they_are_ended(trainer, fault):
    fault("hccl-hang")
    trainer.sh(f"cd {HCCL_TEST}; nohup mpirun -n 8 ./bin/all_reduce_test -p 8 -b 8K -e 8K >/dev/null 2>&1 & sleep 3")
    holders = trainer.sh("fuser /dev/davinci[0-7] 2>/dev/null | wc -w")[1].strip()
    table = trainer.sh("npu-smi info | grep -c all_reduce_test")[1].strip()
    trainer.sh("pkill mpirun; pkill mpiexec; sleep 1; pkill -KILL all_reduce_test")

    assert (holders, table) == ("8", "8")


def test_a_missing_card_fails_with_the_runtimes_code(trainer):
    trainer.sh("mv /dev/davinci7 /dev/.davinci7")
    status, lines = collective(trainer, options="-p 7 -b 8K -e 8K", ranks=7, env="HCCL_TEST_USE_DEVS=1,2,3,4,5,6,7")
    trainer.sh("mv /dev/.davinci7 /dev/davinci7")

    assert status == 0
    assert lines == [
        "acl interface return err ./common/src/hccl_test_common.cc:538, retcode: 507033.",
        "This is an error in device_init.",
    ]


def test_a_driver_that_the_toolkit_does_not_know_cannot_be_used(trainer):
    info = "/usr/local/Ascend/driver/version.info"
    trainer.sh(
        f"cp {info} /root/kept; sed -i 's/C15/C84/; s/^compatible_version=.*/compatible_version=[V100R001C84]/' {info}"
    )
    _, lines = collective(trainer, options="-p 8 -b 8K -e 8K")
    trainer.sh(f"cp /root/kept {info}")

    assert lines.count("acl interface return err ./common/src/hccl_test_common.cc:538, retcode: 507033.") == 8


@pytest.mark.parametrize(
    ("options", "said"),
    [("-q", "invalid option "), ("-p 9", "Error: [-p,--npus <npus used for one node>] is invalid")],
)
def test_argument_errors_are_the_only_ones_with_an_exit_status(trainer, options, said):
    status, lines = collective(trainer, options=options, ranks=1)

    assert (status, any(line.startswith(said) for line in lines)) == (255, True)


def test_a_buffer_size_that_is_no_number_ends_0(trainer):
    status, lines = collective(trainer, options="-p 8 -b 8K -e 8K", ranks=1, env="HCCL_BUFFSIZE=200M")

    assert (status, lines[0]) == (0, "Check whether HCCL_BUFFSIZE is all digit.")


def test_without_a_check_the_table_says_null(trainer):
    _, lines = collective(trainer, options="-p 8 -b 8K -e 8K -c 0")

    assert [line.split("|")[-1].strip() for line in lines[2:]] == ["NULL"]


def test_a_wrong_toolkit_directory_does_not_build(trainer):
    trainer.sh(f"rm -rf /root/copy && mkdir /root/copy && cp -R {HCCL_TEST}/. /root/copy && rm -rf /root/copy/bin")
    status, text = trainer.sh("make -C /root/copy ASCEND_DIR=/nowhere")

    assert status == 2
    assert "cannot find -lhccl: /nowhere/lib64/libhccl.so does not exist" in text
