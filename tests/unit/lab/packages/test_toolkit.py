"""CANN toolkit and kernels: tree, links, records, environment, removal."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.unit.lab.packages.conftest import A1, A2, ARCH, LabRoot

Hosts = Callable[..., LabRoot]
HOME = "/usr/local/Ascend/ascend-toolkit"
RECORD = "/etc/Ascend/ascend_cann_install.info"


def test_a_toolkit_leaves_tree_links_record_and_summary(installed: Hosts) -> None:
    host = installed(A1)
    ran = host.install("toolkit", "hdk23", "--install", "--quiet", "--install-for-all")

    assert ran.status == 0
    assert (
        f"Toolkit:  Ascend-cann-toolkit_7.0.0_linux-{ARCH} install success, installed in /usr/local/Ascend."
        in ran.lines
    )
    assert "Driver:   Installed in /usr/local/Ascend/driver." in ran.lines
    info = host.path(f"{HOME}/latest/{ARCH}-linux/ascend_toolkit_install.info").read_text().splitlines()
    assert info[:3] == ["package_name=Ascend-cann-toolkit", "version=7.0.0", "innerversion=V100R001C15SPC003B226"]
    assert info[-1] == f"path={HOME}/7.0.0/{ARCH}-linux"
    assert host.path(f"{HOME}/latest/opp/version.info").read_text().startswith("Version=7.1.0.3.220\n")
    cfg = host.path(f"{HOME}/latest/version.cfg").read_text().splitlines()
    assert (len(cfg), cfg[1]) == (25, "runtime_running_version=[7.1.0.3.220:7.0.0]")
    assert host.path(RECORD).read_text() == (
        "Install_Path=/usr/local/Ascend\nToolkit_InstallPath=/usr/local/Ascend/ascend-toolkit\n"
    )
    assert host.path(f"{HOME}/latest/tools/hccl_test/Makefile").is_file()


def test_installing_another_level_keeps_the_older_beside_it(installed: Hosts) -> None:
    host = installed(A1)
    host.install("toolkit", "hdk23")

    assert host.path(f"{HOME}/6.0.1/opp").is_dir()
    assert host.path(f"{HOME}/latest/opp").resolve() == host.path(f"{HOME}/7.0.0/opp")


def test_upgrade_removes_the_older_level(installed: Hosts) -> None:
    host = installed(A1)
    assert host.run("/usr/local/Ascend/ascend-toolkit/6.0.1/opp_kernel/script/uninstall.sh").status == 0
    assert host.install("toolkit", "hdk23", "--upgrade", "--quiet").status == 0

    assert not host.path(f"{HOME}/6.0.1").exists()
    assert host.path(f"{HOME}/latest/opp").resolve() == host.path(f"{HOME}/7.0.0/opp")


def test_a_driver_that_does_not_fit_is_only_warned_of_when_quiet(installed: Hosts) -> None:
    host = installed(A1)  # driver 22.0.4 and CANN 7.0.0 name each other in neither direction
    ran = host.install("toolkit", "hdk23", "--install", "--quiet")

    assert (ran.status, "[WARNING] Check version does not matched!" in ran.text) == (0, True)


def test_a_driver_that_does_not_fit_stops_whoever_says_no(installed: Hosts) -> None:
    host = installed(A1)
    ran = host.install("toolkit", "hdk23", "--install", answer="n\n")

    assert (ran.status, "do you want to continue? [y/n]" in ran.text) == (1, True)
    assert not host.path(f"{HOME}/7.0.0").exists()


def test_a_recorded_path_wins_over_install_path(installed: Hosts) -> None:
    ran = installed(A1).install("toolkit", "hdk23", "--install", "--quiet", "--install-path=/opt/cann")

    assert ran.status == 1
    assert "/etc/Ascend/ascend_cann_install.info exists ! 'install-path' parameter are not supported." in ran.text


def test_a_host_without_python_is_refused(bare: Hosts) -> None:
    host = bare()
    host.path("/usr/bin/python3.9").unlink()
    ran = host.install("toolkit", "hdk22")

    assert ran.status == 1
    assert "There is no python3.7,python3.8,python3.9,python3.10,python3.11 in the current environment !" in ran.text


def test_set_env_exports_the_published_variables(installed: Hosts) -> None:
    script = installed(A1).path(f"{HOME}/set_env.sh")
    done = subprocess.run(
        ["sh", "-c", f". {script} && env"], capture_output=True, text=True, env={"PATH": os.environ["PATH"]}, check=True
    )
    given = dict(line.split("=", 1) for line in done.stdout.splitlines())

    latest = f"{HOME}/latest"
    assert {name: given[name] for name in ("ASCEND_TOOLKIT_HOME", "ASCEND_HOME_PATH", "ASCEND_OPP_PATH")} == {
        "ASCEND_TOOLKIT_HOME": latest,
        "ASCEND_HOME_PATH": latest,
        "ASCEND_OPP_PATH": f"{latest}/opp",
    }
    assert given["LD_LIBRARY_PATH"].startswith(f"{latest}/lib64:")


def test_kernels_need_their_toolkit(bare: Hosts) -> None:
    host = bare()
    ran = host.install("kernels", "hdk22")

    assert (ran.status, "Ascend-cann-toolkit 6.0.1 is not installed" in ran.text) == (1, True)


def test_kernels_say_where_they_went(installed: Hosts) -> None:
    host = installed(A2)
    ran = host.install("kernels", "hdk23")

    assert ran.status == 0
    assert ran.text.splitlines()[-1].endswith(
        f"Ascend-cann-kernels-910b_7.0.0_linux install success. The installation path is {HOME}."
    )
    assert host.path(f"{HOME}/latest/opp_kernel/version.info").is_file()
    assert host.path("/var/log/ascend_seclog/ascend_kernels_910b_install.log").is_file()


def test_an_uninstalled_toolkit_leaves_what_users_built(installed: Hosts) -> None:
    host = installed(A2)
    built = host.path(f"{HOME}/7.0.0/tools/hccl_test/bin/all_reduce_test")
    built.parent.mkdir()
    built.touch()
    ran = host.run(host.path(f"{HOME}/7.0.0/{ARCH}-linux/script/uninstall.sh"))

    assert (ran.status, "Some files generated by user are not cleared" in ran.text) == (0, True)
    assert ran.text.splitlines()[-1].endswith(f"Ascend-cann-toolkit_7.0.0_linux-{ARCH} uninstall success")
    assert built.exists()
    assert not host.path(f"{HOME}/7.0.0/tools/hccl_test/Makefile").exists()
    assert not host.path(f"{HOME}/7.0.0/opp").exists()
    assert host.path(f"{HOME}/7.0.0/opp_kernel").exists()
    assert host.path(RECORD).exists()


def test_from_8_0_on_kernels_go_with_their_toolkit(installed: Hosts) -> None:
    host = installed(A2)
    assert host.install("toolkit", "hdk24").status == 0
    assert host.install("kernels", "hdk24").status == 0
    assert host.run(host.path(f"{HOME}/8.0.0/{ARCH}-linux/script/uninstall.sh")).status == 0

    assert not host.path(f"{HOME}/8.0.0").exists()


def test_the_package_uninstalls_too(installed: Hosts) -> None:
    host = installed(A2)
    assert host.install("kernels", "hdk23", "--uninstall").status == 0
    assert host.install("toolkit", "hdk23", "--uninstall").status == 0

    assert not host.path(f"{HOME}/7.0.0").exists()
    assert host.install("toolkit", "hdk23", "--uninstall").status == 1


def test_a_script_without_its_partner_fails(installed: Hosts) -> None:
    host = installed(A2)
    host.path(f"{HOME}/7.0.0/cann_uninstall.sh").unlink()
    ran = host.run(host.path(f"{HOME}/7.0.0/{ARCH}-linux/script/uninstall.sh"))

    assert (ran.status, "cann_uninstall.sh file not found" in ran.text) == (1, True)


def test_installers_that_fail_leave_the_older_level(installed: Hosts) -> None:
    host = installed(A1)
    host.fault("installer-exits-1", "toolkit")
    assert host.install("toolkit", "hdk23").status == 1
    host.fault("installer-exits-1", "kernels")
    assert host.install("kernels", "hdk22").status == 1

    assert sorted(p.name for p in host.path(HOME).iterdir()) == ["6.0.1", "latest", "set_env.sh"]
    assert host.path(f"{HOME}/6.0.1/opp_kernel/version.info").exists()


def without_cann(host: LabRoot) -> LabRoot:
    """The host after its CANN 7.0.0 was uninstalled: a dangling link is left in ascend-toolkit/latest."""
    assert host.install("kernels", "hdk23", "--uninstall").status == 0
    assert host.install("toolkit", "hdk23", "--uninstall").status == 0
    assert host.path(f"{HOME}/latest/ops").is_symlink()
    return host


def test_8_5_makes_a_directory_of_its_own_and_keeps_the_old_places_as_links(installed: Hosts) -> None:
    host = without_cann(installed(A2))
    ran = host.install("toolkit", "hdk255")

    assert ran.status == 0, ran.text
    assert 'add "source /usr/local/Ascend/cann/set_env.sh" to /etc/profile' in ran.text
    ascend = host.path("/usr/local/Ascend")
    assert (ascend / "cann").readlink() == Path("cann-8.5.0")
    assert (ascend / "ascend-toolkit/latest").readlink() == Path("../cann-8.5.0")
    assert (ascend / "ascend-toolkit/set_env.sh").resolve() == ascend / "cann-8.5.0/set_env.sh"
    info = (ascend / f"cann/{ARCH}-linux/ascend_toolkit_install.info").read_text().splitlines()
    assert info[-1] == f"path=/usr/local/Ascend/cann-8.5.0/{ARCH}-linux"
    assert (ascend / "cann/share/info/runtime/version.info").read_text().startswith("Version=8.5.0.2.220\n")
    assert host.path(RECORD).read_text() == (
        "Install_Path=/usr/local/Ascend\nToolkit_InstallPath=/usr/local/Ascend/cann-8.5.0\n"
    )


def test_set_env_of_8_5_names_the_version_directory(installed: Hosts) -> None:
    host = without_cann(installed(A2))
    host.install("toolkit", "hdk255")
    script = host.path("/usr/local/Ascend/ascend-toolkit/set_env.sh")
    done = subprocess.run(
        ["sh", "-c", f". {script} && env"], capture_output=True, text=True, env={"PATH": os.environ["PATH"]}, check=True
    )

    assert "ASCEND_HOME_PATH=/usr/local/Ascend/cann-8.5.0" in done.stdout.splitlines()


def test_8_5_beside_an_older_level_leaves_the_older_ones_links(installed: Hosts) -> None:
    host = installed(A2)
    assert host.install("toolkit", "hdk255").status == 0

    assert host.path(f"{HOME}/latest/opp").resolve() == host.path(f"{HOME}/7.0.0/opp")
    assert host.path(f"{HOME}/set_env.sh").resolve() == host.path("/usr/local/Ascend/cann-8.5.0/set_env.sh")


def test_upgrade_to_8_5_removes_the_older_level(installed: Hosts) -> None:
    host = installed(A2)
    host.install("kernels", "hdk23", "--uninstall")
    assert host.install("toolkit", "hdk255", "--upgrade", "--quiet").status == 0

    assert not host.path(f"{HOME}/7.0.0").exists()
    assert host.path("/usr/local/Ascend/cann-8.5.0/opp").is_dir()


def test_ops_have_a_record_that_only_their_outer_script_removes(installed: Hosts) -> None:
    host = without_cann(installed(A2))
    assert host.install("ops", "hdk255").status == 0  # a published page installs ops before the toolkit
    assert host.install("toolkit", "hdk255").status == 0
    home = host.path("/usr/local/Ascend/cann-8.5.0")
    record = home / f"{ARCH}-linux/ascend_ops_install.info"
    assert record.read_text().startswith("package_name=Ascend-cann-910b-ops\nversion=8.5.0\n")
    kernels = home / "opp/built-in/op_impl/ai_core/tbe/kernel/ascend910b"
    assert kernels.is_dir()

    ran = host.run(home / f"{ARCH}-linux/script/ops_uninstall.sh")

    assert ran.status == 0, ran.text
    assert ran.text.splitlines()[-1].endswith("[INFO]: ops_910b uninstall success")
    assert not record.exists()
    assert not kernels.exists()
    assert (home / "set_env.sh").exists()

    host.install("ops", "hdk255")
    assert host.run(home / "ops_uninstall.sh").status == 0
    assert record.exists()


def test_an_uninstall_of_8_5_leaves_no_link(installed: Hosts) -> None:
    host = without_cann(installed(A2))
    host.install("toolkit", "hdk255")
    host.install("ops", "hdk255")
    assert host.install("ops", "hdk255", "--uninstall").status == 0
    assert host.install("toolkit", "hdk255", "--uninstall").status == 0

    assert sorted(path.name for path in host.path("/usr/local/Ascend").iterdir()) == ["driver", "firmware"]


def test_an_older_level_can_come_back_after_8_5(installed: Hosts) -> None:
    host = without_cann(installed(A2))
    host.install("toolkit", "hdk255")
    assert host.install("toolkit", "hdk24").status == 0

    assert host.path(f"{HOME}/latest/opp").resolve() == host.path(f"{HOME}/8.0.0/opp")
    assert f"{HOME}/latest" in host.path(f"{HOME}/set_env.sh").read_text()
    assert "8.5.0" in host.path("/usr/local/Ascend/cann/set_env.sh").read_text()


def test_unknown_options_are_refused(bare: Hosts) -> None:
    ran = bare().install("toolkit", "hdk22", "--instal")

    assert (ran.status, "Unrecognized parameters: --instal" in ran.text) == (1, True)
