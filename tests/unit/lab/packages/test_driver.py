"""Installing a driver: success lines and exit status, what it writes, what it refuses."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from ascend_provision.lab.packages.build import build
from tests.unit.lab.packages.conftest import A1, A2, LabRoot

Hosts = Callable[..., LabRoot]
AT_ONCE = "[INFO]Driver package installed successfully! The new version takes effect immediately. "
AFTER_REBOOT = "[INFO]Driver package installed successfully! Reboot needed for installation/upgrade to take effect! "


@contextmanager
def holding(host: LabRoot, node: str) -> Iterator[int]:
    """A process that has a device open."""
    with host.path(f"/dev/{node}").open() as handle, subprocess.Popen(["sleep", "60"], stdin=handle) as process:
        try:
            yield process.pid
        finally:
            process.kill()


def test_a_first_driver_takes_effect_at_once(bare: Hosts) -> None:
    host = bare()
    ran = host.install("driver", "hdk22", "--full", "--install-for-all")

    assert ran.status == 0
    assert ran.lines[-2] == AT_ONCE
    assert [line for line in ran.lines if "upgradePercentage" in line] == [
        f"[INFO]upgradePercentage:{part}%" for part in (10, 30, 40, 90, 100)
    ]
    assert (host.version("driver"), host.running) == ("22.0.4", "22.0.4")
    assert host.install_info() == [
        "UserName=HwHiAiUser",
        "UserGroup=HwHiAiUser",
        "Driver_Install_Type=full",
        "Driver_Install_Path_Param=/usr/local/Ascend",
        "Driver_Install_For_All=yes",
    ]
    assert host.path("/lib/davinci.conf").read_text() == "DAVINCI_HOME_PATH=/usr/local/Ascend\n"
    assert sorted(p.name for p in host.path("/dev").glob("davinci[0-9]")) == [f"davinci{n}" for n in range(8)]


def test_success_lines_are_coloured(bare: Hosts) -> None:
    raw = bare().install("driver", "hdk22").raw

    assert "[INFO]\x1b[32mDriver package installed successfully!" in raw


def test_over_a_loaded_a1_driver_a_reboot_is_needed(installed: Hosts) -> None:
    host = installed(A1)
    ran = host.install("driver", "hdk23")

    assert (ran.status, ran.lines[-2]) == (2, AFTER_REBOOT)
    assert (host.version("driver"), host.running) == ("23.0.3", "22.0.4")
    assert "Driver_Install_Mode=normal" in host.install_info()
    host.boot()
    assert host.running == "23.0.3"


def test_over_an_idle_a2_driver_a_hot_reset_is_enough(installed: Hosts) -> None:
    host = installed(A2)
    ran = host.install("driver", "hdk24")

    assert (ran.status, ran.lines[-2]) == (0, AT_ONCE)
    assert (host.version("driver"), host.running) == ("24.1.0", "24.1.0")
    assert host.install_info()[-1] == "Driver_Install_Status=complete"


def test_upgrade_says_upgraded_and_asks_nothing(installed: Hosts) -> None:
    ran = installed(A1).install("driver", "hdk23", "--upgrade")

    assert (ran.status, "upgraded successfully" in ran.lines[-2]) == (2, True)
    assert "do you want to continue" not in ran.text


def test_upgrade_on_a_bare_host_installs(bare: Hosts) -> None:
    ran = bare().install("driver", "hdk22", "--upgrade")

    assert (ran.status, ran.lines[-2]) == (0, AT_ONCE)


@pytest.mark.parametrize("answer", ["n\n", "", "maybe\nn\n"])
def test_no_to_overwriting_ends_0_and_changes_nothing(installed: Hosts, answer: str) -> None:
    host = installed(A1)
    ran = host.install("driver", "hdk23", "--full", answer=answer)

    assert (ran.status, ran.lines[-2]) == (0, "[INFO]installation Stoped!")
    assert "the version is 22.0.4, and the version of this package is 23.0.3,do you want to continue?" in ran.text
    assert (host.version("driver"), host.running) == ("22.0.4", "22.0.4")


def test_modules_that_stay_are_said_to_stay(installed: Hosts) -> None:
    host = installed(A2)
    host.fault("module-busy")
    ran = host.install("driver", "hdk24")

    assert ran.status == 2
    assert ran.lines[-3] == "[INFO]Driver package installed finished! "
    assert ran.lines[-2].startswith("[WARNING]Kernel modules can not be removed, reboot needed")
    assert host.running == "23.0.3"


def test_a_failed_build_leaves_no_driver(installed: Hosts) -> None:
    host = installed(A1)
    host.fault("dkms-build-fails")
    ran = host.install("driver", "hdk23")

    assert ran.status == 1
    assert "[ERROR]Driver_ko_install failed, details in : /var/log/ascend_seclog/ascend_install.log " in ran.lines
    assert host.version("driver") is None
    assert not host.path("/usr/local/bin/npu-smi").is_symlink()
    assert host.path("/var/lib/dkms/davinci_ascend/1.0/build/make.log").exists()
    assert "Driver_Install_Path_Param=/usr/local/Ascend" in host.install_info()
    host.boot()
    assert host.running is None


def test_without_dkms_the_log_says_which_kernel_the_driver_was_built_for(bare: Hosts) -> None:
    host = bare()
    host.path("/usr/sbin/dkms").unlink()
    ran = host.install("driver", "hdk22")
    log = host.path("/var/log/ascend_seclog/ascend_install.log").read_text()

    assert (ran.status, host.version("driver")) == (1, None)
    assert "[ERROR]Drv_dkms_env_check failed, details in : /var/log/ascend_seclog/ascend_install.log " in ran.lines
    assert "[WARNING]The program 'dkms' is currently not installed." in log
    assert "[ERROR]current kernel primary version(5.10.0-23-" in log


def test_the_other_chips_package_is_refused(bare: Hosts, packages: object) -> None:
    host = bare(A1)
    ran = host.run(LabRoot(host.root, A2, host.packages).package("driver", "hdk23"), "--full", "--quiet")

    assert (ran.status, ran.lines[-2]) == (
        1,
        "[ERROR]The current installation package and environment is not match, please check.",
    )
    assert host.version("driver") is None


def test_the_other_architectures_package_is_refused(bare: Hosts) -> None:
    host = bare()
    here = next(x[5:] for x in host.path("/opt/ascend-lab/hw/profile").read_text().splitlines() if x[:5] == "ARCH=")
    other = "aarch64" if here == "x86_64" else "x86_64"
    package = build(host.path("/tmp/other"), stacks=[(A1, "hdk22")], arch=other, only=["driver"])[0]
    ran = host.run(package, "--full", "--quiet")

    assert (ran.status, ran.lines[-2]) == (1, f"[ERROR]Arch mismatch, src package is {other}, cur os is {here} ")


def test_an_installer_that_fails_early_changes_nothing(installed: Hosts) -> None:
    host = installed(A1)
    host.fault("installer-exits-1", "driver")
    ran = host.install("driver", "hdk23")

    assert ran.status == 1
    assert (host.version("driver"), host.running) == ("22.0.4", "22.0.4")


def test_a_held_device_is_named_in_the_log_and_refused(installed: Hosts) -> None:
    host = installed(A2)
    with holding(host, "davinci3") as pid:
        ran = host.install("driver", "hdk24")
    log = host.path("/var/log/ascend_seclog/ascend_install.log").read_text()

    assert ran.status == 1
    assert any(line.startswith("[ERROR]The davinci nodes are occupied by some processes") for line in ran.lines)
    assert f"[WARNING]proc:/dev/davinci3 has user process: {pid}" in log
    assert host.version("driver") == "23.0.3"


def test_force_installs_over_a_held_device_and_wants_a_reboot(installed: Hosts) -> None:
    host = installed(A2)
    with holding(host, "davinci0"):
        ran = host.install("driver", "hdk24", "--full", "--quiet", "--force")

    assert (ran.status, ran.lines[-2]) == (2, AFTER_REBOOT)
    assert (host.version("driver"), host.running) == ("24.1.0", "23.0.3")


def test_a_missing_user_is_named(bare: Hosts) -> None:
    host = bare()
    host.path("/etc/passwd").write_text("root:x:0:0::/root:/bin/sh\n")
    ran = host.install("driver", "hdk22")

    assert (ran.status, ran.lines[-2]) == (
        1,
        "[ERROR]ERR_NO:0x0091;ERR_DES:HwHiAiUser not exists! Please add HwHiAiUser",
    )


def test_another_user_than_the_installed_one_is_refused(installed: Hosts) -> None:
    options = ("--full", "--quiet", "--install-username=root", "--install-usergroup=root", "--install-for-all")
    ran = installed(A1).install("driver", "hdk23", *options)

    assert (ran.status, "ERR_NO:0x0095" in ran.text) == (1, True)


def test_missing_tools_are_listed(bare: Hosts) -> None:
    host = bare()
    host.path("/usr/bin/lspci").unlink()
    host.path("/usr/bin/ifconfig").unlink()
    ran = host.install("driver", "hdk22")

    assert (ran.status, ran.lines[-2]) == (1, "[ERROR]The list of missing tools: lspci,ifconfig,")


def test_a_full_disk_is_refused(bare: Hosts) -> None:
    host = bare()
    host.fault("disk-full")
    ran = host.install("driver", "hdk22")

    assert ran.status == 1
    assert "[ERROR]free space only 3M, cannot install driver package (greater than 300M)" in ran.text


def test_firmware_11_needs_the_23_0_rc1_stop(installed: Hosts) -> None:
    host = installed(A2)
    firmware = host.path("/usr/local/Ascend/firmware/version.info")
    firmware.chmod(0o644)
    firmware.write_text("Version=1.11.0.0.1\n")
    ran = host.install("driver", "hdk24")

    assert (ran.status, ran.lines[-2]) == (
        1,
        "[WARNING]Download and install the 23.0.RC1 driver package. Then upgrade to the target version. ",
    )
    assert host.version("driver") == "23.0.3"


def test_a_second_installer_is_refused_while_one_runs(bare: Hosts) -> None:
    host = bare()
    lock = host.path("/run/ascend-lab/installer.lock")
    lock.mkdir()
    with subprocess.Popen(["sleep", "60"]) as other:
        (lock / "pid").write_text(f"{other.pid}\n")
        ran = host.install("driver", "hdk22")
        other.kill()

    assert (ran.status, "There is already a process being executed" in ran.text) == (1, True)


def test_the_lock_of_a_dead_installer_is_taken_over(bare: Hosts) -> None:
    host = bare()
    lock = host.path("/run/ascend-lab/installer.lock")
    lock.mkdir()
    with subprocess.Popen(["true"]) as gone:
        (lock / "pid").write_text(f"{gone.pid}\n")

    assert host.install("driver", "hdk22").status == 0
    assert not lock.exists()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--nonsense",), "0x0004"),
        (("--full", "--run"), "0x0004"),
        (("--upgrade", "--install-for-all"), "0x0004"),
        (("--upgrade", "--install-path=/opt/x"), "0x0004"),
        (("--full", "--install-username=HwHiAiUser"), "0x0004"),
        (("--uninstall", "--quiet"), "0x0004"),
        (("--check", "--quiet"), "0x0004"),
        (("--full", "--install-path="), "0x0003"),
        (("--full", "--install-path=relative"), "0x0003"),
        (("--full", "--install-path=/no/such/parent"), "0x0003"),
        (("--quiet",), "0x0004"),
        (("--uninstall",), "0x0080"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else value,
)
def test_options_that_do_not_fit_are_refused(refusing: LabRoot, options: tuple[str, ...], code: str) -> None:
    ran = refusing.install("driver", "hdk22", *options)

    assert (ran.status, f"ERR_NO:{code}" in ran.text) == (1, True)
    assert not refusing.path("/usr/local/Ascend").exists()
    assert not refusing.path("/etc/ascend_install.info").exists()


def test_hccn_conf_keeps_its_content_and_gets_the_installers_mode(installed: Hosts) -> None:
    host = installed(A1)
    conf = host.path("/etc/hccn.conf")
    conf.write_text("address_0=192.168.1.8\n")
    conf.chmod(0o600)
    vnpu = host.path("/etc/vnpu.cfg")
    vnpu.write_text("vnpu_config_recover:disable\n")
    host.install("driver", "hdk23", "--full", "--quiet", "--install-for-all")

    assert (conf.read_text(), conf.stat().st_mode & 0o777) == ("address_0=192.168.1.8\n", 0o644)
    assert vnpu.read_text() == "vnpu_config_recover:disable\n"


def test_the_fault_hccn_dropped_empties_the_file_and_the_cards(installed: Hosts) -> None:
    host = installed(A1)
    host.path("/etc/hccn.conf").write_text("address_0=192.168.1.8\n")
    live = host.path("/opt/ascend-lab/hw/hccn/0")
    live.write_text("address=192.168.1.8\n")
    host.fault("hccn-dropped")
    host.install("driver", "hdk23")

    assert host.path("/etc/hccn.conf").read_text() == ""
    assert host.path("/etc/hccn.conf").stat().st_mode & 0o777 == 0o600
    assert not live.exists()


def test_check_of_an_installed_host_tells_base_version_and_relation(installed: Hosts) -> None:
    ran = installed(A1).install("driver", "hdk23", "--check")

    assert ran.status == 0
    assert "[INFO]base version is 22.0.4." in ran.lines
    assert "[INFO]driver and firmware version relationship check success" in ran.lines
