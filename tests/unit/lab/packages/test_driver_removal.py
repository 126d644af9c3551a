"""Uninstalling a driver: its three endings, all with exit status 0, and what is left."""

from __future__ import annotations

from collections.abc import Callable

from tests.unit.lab.packages.conftest import A1, A2, LabRoot

Hosts = Callable[..., LabRoot]
SCRIPT = "/usr/local/Ascend/driver/script/uninstall.sh"


def test_an_idle_a2_driver_goes_at_once(installed: Hosts) -> None:
    host = installed(A2)
    ran = host.run(SCRIPT)

    assert (ran.status, ran.lines[-1]) == (
        0,
        "[INFO]Driver package uninstalled successfully! Uninstallation takes effect immediately. ",
    )
    assert (host.version("driver"), host.running) == (None, None)
    assert list(host.path("/dev").glob("davinci*")) == []


def test_an_a1_driver_stays_loaded_until_the_reboot(installed: Hosts) -> None:
    host = installed(A1)
    ran = host.run(SCRIPT, "--force")

    assert (ran.status, ran.lines[-1]) == (
        0,
        "[INFO]Driver package uninstalled successfully! Reboot needed for uninstallation to take effect! ",
    )
    assert (host.version("driver"), host.running) == (None, "22.0.4")
    host.boot()
    assert host.running is None


def test_modules_that_cannot_be_removed_are_a_success_too(installed: Hosts) -> None:
    host = installed(A2)
    host.fault("module-busy")
    ran = host.run(SCRIPT)

    assert ran.status == 0
    assert ran.lines[-2:] == [
        "[INFO]Driver package uninstalled finished! ",
        "[WARNING]Kernel modules can not be removed, reboot needed for uninstallation to take effect! ",
    ]
    assert host.running == "23.0.3"


def test_a_driver_installed_before_that_reboot_waits_for_it(installed: Hosts) -> None:
    host = installed(A1)
    host.run(SCRIPT)
    ran = host.install("driver", "hdk23")

    assert ran.status == 2
    assert (host.version("driver"), host.running) == ("23.0.3", "22.0.4")


def test_the_package_uninstalls_like_the_script(installed: Hosts) -> None:
    host = installed(A2)
    ran = host.install("driver", "hdk23", "--uninstall")

    assert (ran.status, host.version("driver")) == (0, None)
    assert any("uninstalled successfully" in line for line in ran.lines)


def test_a_clean_uninstall_of_everything_leaves_the_published_leftovers(installed: Hosts) -> None:
    host = installed(A1)
    assert host.run("/usr/local/Ascend/ascend-toolkit/6.0.1/opp_kernel/script/uninstall.sh").status == 0
    toolkit = next(host.path("/usr/local/Ascend/ascend-toolkit/6.0.1").glob("*-linux/script/uninstall.sh"))
    assert host.run(toolkit).status == 0
    assert host.run(SCRIPT).status == 0
    assert host.run("/usr/local/Ascend/firmware/script/uninstall.sh").status == 0

    assert not host.path("/etc/ascend_install.info").exists()
    left = [
        "/var/log/ascend_seclog/ascend_install.log",
        "/var/log/npu",
        "/etc/hccn.conf",
        "/etc/vnpu.cfg",
        "/root/ascend_check",
        "/etc/logrotate.d/tmp",
        "/etc/Ascend/ascend_cann_install.info",
    ]
    assert [name for name in left if not host.path(name).exists()] == []
    remaining = {
        p.relative_to(host.path("/usr/local/Ascend")).as_posix() for p in host.path("/usr/local/Ascend").rglob("*")
    }
    assert remaining == {"ascend-toolkit", "ascend-toolkit/latest", "ascend-toolkit/latest/ops"}
    assert "HwHiAiUser" in host.path("/etc/passwd").read_text()


def test_usr_local_ascend_goes_when_nothing_is_left_in_it(bare: Hosts) -> None:
    host = bare(A2)
    host.install("driver", "hdk23")
    host.run(SCRIPT)

    assert not host.path("/usr/local/Ascend").exists()
